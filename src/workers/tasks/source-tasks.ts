import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import type { ChainCheck } from '../../connectors/port/connector.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import type { Chain } from '../../market/chain.ts'
import type { EarningsSpan, EarningsStatement } from '../../market/earnings.ts'
import { type Examined, examine } from '../../market/examination.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { impliedRates } from '../../pricing/rates/implied-rates.ts'
import { type PricingContext, priced, type Task, type TaskContext, withTimeout } from './task.ts'

/** The requested chain, and the data it is checked against; absent if no such data is loaded. */
export interface LoadChain extends Partial<Pick<Examined, 'agreed' | 'clockIsTrusted'>>, PricingContext {
  readonly symbol: Ticker
  readonly now: Instant
  readonly held?: PricedChain | undefined
}

/**
 * Requests the chain of a symbol from the source at `now`, checks it and prices it; undefined if the source does not
 * know the symbol. A rejected chain is thrown as a `SourceError` with its payload compressed by gzip.
 */
export const loadChain: Task<LoadChain, PricedChain | undefined> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run(asked, context) {
    try {
      const { timeLimit } = context.connector
      const chain = await withTimeout((signal) => examinedChain(asked, context, signal), timeLimit)
      return chain && (await priced(chain, context, asked))
    } catch (error) {
      throw await withPackedPayload(error)
    }
  },
  pack: ({ held, ...asked }, refOf) => ({ ...asked, held: held && (refOf(held) as PricedChain) }),
  unpack: ({ held, ...asked }, chainOf) => ({ ...asked, held: held && chainOf(held) })
}

/** Checks a chain, unless the connector has done so: connectors that store what they receive check the chain before. */
async function examinedChain(
  { symbol, now, held, agreed, clockIsTrusted = true }: LoadChain,
  { connector }: TaskContext,
  signal: AbortSignal
): Promise<Chain | undefined> {
  let examined: Chain | undefined
  const check = (chain: Chain, received?: Parameters<ChainCheck>[1]) => {
    const refusal = examine({ chain, held, reading: received?.reading, now, clockIsTrusted, agreed })
    if (refusal === undefined) {
      examined = chain
      return
    }
    const { reason, message, claim } = refusal
    const text = `what the source says of ${symbol} is not believed: ${message}`
    throw new SourceError('malformed', text, undefined, {
      reason,
      claim,
      asOf: chain.asOf,
      payload: received?.payload
    })
  }
  const chain = await connector.chain(symbol, now, signal, check)
  if (chain !== undefined && chain !== examined) check(chain)
  return chain
}

/** Compresses a rejected payload to about a tenth, because it has to cross to another thread. */
async function withPackedPayload(error: unknown): Promise<unknown> {
  if (!(error instanceof SourceError) || error.refused?.payload === undefined) return error
  const { fault, message, retryAfter, refused } = error
  const payload = await promisify(gzip)(error.refused.payload)
  return new SourceError(fault, message, retryAfter, { ...refused!, payload })
}

interface ClosingChain extends PricingContext {
  readonly symbol: Ticker
  readonly session: IsoDate
}

/** Loads and prices the chain at the close of a past session; undefined if the source does not have that day. */
export const loadClosingChain: Task<ClosingChain, PricedChain | undefined> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, session, ...known }, context) {
    const chain = await withTimeout((signal) => context.connector.closingChain(symbol, session, signal))
    return chain && priced(chain, context, known)
  }
}

/** Loads the newest daily bars completed by `now`, ascending, at most `MAX_BARS`; empty if the source has none. */
export const loadBars: Task<{ readonly symbol: Ticker; readonly now: Instant }, readonly DailyBar[]> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, now }, { connector }) {
    const { timeLimit } = connector.suppliers?.bars ?? connector
    const bars = await withTimeout((signal) => connector.dailyBars(symbol, now, signal), timeLimit)
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
    const chain = await withTimeout((signal) => connector.closingChain(symbol, session, signal))
    return chain && impliedRates(chain)
  }
}
