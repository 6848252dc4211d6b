import { existsSync, readFileSync } from 'node:fs'
import { type Feature, features } from '../api/feature.ts'
import { readNumber } from '../api/number-text.ts'
import { parseWholeNumber, readAddress } from '../connectors/port/setting-text.ts'
import { REGULAR_CLOSE, session } from '../market/calendar.ts'
import { instantOfEastern, parseEasternDateTime } from '../market/eastern.ts'
import { readSymbol } from '../market/security.ts'
import { type Instant, parseIsoDate, type Ticker } from '../market/units.ts'
import { flatRate, type RateCurve } from '../pricing/assumptions.ts'

// Each function below parses the text of one kind of setting. It returns undefined for an invalid text.

export function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => Word | undefined {
  return (text) => words.find((word) => word === text)
}

export function readSwitch(text: string): boolean | undefined {
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined
}

export function readOnOff(text: string): boolean | undefined {
  return text === 'on' ? true : text === 'off' ? false : undefined
}

/** Parses a number of requests; 0 for refuse. */
export function readQuotaWhenLost(text: string): number | undefined {
  return text === 'refuse' ? 0 : parseWholeNumber(1, 1_000_000)(text)
}

/** Parses a number of sessions to make at a start, such as 5d; 0 for off. */
export function readSeedHistory(text: string): number | undefined {
  if (text === 'off') return 0
  const [, days] = /^([1-9]\d?)d$/.exec(text) ?? []
  return days === undefined || Number(days) > 60 ? undefined : Number(days)
}

/** Parses host names without ports, separated by commas. */
export function readHosts(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name)) ? names : undefined
}

export function readHost(text: string): string | undefined {
  return /^[A-Za-z0-9.:_%-]{1,253}$/.test(text) ? text : undefined
}

/** Parses the address of a database on a PostgreSQL server. */
export function readAccountsAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, pathname } = new URL(text)
  const isOfPostgres = protocol === 'postgres:' || protocol === 'postgresql:'
  return isOfPostgres && hostname !== '' && /^\/[^/]+$/.test(pathname) ? text : undefined
}

/** Parses `embedded`, `off`, or the address of a server whose path names a database. */
export function readHistorySetting(text: string): string | undefined {
  return text === 'embedded' || text === 'off' ? text : readAddress(text)
}

/** Parses `*`, or web origins separated by commas. */
export function readOrigins(text: string): '*' | readonly string[] | undefined {
  if (text === '*') return '*'
  const origins = text.split(',').map((part) => part.trim())
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}

/**
 * Parses web origins for a content security policy. A semicolon is refused, because it would begin another directive.
 */
export function readFrameOrigins(text: string): '*' | readonly string[] | undefined {
  return text.includes(';') ? undefined : readOrigins(text)
}

/**
 * Parses a New York time. A date alone (yyyy-MM-dd) means the close of that session; otherwise yyyy-MM-ddTHH:mm, with
 * seconds if wanted.
 */
export function readAsOf(text: string): Instant | undefined {
  const date = parseIsoDate(text)
  if (date !== undefined) return session(date)?.close ?? instantOfEastern(date, REGULAR_CLOSE)
  return parseEasternDateTime(/T\d\d:\d\d$/.test(text) ? `${text}:00` : text)
}

export function readFeatures(text: string): readonly Feature[] | undefined {
  const named = text.split(',').map((name) => features.find((feature) => feature === name.trim()))
  return named.every((feature) => feature !== undefined) ? [...new Set(named)] : undefined
}

/**
 * Parses tickers separated by commas, or the path of a file with one ticker per line. In the file # begins a comment.
 */
export function readUniverse(text: string): readonly Ticker[] | undefined {
  const isPath = /[\\/]|\.(txt|csv|list)$/i.test(text) || existsSync(text)
  const words = isPath ? readLines(text) : text.split(',')
  const tickers = words?.map(readSymbol) ?? []
  if (tickers.length === 0 || tickers.length > 10_000) return undefined
  return tickers.every((ticker) => ticker !== undefined) ? [...new Set(tickers)] : undefined
}

/** Parses which symbols to record: `seen`, `off`, or tickers as in `readUniverse`. */
export function readRecorded(text: string): readonly Ticker[] | 'seen' | 'off' | undefined {
  return text === 'seen' || text === 'off' ? text : readUniverse(text)
}

function readLines(path: string): string[] | undefined {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '')
  } catch {
    return undefined // there is no such file, or it is a folder: the caller reports that
  }
}

/** Parses a continuously compounded interest rate, or a curve of days:rate pairs separated by commas. */
export function readRates(text: string): RateCurve | undefined {
  const flat = yearlyFraction(text)
  if (flat !== undefined) return flatRate(flat)
  const points: { days: number; rate: number }[] = []
  for (const part of text.split(',')) {
    const [tenor, figure, ...more] = part.split(':')
    const days = parseWholeNumber(0, 36_500)(tenor.trim())
    const rate = yearlyFraction(figure ?? '')
    if (days === undefined || rate === undefined || more.length > 0) return undefined
    points.push({ days, rate })
  }
  points.sort((a, b) => a.days - b.days)
  if (points.some((point, i) => point.days === points[i - 1]?.days)) return undefined
  return { points, between: 'rate' }
}

/** A value that applies to every symbol, and values for single symbols that differ from it. */
export interface BySymbol<Value> {
  readonly every: Value | undefined
  readonly bySymbol: Readonly<Record<string, Value>>
}

/** Parses one dividend yield for every symbol, or SYMBOL:yield pairs, or both, separated by commas. */
export const readDividendYields = bySymbolOf(yearlyFraction)

/** Parses one exercise style for every symbol, or SYMBOL:style pairs, or both, separated by commas. */
export const readExercises = bySymbolOf(oneOf(['american', 'european']))

function bySymbolOf<Value>(parse: (text: string) => Value | undefined) {
  return (text: string): BySymbol<Value> | undefined => {
    let every: Value | undefined
    const bySymbol: Record<string, Value> = Object.create(null)
    for (const part of text.split(',')) {
      const [symbol, figure, ...more] = part.split(':')
      const ticker = figure === undefined ? undefined : readSymbol(symbol)
      const value = parse((figure ?? symbol).trim())
      if (value === undefined || more.length > 0) return undefined
      if (figure === undefined) {
        if (every !== undefined) return undefined
        every = value
      } else {
        if (ticker === undefined || ticker in bySymbol) return undefined
        bySymbol[ticker] = value
      }
    }
    return { every, bySymbol }
  }
}

function yearlyFraction(text: string): number | undefined {
  const value = readNumber(text.trim())
  return value !== undefined && value >= -1 && value <= 1 ? value : undefined
}

/** Parses a fraction above 0 and at most 1. It may have six decimals, so that sums over whole contracts are exact. */
export function readConfidence(text: string): number | undefined {
  const value = readNumber(text.trim())
  const isShare = value !== undefined && value > 0 && value <= 1
  return isShare && Number(value.toFixed(6)) === value ? value : undefined
}
