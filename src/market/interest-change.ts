import { isTradingDay, previousTradingDay, session, tradingDays } from './calendar.ts'
import type { Chain } from './chain.ts'
import { easternDate } from './eastern.ts'
import { eachShared } from './shared-contracts.ts'
import type { Instant, IsoDate } from './units.ts'

// Open interest is settled once a day, before the open. Over five sessions of SPY and SPX (July and August 2026) an
// update changed 41 to 69 % of the contracts with open interest and moved 3 to 15 % of it; at most 3.5 % of it was more
// than the volume of the day explains, and no more than 0.03 % lay in contracts that fell to zero. Two payloads of one
// session state the same open interest for every contract.

/** Largest share of open interest that one settlement may move beyond the volume of the session before. */
const MAX_UNEXPLAINED = 0.15
/** Largest share that an update may move that comes while the session of its day runs. */
const MAX_MOVED_IN_SESSION = 0.25
/** Largest share that it may move where the volume is not known to the end of the session before. */
const MAX_MOVED = 0.4
/** Further share that each session without a chain of ours may move, up to `MAX_MOVED_EVER`. */
const MOVED_PER_SESSION = 0.1
const MAX_MOVED_EVER = 0.6

/** The trading day on or before the New York date of a moment: its settlement is what a chain can state by then. */
export function interestDate(asOf: Instant): IsoDate {
  const date = easternDate(asOf)
  return isTradingDay(date) ? date : previousTradingDay(date)
}

/** Change of the open interest of the live contracts that two chains share. */
export interface InterestChange {
  /** Totals, in contracts. */
  readonly before: number
  readonly after: number
  /** Number of shared contracts with open interest in either chain. */
  readonly contracts: number
  readonly changed: number
  /** Contracts with open interest that have become unknown. */
  readonly unknown: number
  /** Sum of the changes, and of what of them exceeds the volume of the held chain. */
  readonly moved: number
  readonly unexplained: number
  /** Open interest of the contracts that fell to zero by more than their volume. */
  readonly zeroed: number
}

export function interestChange(held: Chain, chain: Chain): InterestChange {
  const change = { before: 0, after: 0, contracts: 0, changed: 0, unknown: 0, moved: 0, unexplained: 0, zeroed: 0 }
  eachShared(held, chain, (i, k) => {
    const [before, after] = [held.openInterest[i], chain.openInterest[k]]
    if (before > 0 || after > 0) change.contracts++
    if (before < 0) return
    change.before += before
    if (after < 0) {
      if (before > 0) change.unknown++
      return
    }
    change.after += after
    if (after === before) return
    const moved = Math.abs(after - before)
    change.changed++
    change.moved += moved
    const unexplained = Math.max(0, moved - Math.max(0, held.volume[i]))
    change.unexplained += unexplained
    if (after === 0 && unexplained > 0) change.zeroed += before
  })
  return change
}

/** Contracts by which a settlement moved open interest, and the largest share of the open interest before that is plausible. */
export function settledMovement(
  held: Chain,
  chain: Chain,
  { moved, unexplained }: InterestChange
): { readonly moved: number; readonly most: number } {
  const from = interestDate(held.asOf)
  const sessions = tradingDays(from, interestDate(chain.asOf)).length - 1
  if (sessions === 1 && held.asOf >= session(from)!.close) return { moved: unexplained, most: MAX_UNEXPLAINED }
  if (sessions === 0 && held.asOf >= session(from)!.open) return { moved, most: MAX_MOVED_IN_SESSION }
  if (sessions === 0) return { moved, most: MAX_MOVED_EVER } // before the open, where volumes are those of no session
  const more = MOVED_PER_SESSION * Math.max(0, sessions - 1)
  return { moved, most: Math.min(MAX_MOVED + more, MAX_MOVED_EVER) }
}
