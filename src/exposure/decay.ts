import type { PricedChain } from '../pricing/price-chain.ts'
import { atTheMoney } from './at-the-money.ts'
import { sumOf } from './by-strike.ts'
import { thetaDollars } from './contract.ts'
import { hasGreeks } from './data-quality.ts'
import { expiringScope, liveScope, type Scope } from './scope.ts'

/** Theta of a scope's book, USD per calendar day passing. Undefined when no contract has greeks. */
export function netTheta(scope: Scope): number | undefined {
  const { slots } = scope
  if (!hasGreeks(scope)) return undefined
  return sumOf(Array.from(slots), (i) => thetaDollars(scope, i))
}

/** What is left of a day's theta in each hour of session that remains. Undefined without theta or without an hour. */
export function thetaPerHour(theta: number | undefined, hoursLeft: number): number | undefined {
  return theta === undefined || hoursLeft === 0 ? undefined : theta / hoursLeft
}

/** Days of a year on the two clocks, and the hours of a session. */
const CALENDAR_DAYS = 365
const SESSION_HOURS = 252 * 6.5

/**
 * The drift of delta for each hour of session on the clock of the last day, USD, from net charm per calendar day: the day
 * counts as one of 252 there. Source: the wire contract.
 */
export function charmPerSessionHour(netChex: number): number {
  return (netChex * CALENDAR_DAYS) / SESSION_HOURS
}

/** The live expiration whose days to expiry are nearest to seven, within 4 to 14; of equally near ones the later. */
export function sevenDayScope(chain: PricedChain): Scope | undefined {
  const near = liveScope(chain)
    .expirations.map((at) => ({ date: chain.expirations[at].date, days: chain.carries[at].days }))
    .filter(({ days }) => days >= 4 && days <= 14)
    .sort((a, b) => Math.abs(a.days - 7) - Math.abs(b.days - 7) || b.days - a.days)
  return near.length === 0 ? undefined : expiringScope(chain, near[0].date)
}

/** At-the-money gamma of a scope over that of the seven-day expiration: how much faster hedges turn today. */
export function gammaAcceleration(scope: Scope): number | undefined {
  const seven = sevenDayScope(scope.chain)
  const here = atTheMoney(scope)?.gamma
  const there = seven && atTheMoney(seven)?.gamma
  return here === undefined || there === undefined || there === 0 ? undefined : here / there
}
