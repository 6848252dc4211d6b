import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSymbol } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'
import { entryLines, parseJsonText } from './json-lines.ts'

export type Presets = Readonly<Record<string, readonly Ticker[]>>

const MAX_SYMBOLS = 10_000

/**
 * Reads the operator's lists of symbols for the screener: a JSON object with an array of tickers per name. The default
 * is the file `presets.json` in the data folder, if it exists. Adds mistakes to `problems`.
 */
export function readPresets(path: string | undefined, data: string, problems: string[]): Presets {
  const file = path ?? join(data, 'presets.json')
  if (path === undefined && !existsSync(file)) return {}
  try {
    const text = readFileSync(file, 'utf8')
    const json = parseJsonText(text)
    const lines = entryLines(text)
    return parsePresets(json, (problem, entry) => {
      const place = entry === undefined ? '' : `line ${lines[entry]}: `
      problems.push(`${file}: ${place}${problem}`)
    })
  } catch (error) {
    problems.push(`the presets file ${file} cannot be read: ${error instanceof Error ? error.message : error}`)
    return {}
  }
}

function parsePresets(json: unknown, complain: (problem: string, entry?: number) => void): Presets {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    complain('it must hold an object with an array of tickers for each preset')
    return {}
  }
  const presets = Object.entries(json).map(([name, listed], entry) => {
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) complain(`${name.slice(0, 40)} must be a lower-case name`, entry)
    const tickers = Array.isArray(listed) ? listed.map((each) => readSymbol(String(each))) : []
    const sound =
      Array.isArray(listed) && tickers.length <= MAX_SYMBOLS && tickers.every((ticker) => ticker !== undefined)
    if (!sound) complain(`${name.slice(0, 40)} must be an array of at most ${MAX_SYMBOLS} tickers`, entry)
    return [name, sound ? tickers : []] as const
  })
  return Object.fromEntries(presets) as Presets
}
