import { SourceError } from '../../connectors/port/source-error.ts'
import type { Agreement } from '../../market/examination.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { backOff } from '../../pacing/back-off.ts'
import type { HeldChain } from '../../pricing/held-chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Cell } from '../cell.ts'

/**
 * State of one symbol in the live market: its last good chain, and the demand for it. Times are wall-clock
 * milliseconds.
 */
export interface LiveSymbol {
  readonly symbol: Ticker
  readonly cell: Cell<PricedChain | undefined>
  readonly held: HeldChain
  /** When the source was asked for the held chain. */
  observedAt: Instant
  /** The market moment it was asked for; a demonstration clock may have been set back since. */
  askedFor: Instant
  /** The session for which the held chain was priced while rates or dividends were still being read. */
  pricedEarly: IsoDate | undefined
  /** When the current or last load began. */
  loadingSince: Instant
  /** Whether the source failed for it, or was refused, at the last request. */
  isFailing: boolean
  /** A surprising change on which the last polls agree, and which is not accepted yet. */
  agreed: Agreement | undefined
  /** The freshness each plan asked for, and when it last did. */
  readonly wanted: Map<number, Instant>
}

/** How long a plan's demand counts after its last request, at least. */
const DEMAND_LASTS = 60_000

/** The strictest freshness that was requested lately, milliseconds. Undefined if none was. */
export function strictestDemand({ wanted }: LiveSymbol, now: Instant): number | undefined {
  let strictest: number | undefined
  for (const [freshness, at] of wanted) {
    if (now - at > Math.max(DEMAND_LASTS, 2 * freshness)) wanted.delete(freshness)
    else if (strictest === undefined || freshness < strictest) strictest = freshness
  }
  return strictest
}

/** Pauses between attempts to load a symbol from a failing source, milliseconds. */
const pauses = { first: 1000, longest: 120_000 }

/**
 * How long to leave a source alone after so many failures in a row: doubling, at least as long as the source asked for.
 * A refused or late source is asked again at its own pace, since it is there and may recover soon.
 */
export function pauseAfter(failures: number, error: Error, pace: number): number {
  if (!(error instanceof SourceError)) return backOff(failures, pauses)
  const { fault, refused, retryAfter = 0 } = error
  const isThere = refused !== undefined || fault === 'timeout'
  return Math.max(isThere ? Math.min(pace, pauses.longest) : backOff(failures, pauses), retryAfter)
}
