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

/**
 * A day's theta divided by the hours that are left of the trading session. Undefined without theta or without time
 * left.
 */
export function thetaPerHour(theta: number | undefined, hoursLeft: number): number | undefined {
  return theta === undefined || hoursLeft === 0 ? undefined : theta / hoursLeft
}

/** Calendar days in a year, and (`SESSION_HOURS`) trading hours in a year of 252 sessions. */
const CALENDAR_DAYS = 365
const SESSION_HOURS = 252 * 6.5

/**
 * Net charm per hour of the trading session on the last day, USD of delta. It is computed from net charm per calendar
 * day (`netChex`), with 252 trading sessions of 6.5 hours in a year. Source: the published API contract.
 */
export function charmPerSessionHour(netChex: number): number {
  return (netChex * CALENDAR_DAYS) / SESSION_HOURS
}
