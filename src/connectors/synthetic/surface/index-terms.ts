import { addDays, daysBetween, session as sessionHours } from '../../../market/calendar.ts'
import type { Settlement } from '../../../market/clock.ts'
import { type Instant, type IsoDate, parseDigits } from '../../../market/units.ts'
import { endsWeek, monthlyExpiration } from '../listing/expiry-cycles.ts'
import { sessions } from '../market-sessions.ts'
import { once, type World } from '../world.ts'

export interface IndexTerm {
  readonly date: IsoDate
  readonly settlement: Settlement
  /** Time of settlement: the opening or the close of the expiration date. */
  readonly settles: Instant
}

/** Two neighboring expirations: the last one within a volatility index's horizon, and the first one beyond it. */
export interface Bracket {
  readonly near: IndexTerm
  readonly next: IndexTerm
}

interface Reach {
  /** Horizon of the volatility index, in calendar days, e.g. 30 for the VIX. */
  readonly days: number
  readonly weekly: boolean
}

/**
 * Horizon of each volatility index, and whether it uses weekly expirations. Those on third Fridays are the AM-settled
 * ones. Source: Cboe, Volatility Index Methodology.
 */
export const reaches: Readonly<Record<string, Reach>> = {
  VIX9D: { days: 9, weekly: true },
  VIX: { days: 30, weekly: true },
  VIX3M: { days: 93, weekly: false },
  VIX6M: { days: 184, weekly: false }
}

export function bracketOf(world: World, symbol: string, n: number): Bracket {
  return once(world, `brackets ${symbol}`, () => brackets(reaches[symbol]))[n]
}

function brackets({ days, weekly }: Reach): readonly Bracket[] {
  const from = addDays(sessions[0], days - 45)
  const to = addDays(sessions[sessions.length - 1], days + 45)
  const terms = (weekly ? weekEnds(from, to) : monthlies(from, to)).map(termOf)
  let at = 0
  return sessions.map((today) => {
    while (daysBetween(today, terms[at + 1].date) <= days) at++
    return { near: terms[at], next: terms[at + 1] }
  })
}

function weekEnds(from: IsoDate, to: IsoDate): readonly IsoDate[] {
  const count = daysBetween(from, to)
  return Array.from({ length: count }, (_, ahead) => addDays(from, ahead)).filter(
    (date) => sessionHours(date) !== undefined && endsWeek(date)
  )
}

function monthlies(from: IsoDate, to: IsoDate): readonly IsoDate[] {
  const dates: IsoDate[] = []
  for (let month = monthNumber(from); month <= monthNumber(to); month++) {
    dates.push(monthlyExpiration(Math.floor(month / 12), (month % 12) + 1))
  }
  return dates
}

function monthNumber(date: IsoDate): number {
  return 12 * parseDigits(date, 0, 4)! + parseDigits(date, 5, 7)! - 1
}

function termOf(date: IsoDate): IndexTerm {
  const hours = sessionHours(date)!
  const settlement = date === monthlyExpiration(parseDigits(date, 0, 4)!, parseDigits(date, 5, 7)!) ? 'am' : 'pm'
  return { date, settlement, settles: settlement === 'am' ? hours.open : hours.close }
}
