import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
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

/** How the program is called, for messages, and its default data folder: by the scripts of a checkout, or installed by npm. */
export interface CalledAs {
  readonly start: string
  readonly command: string
  readonly dataFolder: string
}

const CHECKOUT: CalledAs = { start: 'npm start --', command: 'npm run --silent gammawall --', dataFolder: './data' }
const INSTALLED: CalledAs = { start: 'npx gammawall', command: 'npx gammawall', dataFolder: './gammawall-data' }

/** How a package in a folder is called. An installed one lies in a folder node_modules. */
export function calledFrom(folder: string): CalledAs {
  return basename(dirname(folder)) === 'node_modules' ? INSTALLED : CHECKOUT
}

/** How this package is called. */
export const calledAs = calledFrom(dirname(pathInPackage('package.json')))
