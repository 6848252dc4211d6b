import { CALL, PUT } from '../../market/chain.ts'
import { parentOfRoot, readSymbol, securityKind } from '../../market/security.ts'
import { type IsoDate, parseTicker, type Ticker } from '../../market/units.ts'
import { currentRoot } from '../../market/wanted-roots.ts'
import { isStrike } from '../tables/row-contract.ts'
import { compactDate, lastTradingDate } from '../tables/table-dates.ts'

// File layout of LEAN (github.com/QuantConnect/Lean, Data/readme): one zip per underlying, day and kind of data; inside
// each zip one CSV per contract, identified only by its file name.

export type LeanKind = 'quote' | 'trade' | 'openinterest'

/** Contents of a CSV file's name. `option` is undefined for files of the underlying stock. */
export interface LeanName {
  readonly date: IsoDate
  readonly kind: LeanKind
  readonly symbol: Ticker
  readonly option: LeanOption | undefined
}

export interface LeanOption {
  readonly root: string
  readonly expiration: IsoDate
  readonly right: number
  /** Strike, USD. */
  readonly strike: number
}

/**
 * Matches the file name of a zip, which states day and kind of data: 20151224_quote_american.zip for options,
 * 20151224_trade.zip for stocks.
 */
export const leanZip = /^\d{8}_(quote|trade|openinterest)(_(american|european))?\.zip$/i

/**
 * Matches the file name of a zip of hours or days: aapl_2014_quote_american.zip for options, with the year or without;
 * spy.zip for stocks and indexes.
 */
export const leanSpanZip = /^[a-z0-9.-]+?((_\d{4})?_(quote|trade|openinterest)_(american|european))?\.zip$/i

const SCALE = 10_000
/** Folder of an index's own files, and of options on indexes. */
const indexFolder = /(^|[\\/])index(option)?[\\/]/i

/**
 * Price units in a zip that make one USD. Prices of stocks, funds and options on them are scaled by 10,000. Prices of
 * indexes and options on them are not; only the strikes in their file names are. An index that our lists do not know is
 * recognized by its folder. Source: QuantConnect/Lean, `GetScaleFactor` in Common/Data/Market/Tick.cs.
 */
export function priceUnitsPerDollar(symbol: Ticker, path: string): number {
  return securityKind(symbol) === 'index' || indexFolder.test(path) ? 1 : SCALE
}

const shape =
  /^(\d{8})_([a-z0-9.-]+)_minute_(quote|trade|openinterest)(?:_(?:american|european)_(call|put)_(\d+)_(\d{8}))?\.csv$/i

/** Name of the CSV of a contract or of the underlying, as `parseLeanName` reads it. `ticker` is its root or symbol. */
export function formatLeanName({ date, kind, symbol, option }: LeanName, ticker: string): string {
  const named = `${compactText(date)}_${ticker.toLowerCase()}_minute_${kind}`
  if (option === undefined) return `${named}.csv`
  const style = securityKind(symbol) === 'index' ? 'european' : 'american'
  const { right, strike, expiration } = option
  const side = right === CALL ? 'call' : 'put'
  return `${named}_${style}_${side}_${Math.round(strike * SCALE)}_${compactText(expiration)}.csv`
}

const compactText = (date: IsoDate) => date.replaceAll('-', '')

/** Map key of a contract. */
export function leanOptionKey({ root, expiration, right, strike }: LeanOption): string {
  return `${root} ${expiration} ${right} ${strike}`
}

/** Parses a CSV name such as 20151224_goog_minute_quote_american_call_7500000_20160115.csv. */
export function parseLeanName(name: string): LeanName | undefined {
  const match = shape.exec(name)
  if (match === null) return undefined
  const [, day, ticker, kind, side, strike, expiry] = match
  const date = compactDate(day)
  const root = parseTicker(ticker)
  if (date === undefined || root === undefined) return undefined
  const symbol = parentOfRoot(root) ?? readSymbol(root) ?? root
  const named = { date, kind: kind.toLowerCase() as LeanKind, symbol }
  if (side === undefined) return { ...named, option: undefined }
  const expiration = compactDate(expiry)
  if (expiration === undefined || !isStrike(Number(strike) / SCALE)) return undefined
  const right = side.toLowerCase() === 'call' ? CALL : PUT
  const option = {
    root: currentRoot(root),
    expiration: lastTradingDate(expiration, date),
    right,
    strike: Number(strike) / SCALE
  }
  return { ...named, option }
}

/** Contents of the name of a file of hours or days, which does not state its dates. */
export type LeanSpanName = Omit<LeanName, 'date'>

const spanShape =
  /^([a-z0-9.-]+)(?:_(quote|trade|openinterest)(?:_(?:american|european)_(call|put)_(\d+)_(\d{8}))?)?\.csv$/i

/**
 * Parses a CSV name of hours or days: goog_quote_american_call_7500000_20160115.csv of an option, spy.csv of trades of
 * a stock or an index.
 */
export function parseSpanName(name: string): LeanSpanName | undefined {
  const [, ticker, kind = 'trade', side, strike, expiry] = spanShape.exec(name) ?? []
  if (ticker === undefined) return undefined
  const about = side === undefined ? '' : `_american_${side}_${strike}_${expiry}`
  const named = parseLeanName(`20000103_${ticker}_minute_${kind}${about}.csv`)
  return named && { kind: named.kind, symbol: named.symbol, option: named.option }
}
