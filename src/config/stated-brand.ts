import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Brand, plainBrand } from '../api/brand/brand.ts'
import { parseBrand } from '../api/brand/brand-file.ts'
import { parseJsonText } from './json-lines.ts'

/** Name of the file in the data folder. */
export const BRAND = 'brand.json'

/** Reads the operator's brand from the data folder; the plain one without a file. Adds mistakes to `problems`. */
export function readBrand(data: string, problems: string[]): Brand {
  const file = join(data, BRAND)
  if (!existsSync(file)) return plainBrand
  const found: string[] = []
  let brand: Brand | undefined
  try {
    brand = parseBrand(parseJsonText(readFileSync(file, 'utf8')), (name) => textOf(join(data, name)), found)
  } catch (error) {
    found.push(`it cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  problems.push(...found.map((problem) => `${file}: ${problem}`))
  return brand ?? plainBrand
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
