import { SourceError } from '../../connectors/port/source-error.ts'
import type { Agreement } from '../../market/examination.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { backOff } from '../../pacing/back-off.ts'
import type { HeldChain } from '../../pricing/held-chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Cell } from '../cell.ts'

/** What the live market holds of one symbol: its last good chain, and how it is wanted. Times are wall-clock milliseconds. */
export interface LiveSymbol {
  readonly symbol: Ticker
  readonly cell: Cell<PricedChain | undefined>
  readonly held: HeldChain
  /** When the source was asked for the chain that is held. */
  observedAt: Instant
  /** The market moment it was asked for: a demonstration clock may show an earlier moment by now. */
  askedFor: Instant
  /** The session of what the chain that is held was priced without: rates or dividends that were still being read. */
  pricedEarly: IsoDate | undefined
  /** When the load that is under way, or the last one, began. */
  loadingSince: Instant
  /** Whether the source failed for it, or was not believed, when it was asked last. */
  isFailing: boolean
  /** What the last polls said alike and is not believed yet. */
  agreed: Agreement | undefined
  /** The freshness each plan asked for, and when it last did. */
  readonly wanted: Map<number, Instant>
}

/** A plan's demand counts for this long after it was last made, at least. */
const DEMAND_LASTS = 60_000

/** The strictest freshness that was asked for lately, milliseconds. Undefined when none was. */
export function strictestDemand({ wanted }: LiveSymbol, now: Instant): number | undefined {
  let strictest: number | undefined
  for (const [freshness, at] of wanted) {
    if (now - at > Math.max(DEMAND_LASTS, 2 * freshness)) wanted.delete(freshness)
    else if (strictest === undefined || freshness < strictest) strictest = freshness
  }
  return strictest
}

/** Between two attempts to load a symbol from a source that fails, milliseconds. */
const pauses = { first: 1000, longest: 120_000 }

/**
 * How long to leave a source alone after so many failures in a row: doubling, at least what the source asked for. One that
 * was not believed, or did not answer in time, is asked again at its own pace: it is there, and may be well by then.
 */
export function pauseAfter(failures: number, error: Error, pace: number): number {
  if (!(error instanceof SourceError)) return backOff(failures, pauses)
  const { fault, refused, retryAfter = 0 } = error
  const isThere = refused !== undefined || fault === 'timeout'
  return Math.max(isThere ? Math.min(pace, pauses.longest) : backOff(failures, pauses), retryAfter)
}
