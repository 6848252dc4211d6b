import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'

/** The quote just before a print, USD per share. */
export interface QuoteAtPrint {
  readonly bid: number
  readonly ask: number
  readonly time: Instant
}

/**
 * A trade as a feed reports it. Prices in USD per share; times in milliseconds, with fractions if the feed has them.
 */
export interface Print {
  /** The underlying, or the stock itself. */
  readonly symbol: Ticker
  /** OCC symbol of the option, with or without spaces; undefined for a trade of the stock. */
  readonly contract: string | undefined
  /** Time of the trade by the exchange or the consolidated tape, else the time of arrival. */
  readonly time: Instant
  readonly price: number
  /** Contracts or shares. */
  readonly size: number
  /** The feed's number of the exchange, 1 to 255; 0 if not stated. */
  readonly exchange: number
  /** The feed's sequence number, unique per exchange and session; undefined if it has none. */
  readonly sequence: number | undefined
  /** The session it belongs to, if the feed says so. */
  readonly session?: IsoDate | undefined
  /** Flags of `market/print.ts` that its sale conditions mean. */
  readonly flags: number
  /** Best bid and offer before the print; undefined if not stated: the newest quote of the contract is then used. */
  readonly quote: QuoteAtPrint | undefined
  /** Middle of the underlying's quote at the print; undefined if not stated. */
  readonly spot: number | undefined
}

/**
 * Cancels a print; with `corrected`, replaces it. The print is identified by exchange and sequence number. Without a
 * number it is the newest valid print of the same contract, size and price.
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
  /**
   * Reports a message that could not be used, with a short reason. `symbol` is undefined if the message belongs to no
   * symbol.
   */
  refused(reason: string, symbol?: Ticker): void
  /** Reports that the feed was disconnected, with the reason as a sentence. It reconnects by itself. */
  interrupted(reason: string): void
}

/** A feed of prints. It normalises and orders; it does not classify. */
export interface PrintFeed {
  /** Seconds behind the market. */
  readonly delay: number
  /** Whether it also reports trades of the stocks themselves. */
  readonly stocks: boolean
  /**
   * Stays connected and feeds the sink until `signal` fires, then resolves. `wanted` returns underlyings in order of
   * importance and may be called at any time. `now` is the market's clock for a source without a stream of its own: it
   * prints nothing later, so a market that stands still prints nothing more. Rejects with a SourceError if a fault is
   * final; it recovers from others by itself and reports what was missed.
   */
  run(wanted: () => readonly Ticker[], sink: PrintSink, signal: AbortSignal, now: () => Instant): Promise<void>
  /** Past prints of a symbol in [from, to), ascending. Undefined if the feed has no past. */
  past?(symbol: Ticker, from: Instant, to: Instant, signal: AbortSignal): AsyncIterable<readonly TapeMessage[]>
}
