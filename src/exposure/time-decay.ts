import { sumOf } from './by-strike.ts'
import { thetaDollars } from './contract-exposure.ts'
import { hasGreeks } from './liquidity/data-quality.ts'
import type { Scope } from './scope.ts'

/** Theta of the open interest of a scope, USD per calendar day. Undefined if no contract has greeks. */
export function netTheta(scope: Scope): number | undefined {
  const { slots } = scope
  if (!hasGreeks(scope)) return undefined
  return sumOf(Array.from(slots), (i) => thetaDollars(scope, i))
}

/** A day's theta divided by the hours left of the session. Undefined without theta or without time left. */
export function thetaPerHour(theta: number | undefined, hoursLeft: number): number | undefined {
  return theta === undefined || hoursLeft === 0 ? undefined : theta / hoursLeft
}

/** Days of a calendar year, and trading hours of a year of 252 sessions. */
const CALENDAR_DAYS = 365
const SESSION_HOURS = 252 * 6.5

/**
 * Net charm per session hour on the last day, USD of delta, from net charm per calendar day: one session is 1/252 of a
 * year. Source: the wire contract.
 */
export function charmPerSessionHour(netChex: number): number {
  return (netChex * CALENDAR_DAYS) / SESSION_HOURS
}
