import { previousTradingDay } from '../market/calendar.ts'
import type { Chain } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import type { IsoDate } from '../market/units.ts'
import type { Candidate } from './candidate.ts'
import { type GateVerdict, judge } from './gate.ts'
import { spotAgainstOptions } from './spot.ts'

/** Open interest of the current chain, contracts, from which a close without any is doubted. */
const ENOUGH = 1000
const settledBy = 'the source states another close, or the current chain agrees with this one'
const alone = { reading: undefined, clockIsTrusted: true, doubt: undefined, settledOn: undefined } as const

/**
 * Judges the close of a past session: it is of that session, its quotes can be used, its spot and its options agree, and
 * the chain of the session after can follow it. Contracts that the current chain lists no more prove nothing against the close.
 */
export function judgeClose(close: Chain, session: IsoDate, current: Chain | undefined): GateVerdict {
  const date = easternDate(close.asOf)
  if (date !== session) return { kind: 'refused', reason: 'malformed', message: `it is of ${date}` }
  const own = judge({ ...alone, chain: close, held: undefined, now: close.asOf, waived: undefined })
  if (own.kind === 'refused') return own
  if (own.kind === 'doubted') return doubtOf(own.message)
  if (current === undefined || !isComparable(session, current)) return own
  const spot = spotAgainstOptions({ ...alone, chain: close, held: current, now: close.asOf, waived: undefined })
  if (spot !== undefined) return doubtOf(spot.message)
  const next = judge({
    ...alone,
    chain: current,
    held: close,
    now: current.asOf,
    waived: 'contracts'
  } satisfies Candidate)
  if (next.kind === 'taken' && interestOf(close) === 0 && interestOf(current) >= ENOUGH) {
    return doubtOf(`it has no open interest where the current chain has ${interestOf(current)} contracts`)
  }
  return next.kind === 'doubted' ? doubtOf(`the current chain cannot follow it: ${next.message}`) : own
}

/** Whether the current chain is of the session after: open interest of later ones has moved further. */
function isComparable(session: IsoDate, { asOf }: Chain): boolean {
  const today = easternDate(asOf)
  return today > session && previousTradingDay(today) <= session
}

const interestOf = ({ openInterest }: Chain) => openInterest.reduce((sum, open) => sum + Math.max(0, open), 0)

const doubtOf = (message: string): GateVerdict => ({ kind: 'doubted', reason: 'past_close', message, settledBy })
