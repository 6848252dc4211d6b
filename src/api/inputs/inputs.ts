import type { DailyBar } from '../../market/bar.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import type { Macro } from '../../market/macro.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** The caller's account, for the endpoint that shows it. */
export interface AccountView {
  readonly userId: string
  readonly email: string
  readonly plan: string
  readonly dailyLimit: number | undefined
  readonly usedToday: number
  readonly resetsAt: Instant
}

/** What the service knows of symbols rather than of prices. */
export interface Catalogue {
  /** Every ticker known to the source, ascending. */
  readonly tickers: readonly Ticker[]
  /** Symbols asked for since start whose data is still held, ascending, and when the newest of them was observed. */
  readonly asked: readonly Ticker[]
  readonly lastUpdated: Instant | undefined
  /** The symbols kept warm, in curator's order. */
  readonly universe: readonly { readonly symbol: Ticker; readonly tier: 1 | 2; readonly warm: boolean }[]
}

/** Everything an answer can be made from, as known at one moment. An endpoint names what it needs and sees no more. */
export interface Inputs {
  /** The priced chain of the symbol in the path; it lists at least one option. */
  readonly chain: PricedChain
  /**
   * The same chain where an answer does without options too: it may list none, and is undefined where nothing but daily
   * bars is known of the symbol.
   */
  readonly anyChain: PricedChain | undefined
  /** The same chain at the close of the previous trading day, where the source holds it. */
  readonly prior: PricedChain | undefined
  /** The underlying itself, whether options are listed on it or not. */
  readonly quote: ChainHeader
  /** The chains of the symbols that a basket names, without those nobody knows. */
  readonly chains: ReadonlyMap<Ticker, PricedChain>
  /** The level of the VIX index, where the source quotes it. */
  readonly vix: number | undefined
  /** The VIX index itself, where the source quotes it. */
  readonly vixQuote: ChainHeader | undefined
  /** Completed daily bars of the symbol, ascending, as many as the endpoint declares. Empty where the source has none. */
  readonly bars: readonly DailyBar[]
  /** Daily records of the symbol dated before the day the answer describes, ascending. Empty where the source has none. */
  readonly records: readonly DailyRecord[]
  /** The wider market at the same moment. */
  readonly macro: Macro
  /** Completed daily bars of each symbol of `chains`. */
  readonly histories: ReadonlyMap<Ticker, readonly DailyBar[]>
  readonly catalogue: Catalogue
  readonly account: AccountView
  /** The wall-clock moment of the request, for calculators that date their answer. */
  readonly now: Instant
  /** The current date of the market, New York; the past session where the answer describes one. */
  readonly today: IsoDate
}

export type Input = keyof Inputs

/** Inputs that come from the market or stand with its date; the others are cheap facts of the service itself. */
export const marketInputs: ReadonlySet<Input> = new Set([
  'chain',
  'anyChain',
  'prior',
  'quote',
  'chains',
  'vix',
  'vixQuote',
  'bars',
  'records',
  'macro',
  'histories',
  'today'
])
