import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import type { EarningsSpan, EarningsStatement } from '../../market/earnings.ts'
import type { MinutePrices } from '../../market/minute-prices.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { impliedRates } from '../../pricing/rates/implied-rates.ts'
import { type AskedChain, judgedChain, noteJudged } from './judged-chain.ts'
import { judgedClose } from './judged-close.ts'
import { type PricingContext, priced, type Task, withTimeout } from './task.ts'

interface LoadChain extends AskedChain, PricingContext {}

/**
 * Requests the chain of a symbol from the source at `now`, checks that it is plausible, and prices it. Undefined if the
 * source does not know the symbol. If the chain is not accepted, throws a `SourceError` that carries the source's
 * payload, compressed by gzip.
 */
export const loadChain: Task<LoadChain, PricedChain | undefined> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run(asked, context) {
    const { connector } = context
    try {
      const judged = await withTimeout((signal) => judgedChain(asked, connector, signal), connector.timeLimit)
      if (judged === undefined) return undefined
      const chain = await priced(judged.chain, context, asked)
      noteJudged(chain, judged)
      return chain
    } catch (error) {
      throw await withPackedPayload(error)
    }
  },
  pack: ({ held, ...asked }, refOf) => ({ ...asked, held: held && (refOf(held) as PricedChain) }),
  unpack: ({ held, ...asked }, chainOf) => ({ ...asked, held: held && chainOf(held) })
}

/**
 * If an error carries the payload of a chain that was not accepted, compresses the payload to about a tenth, because
 * the error has to cross to another thread.
 */
async function withPackedPayload(error: unknown): Promise<unknown> {
  if (!(error instanceof SourceError) || error.heldBack?.payload === undefined) return error
  const { fault, message, retryAfter, heldBack } = error
  const payload = await promisify(gzip)(heldBack!.payload!)
  return new SourceError(fault, message, retryAfter, { ...heldBack!, payload })
}

interface ClosingChain extends PricingContext {
  readonly symbol: Ticker
  readonly session: IsoDate
  /** The current chain of the symbol, by which the close is judged. */
  readonly current?: PricedChain | undefined
  /** Whether the operator has accepted what the source states. */
  readonly isAccepted?: boolean | undefined
}

/**
 * Loads, judges and prices the chain at the close of a past session; undefined if the source does not have that day.
 * Throws a `SourceError` if the chain is not accepted.
 */
export const loadClosingChain: Task<ClosingChain, PricedChain | undefined> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, session, current, isAccepted, ...known }, context) {
    const chain = await judgedClose({ symbol, session, current, isAccepted }, context.connector)
    return chain && priced(chain, context, known)
  },
  pack: ({ current, ...asked }, refOf) => ({ ...asked, current: current && (refOf(current) as PricedChain) }),
  unpack: ({ current, ...asked }, chainOf) => ({ ...asked, current: current && chainOf(current) })
}

interface SessionMinutes {
  readonly symbol: Ticker
  readonly session: IsoDate
  /** Number of minutes, counted from the open. */
  readonly minutes: number
}

/** Prices of the first minutes of a session, of a source that makes its prices up; undefined of every other source. */
export const makeMinutePrices: Task<SessionMinutes, MinutePrices | undefined> = {
  urgency: 'first',
  symbol: ({ symbol }) => symbol,
  run: ({ symbol, session, minutes }, { connector }) => connector.minutePrices?.(symbol, session, minutes)
}

/** Loads the newest daily bars completed by `now`, ascending, at most `MAX_BARS`; empty if the source has none. */
export const loadBars: Task<{ readonly symbol: Ticker; readonly now: Instant }, readonly DailyBar[]> = {
  urgency: 'first',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, now }, { connector }) {
    const { timeLimit } = connector.suppliers?.bars ?? connector
    const bars = await withTimeout((signal) => connector.dailyBars(symbol, now, signal, MAX_BARS), timeLimit)
    return bars.slice(-MAX_BARS)
  }
}

interface EarningsAsked extends EarningsSpan {
  readonly now: Instant
}

/**
 * Loads what the source states by `now` about companies' earnings reports; undefined if the source has no earnings
 * calendar.
 */
export const loadEarnings: Task<EarningsAsked, readonly EarningsStatement[] | undefined> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, from, now }, { connector }) {
    if (connector.earnings === undefined) return undefined
    return withTimeout((signal) => connector.earnings!({ symbol, from }, now, signal))
  }
}

interface IndexClose {
  readonly symbol: Ticker
  readonly session: IsoDate
  /** The recorded close; if absent, the source is queried, provided it has history. */
  readonly snapshot?: StoredSnapshot | undefined
}

/**
 * Computes the rate curve implied by the options on an index at the close of a session; undefined if there is no close,
 * or it implies no rates.
 */
export const readImpliedRates: Task<IndexClose, RateCurve | undefined> = {
  symbol: ({ symbol }) => symbol,
  async run({ symbol, session, snapshot }, { connector }) {
    if (snapshot !== undefined) return impliedRates(decodeSnapshot(snapshot))
    if (!connector.holdsPast) return undefined
    const chain = await judgedClose({ symbol, session }, connector)
    return chain && impliedRates(chain)
  }
}
