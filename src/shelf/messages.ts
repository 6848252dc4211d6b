import type { Instant, Ticker } from '../market/units.ts'

// Keys of values on the shelf, and messages that its channels carry, as JSON.

export const SOURCE_KEY = 'source'
export const chainKey = (symbol: Ticker) => `chain:${symbol}`
export const listKey = (id: string) => `list:${id}`

/** Seconds for which chains, lists and the description of the source are kept: over a long weekend. */
export const KEPT_DAYS = 4 * 86_400

/** Calls of a connector that a collector makes for members that serve. */
export const askedCalls = ['closingChain', 'closingQuotes', 'dailyBars', 'earnings'] as const
export type AskedCall = (typeof askedCalls)[number]

export const askedKey = (call: AskedCall, of: readonly unknown[]) => `asked:${call}:${JSON.stringify(of)}`

/** Told by the collector. */
export type News =
  | {
      readonly kind: 'newer'
      readonly symbol: Ticker
      readonly asOf: Instant
      readonly observedAt: Instant
      readonly at: Instant
    }
  /** Told each second: the newest moment that the source can describe now. */
  | { readonly kind: 'beat'; readonly latest: Instant }
  | { readonly kind: 'answered'; readonly key: string; readonly unknown?: true; readonly failure?: SourceFailure }

/** A failure of the source; see `SourceError`. */
export interface SourceFailure {
  readonly fault: string
  readonly message: string
  readonly retryAfter?: number | undefined
}

/** Told by members that serve. Ages are in milliseconds. */
export type MemberRequest =
  /** How fresh each symbol is wanted, told each second. */
  | { readonly kind: 'demand'; readonly chains: readonly (readonly [Ticker, number])[] }
  | { readonly kind: 'chain'; readonly symbol: Ticker; readonly age: number }
  | { readonly kind: 'asked'; readonly key: string; readonly call: AskedCall; readonly args: readonly unknown[] }
