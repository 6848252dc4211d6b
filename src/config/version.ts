import { existsSync, readFileSync } from 'node:fs'

/** The version of this package: the nearest package.json above this file, whether it runs from source or built. */
export function packageVersion(): string {
  let folder = new URL('./', import.meta.url)
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('../', folder)
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  return version
}
