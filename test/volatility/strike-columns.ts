import type { StrikeQuotes } from '../../src/volatility/variance/vix.ts'

/** Quotes of one strike, USD per share; a bid of 0 is no bid. */
export interface StrikeRow {
  readonly strike: number
  readonly callBid: number
  readonly callAsk: number
  readonly putBid: number
  readonly putAsk: number
}

/** Rows as the columns that the method of the index reads. */
export function strikeColumns(rows: readonly StrikeRow[]): StrikeQuotes {
  return {
    strike: rows.map(({ strike }) => strike),
    callBid: rows.map(({ callBid }) => callBid),
    callAsk: rows.map(({ callAsk }) => callAsk),
    putBid: rows.map(({ putBid }) => putBid),
    putAsk: rows.map(({ putAsk }) => putAsk)
  }
}
