import { readFileSync } from 'node:fs'
import { pathInPackage } from './package-folder.ts'

/** The version of this package. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(pathInPackage('package.json'), 'utf8'))
  return version
}
