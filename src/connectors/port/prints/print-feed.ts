import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'

/** The quote just before a print, USD per share. */
export interface QuoteAtPrint {
  readonly bid: number
  readonly ask: number
  readonly time: Instant
}

/** A trade from a print feed. Prices in USD per share; times in milliseconds, with fractions if the feed has them. */
export interface Print {
  readonly symbol: Ticker
  /** OCC symbol of the option, with or without spaces; undefined for a trade of the stock. */
  readonly contract: string | undefined
  /** Time of the trade by the exchange or the consolidated tape, else the time of arrival. */
  readonly time: Instant
  readonly price: number
  /** Contracts or shares. */
  readonly size: number
  /** The feed's number for the exchange, 1 to 255; 0 if not stated. */
  readonly exchange: number
  /** The feed's sequence number, unique per exchange and session; undefined if the feed has none. */
  readonly sequence: number | undefined
  /** The session the trade belongs to, if the feed states it. */
  readonly session?: IsoDate | undefined
  /** Flags from `market/print.ts` for the trade's sale conditions. */
  readonly flags: number
  /** Best bid and offer before the print; if undefined, the newest quote of the contract is used. */
  readonly quote: QuoteAtPrint | undefined
  /** Middle of the underlying's quote at the print; undefined if not stated. */
  readonly spot: number | undefined
}

/**
 * Cancels a print; with `corrected`, replaces it. The print is identified by exchange and sequence number. Without a
 * number it is the newest valid print with this contract, size and price.
 */
export interface Cancel extends Pick<Print, 'symbol' | 'contract' | 'exchange' | 'sequence' | 'price' | 'size'> {
  readonly time: Instant
  readonly corrected?: Print | undefined
}

/** The newest quote of a contract or a stock. */
export interface PrintQuote extends QuoteAtPrint {
  readonly symbol: Ticker
  readonly contract: string | undefined
}

export type TapeMessage = { readonly print: Print } | { readonly cancel: Cancel } | { readonly quote: PrintQuote }

export interface PrintSink {
  messages(batch: readonly TapeMessage[]): void
  /**
   * Reports that everything up to `until` has arrived except `missed`, a period without connection, which is read from
   * the feed's past if it has one.
   */
  state(state: { readonly until: Instant; readonly missed?: readonly [Instant, Instant] | undefined }): void
  /** Reports an unusable message, with a short reason. `symbol` is undefined if the message belongs to no symbol. */
  refused(reason: string, symbol?: Ticker): void
  interrupted(reason: string): void
}

/** A feed of trades. It normalizes and orders them; it does not classify them. */
export interface PrintFeed {
  /** Delay of the feed behind the market, seconds. */
  readonly delay: number
  /** Whether the feed also has trades of the stocks themselves. */
  readonly stocks: boolean
  /**
   * Stays connected and feeds the sink until `signal` fires, then resolves. `wanted` returns the requested underlyings,
   * most important first, and may be called at any time. `now` is the market clock for a source without a stream of its
   * own: nothing later is printed, so a market that stands still prints nothing more. Rejects with a SourceError if a
   * fault is final; otherwise the feed recovers by itself and reports what it missed.
   */
  run(wanted: () => readonly Ticker[], sink: PrintSink, signal: AbortSignal, now: () => Instant): Promise<void>
  /** Past prints of a symbol in [from, to), ascending. Undefined if the feed has no past. */
  past?(symbol: Ticker, from: Instant, to: Instant, signal: AbortSignal): AsyncIterable<readonly TapeMessage[]>
}
