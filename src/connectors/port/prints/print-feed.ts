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
  /**
   * Time of the trade as stated by the exchange or the consolidated tape; if neither states it, the time of arrival.
   */
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
  /** Best bid and offer just before the print. If undefined, the contract's newest quote message counts. */
  readonly quote: QuoteAtPrint | undefined
  /** Middle of the underlying's quote at the print; undefined if not stated. */
  readonly spot: number | undefined
}

/**
 * Cancels a print, or replaces it if `corrected` is set. The print is identified by exchange and sequence number.
 * Without a number, the newest valid print with this contract, size and price is meant.
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
   * Reports that everything up to `until` has arrived, except for the period `missed`, in which the connection was
   * lost. The receiver reads that period from the feed's past, if the feed has one.
   */
  state(state: { readonly until: Instant; readonly missed?: readonly [Instant, Instant] | undefined }): void
  /** Reports an unusable message, with a short reason. `symbol` is undefined if the message belongs to no symbol. */
  refused(reason: string, symbol?: Ticker): void
  interrupted(reason: string): void
}

/** A feed of trades in a common format and in order. It does not classify them. */
export interface PrintFeed {
  /** Delay of the feed behind the market, seconds. */
  readonly delay: number
  /** Whether the feed also has trades of the stocks themselves. */
  readonly stocks: boolean
  /**
   * Stays connected and feeds the sink until `signal` fires, then resolves. `wanted` returns the requested underlyings,
   * most important first, and may be called at any time. `now` is the market clock; a source without a stream sends no
   * print later than this. Rejects with a `SourceError` if reconnecting would not help. After any other fault the feed
   * recovers by itself and reports what it missed.
   */
  run(wanted: () => readonly Ticker[], sink: PrintSink, signal: AbortSignal, now: () => Instant): Promise<void>
  /** Past prints of a symbol in [from, to), ascending. Undefined if the feed has no past. */
  past?(symbol: Ticker, from: Instant, to: Instant, signal: AbortSignal): AsyncIterable<readonly TapeMessage[]>
}
