import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'

/** A quote as it stood before a print, USD per share. */
export interface QuoteAtPrint {
  readonly bid: number
  readonly ask: number
  readonly time: Instant
}

/** A trade as a feed tells it. Prices in USD per share; moments in milliseconds, fractions of them as far as they are told. */
export interface Print {
  /** The underlying, or the stock itself. */
  readonly symbol: Ticker
  /** OCC symbol of the option, with or without spaces; undefined for a trade of the stock. */
  readonly contract: string | undefined
  /** When it traded, by the exchange or the consolidated tape, else when it was received. */
  readonly time: Instant
  readonly price: number
  /** Contracts or shares. */
  readonly size: number
  /** The exchange by the number that the feed gives it, 1 to 255; 0: not told. */
  readonly exchange: number
  /** The feed's number of the print, unique with the exchange within a session; undefined where it has none. */
  readonly sequence: number | undefined
  /** The session it belongs to, where the feed says so. */
  readonly session?: IsoDate | undefined
  /** Flags of `market/print.ts` that the conditions of the print mean. */
  readonly flags: number
  /** The best bid and offer that stood before it; undefined: not told, the newest quote of the contract is taken. */
  readonly quote: QuoteAtPrint | undefined
  /** Middle of the underlying at the print; undefined: not told. */
  readonly spot: number | undefined
}

/**
 * A message that takes a print back; with `corrected` it is replaced. The print is named by its exchange and sequence;
 * without a sequence it is the newest of the same contract, size and price that still stands.
 */
export interface Cancel extends Pick<Print, 'symbol' | 'contract' | 'exchange' | 'sequence' | 'price' | 'size'> {
  readonly time: Instant
  readonly corrected?: Print | undefined
}

/** The newest quote of a contract, or of a stock. */
export interface PrintQuote extends QuoteAtPrint {
  readonly symbol: Ticker
  readonly contract: string | undefined
}

/** What a feed tells, in its order. */
export type TapeMessage = { readonly print: Print } | { readonly cancel: Cancel } | { readonly quote: PrintQuote }

/** Takes what a feed tells. */
export interface PrintSink {
  messages(batch: readonly TapeMessage[]): void
  /**
   * Everything up to `until` has come but for `missed`, what was printed while the feed was not connected: it is read
   * from the past of the feed where it has one.
   */
  state(state: { readonly until: Instant; readonly missed?: readonly [Instant, Instant] | undefined }): void
  /** A message could not be used, why in few words. `symbol` where it was of one; otherwise the feed's own. */
  refused(reason: string, symbol?: Ticker): void
  /** The feed was cut off, why in a sentence. It goes on by itself. */
  interrupted(reason: string): void
}

/** A feed of prints. It normalises and orders, it does not classify. */
export interface PrintFeed {
  /** Seconds behind the market. */
  readonly delay: number
  /** Whether it also tells trades of the stocks themselves. */
  readonly stocks: boolean
  /**
   * Stays connected and feeds the sink until `signal` fires; then it resolves. `wanted` names underlyings in order of
   * importance and may be read again at any time. `now` is the market's clock, for a source that has no stream of its own
   * to follow: nothing later than it is told, so that a market which stands still prints nothing more. Rejects with a
   * SourceError once a fault is final; others it outlives by itself, and tells what was missed.
   */
  run(wanted: () => readonly Ticker[], sink: PrintSink, signal: AbortSignal, now: () => Instant): Promise<void>
  /** What was printed of a symbol in a past stretch, [from, to), ascending. Undefined: it has no past. */
  past?(symbol: Ticker, from: Instant, to: Instant, signal: AbortSignal): AsyncIterable<readonly TapeMessage[]>
}
