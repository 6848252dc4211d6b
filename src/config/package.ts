import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Path of a file in this package. It is right both for source files and for the built package. */
export function pathInPackage(name: string): string {
  let folder = new URL('./', import.meta.url)
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('../', folder)
  return fileURLToPath(new URL(name, folder))
}

export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(pathInPackage('package.json'), 'utf8'))
  return version
}
