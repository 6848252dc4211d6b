import { CALL, PUT } from '../../market/chain.ts'
import { parentOfRoot } from '../../market/security.ts'
import { type IsoDate, parseTicker, type Ticker } from '../../market/units.ts'
import { compactDate, lastTradingDate } from '../tables/table-dates.ts'

// LEAN, Data/readme of github.com/QuantConnect/Lean: one zip for each underlying, day and kind of figure, in it one
// CSV for each series, which is named by the file alone.

export type LeanKind = 'quote' | 'trade' | 'openinterest'

/** The series of an option, or the shares of the underlying where there is no strike. */
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
  /** USD. */
  readonly strike: number
}

/** Minute zips are called by day and kind: 20151224_quote_american.zip of options, 20151224_trade.zip of shares. */
export const leanZip = /^\d{8}_(quote|trade|openinterest)(_(american|european))?\.zip$/i

const shape =
  /^(\d{8})_([a-z0-9.-]+)_minute_(quote|trade|openinterest)(?:_(?:american|european)_(call|put)_(\d+)_(\d{8}))?\.csv$/i

/** Reads the name of a CSV inside a zip: 20151224_goog_minute_quote_american_call_7500000_20160115.csv. */
export function parseLeanName(name: string): LeanName | undefined {
  const match = shape.exec(name)
  if (match === null) return undefined
  const [, day, ticker, kind, side, strike, expiry] = match
  const date = compactDate(day)
  const root = parseTicker(ticker)
  if (date === undefined || root === undefined) return undefined
  const symbol = parentOfRoot(root) ?? root
  const named = { date, kind: kind.toLowerCase() as LeanKind, symbol }
  if (side === undefined) return { ...named, option: undefined }
  const expiration = compactDate(expiry)
  if (expiration === undefined || !(Number(strike) > 0)) return undefined
  const right = side.toLowerCase() === 'call' ? CALL : PUT
  const option = { root, expiration: lastTradingDate(expiration), right, strike: Number(strike) / 10_000 }
  return { ...named, option }
}
