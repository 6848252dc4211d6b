import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')

/** Arguments with which any supported Node runs a program that imports TypeScript sources. */
export const withTypes = ['--import', pathToFileURL(join(root, 'scripts/typescript.mjs')).href]

/** The address of a folder of the sources, for programs that a test writes. */
export const sources = pathToFileURL(`${join(root, 'src')}/`)
