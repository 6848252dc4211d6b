import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { KeptChain } from '../pricing/root-parts.ts'

/** What the live market holds of one symbol: its last good chain, and what to do about it. Times are wall-clock milliseconds. */
export interface HeldSymbol extends KeptChain {
  readonly symbol: Ticker
  /** When the source was asked for it. */
  observedAt: Instant
  /** The market moment it was asked for: a demonstration clock may stand earlier by now. */
  askedFor: Instant
  /** The one request under way, however many wait for it. */
  loading: Promise<PricedChain | undefined> | undefined
  /** Faults in a row, and when the source may be asked again. */
  faults: number
  retryAt: Instant
  askedAt: Instant
  /** The freshness each plan asked for, and when it last did. */
  readonly wanted: Map<number, Instant>
}

export function newSymbol(symbol: Ticker, now: Instant): HeldSymbol {
  return {
    symbol,
    chain: undefined,
    observedAt: Number.NEGATIVE_INFINITY,
    askedFor: Number.NEGATIVE_INFINITY,
    parts: new Map(),
    loading: undefined,
    faults: 0,
    retryAt: Number.NEGATIVE_INFINITY,
    askedAt: now,
    wanted: new Map()
  }
}

/** A plan's demand counts for this long after it was last made, at least. */
const DEMAND_LASTS = 60_000

/** The strictest freshness somebody asked for lately, milliseconds. Undefined when nobody did. */
export function strictestDemand(held: HeldSymbol, now: Instant): number | undefined {
  let strictest: number | undefined
  for (const [freshness, at] of held.wanted) {
    if (now - at > Math.max(DEMAND_LASTS, 2 * freshness)) held.wanted.delete(freshness)
    else if (strictest === undefined || freshness < strictest) strictest = freshness
  }
  return strictest
}

const MIN_PAUSE = 1000
const MAX_PAUSE = 120_000

/** How long to leave a source alone after `faults` failures in a row: doubling, at least what the source asked for. */
export function pauseAfter(faults: number, retryAfter: number | undefined): number {
  return Math.max(Math.min(MAX_PAUSE, MIN_PAUSE * 2 ** (faults - 1)), retryAfter ?? 0)
}
