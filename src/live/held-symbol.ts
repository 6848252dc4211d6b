import type { Instant, Ticker } from '../market/units.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** What the live market holds of one symbol. Times are wall-clock milliseconds. */
export interface HeldSymbol {
  readonly symbol: Ticker
  /** The last good chain, replaced whole or not at all. */
  chain: PricedChain | undefined
  /** When the source was asked for it. */
  observedAt: Instant
  /** The market moment it was asked for: a demonstration clock may stand earlier by now. */
  askedFor: Instant
  /** Parts of the chain under weekly roots of their own, by root. */
  readonly parts: Map<Ticker, PricedChain | undefined>
  /** The one request under way, however many wait for it. */
  loading: Promise<PricedChain | undefined> | undefined
  /** Faults in a row, and when the source may be asked again. */
  faults: number
  retryAt: Instant
  askedAt: Instant
  /** The freshness each plan asked for, and when it last did. */
  readonly wanted: Map<number, Instant>
  prior: PriorClose | undefined
}

/** The close of the trading day before the chain's own. */
export interface PriorClose {
  readonly session: string
  chain: PricedChain | undefined
  /** Parts of it, as those of the chain itself. */
  readonly parts: Map<Ticker, PricedChain | undefined>
  loading: Promise<PricedChain | undefined> | undefined
  askedAt: Instant
  retryAt: Instant
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
    wanted: new Map(),
    prior: undefined
  }
}

export function newPrior(session: string, now: Instant): PriorClose {
  return {
    session,
    chain: undefined,
    parts: new Map(),
    loading: undefined,
    askedAt: now,
    retryAt: Number.NEGATIVE_INFINITY
  }
}

/** Every chain that an engine may remember of what is held here. */
export function chainsOf({ chain, parts }: Pick<HeldSymbol, 'chain' | 'parts'>): readonly PricedChain[] {
  return [chain, ...parts.values()].filter((held) => held !== undefined)
}

/** A plan's demand counts for this long after it was last made, at least. */
const memory = 60_000

/** The strictest freshness somebody asked for lately, milliseconds. Undefined when nobody did. */
export function strictestDemand(held: HeldSymbol, now: Instant): number | undefined {
  let strictest: number | undefined
  for (const [freshness, at] of held.wanted) {
    if (now - at > Math.max(memory, 2 * freshness)) held.wanted.delete(freshness)
    else if (strictest === undefined || freshness < strictest) strictest = freshness
  }
  return strictest
}

const firstPause = 1000
const longestPause = 120_000

/** How long to leave a source alone after `faults` failures in a row: doubling, at least what the source asked for. */
export function pauseAfter(faults: number, retryAfter: number | undefined): number {
  return Math.max(Math.min(longestPause, firstPause * 2 ** (faults - 1)), retryAfter ?? 0)
}
