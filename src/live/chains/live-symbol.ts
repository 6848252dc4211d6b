import { SourceError } from '../../connectors/port/source-error.ts'
import { DEMAND_LASTS, sourcePauses } from '../../facts/freshness.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { backOff } from '../../pacing/back-off.ts'
import type { HeldChain } from '../../pricing/held-chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Cell } from '../cell.ts'
import type { PricedWith } from './pricing-knowledge.ts'

/**
 * State of one symbol in the live market: its last good chain, and the demand for it. Times are wall-clock milliseconds
 * unless stated otherwise.
 */
export interface LiveSymbol {
  readonly symbol: Ticker
  readonly cell: Cell<PricedChain | undefined>
  readonly held: HeldChain
  /** When the current chain was requested from the source. */
  observedAt: Instant
  /** Market time for which the chain was requested; a demonstration clock may have been set back since. */
  askedFor: Instant
  /** What the current chain was priced with; undefined before the first one of the source. */
  pricedWith: PricedWith | undefined
  loadingSince: Instant
  /** Moment of the recorded chain that was served before the source gave one; undefined if none was. */
  restoredAt: Instant | undefined
  /** Whether the current chain is that recorded one. */
  isRestored: boolean
  /** Whether the last request to the source failed or its chain was held back. */
  isFailing: boolean
  /** Last request time by requested freshness (milliseconds); each plan has its own freshness. */
  readonly wanted: Map<number, Instant>
}

/** The strictest freshness that was requested recently, milliseconds; undefined if there was no request. */
export function strictestDemand({ wanted }: LiveSymbol, now: Instant): number | undefined {
  let strictest: number | undefined
  for (const [freshness, at] of wanted) {
    if (Math.abs(now - at) > Math.max(DEMAND_LASTS, 2 * freshness)) wanted.delete(freshness)
    else if (strictest === undefined || freshness < strictest) strictest = freshness
  }
  return strictest
}

/**
 * Milliseconds to leave the source alone after a number of consecutive failures: doubling, at least as long as the
 * source asked for. A source whose chain was held back or late is queried at its normal pace, since it is up and may
 * recover soon.
 */
export function pauseAfter(failures: number, error: Error, pace: number): number {
  if (!(error instanceof SourceError)) return backOff(failures, sourcePauses)
  const { fault, heldBack, retryAfter = 0 } = error
  const isThere = heldBack !== undefined || fault === 'timeout'
  return Math.max(isThere ? Math.min(pace, sourcePauses.longest) : backOff(failures, sourcePauses), retryAfter)
}
