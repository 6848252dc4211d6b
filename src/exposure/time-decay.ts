import { sumOf } from './by-strike.ts'
import { thetaDollars } from './contract-exposure.ts'
import { hasGreeks } from './liquidity/data-quality.ts'
import type { Scope } from './scope.ts'

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
