import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rename } from '../market/renames.ts'
import { parseIsoDate, parseTicker } from '../market/units.ts'

/** Name of the file in the data folder. */
export const RENAMES = 'renames.csv'

const MAX_RENAMES = 10_000

/**
 * Reads the operator's renames of companies: lines `old,new,date` in the file `renames.csv` of the data folder, if it
 * exists. In the file # begins a comment. Adds mistakes to `problems`.
 */
export function readRenames(data: string, problems: string[]): readonly Rename[] {
  const file = join(data, RENAMES)
  if (!existsSync(file)) return []
  try {
    const lines = readFileSync(file, 'utf8').split(/\r?\n/)
    if (lines.length > MAX_RENAMES) throw new Error(`it has more than ${MAX_RENAMES} lines`)
    return lines.flatMap((line, k) => {
      const text = line.replace(/#.*/, '').trim()
      if (text === '' || /^(old|from),/i.test(text)) return []
      const [old = '', name = '', day = '', ...more] = text.split(',').map((cell) => cell.trim())
      const [from, to, date] = [parseTicker(old), parseTicker(name), parseIsoDate(day)]
      if (from !== undefined && to !== undefined && date !== undefined && from !== to && more.length === 0) {
        return [{ from, to, date }]
      }
      problems.push(`${file}: line ${k + 1}: it must be an old symbol, a new one and a date, as FB,META,2022-06-09`)
      return []
    })
  } catch (error) {
    problems.push(`the renames file ${file} cannot be read: ${error instanceof Error ? error.message : error}`)
    return []
  }
}
