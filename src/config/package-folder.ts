import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file of this package, whether this runs from source or built. */
export function pathInPackage(name: string): string {
  let folder = new URL('./', import.meta.url)
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('../', folder)
  return fileURLToPath(new URL(name, folder))
}
