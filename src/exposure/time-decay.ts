import { hoursToExpiryClose } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { sumOf } from './by-strike.ts'
import { thetaDollars } from './contract-exposure.ts'
import { type DecaySpan, decaySpan } from './decay-ahead.ts'
import { netExposures } from './net.ts'
import { hasExpired, type Scope } from './scope.ts'

/**
 * Gain of the open interest of a scope as time passes, USD: over a calendar day, and until their expiry for contracts
 * that expire today (`decay-ahead.ts`). For today's contracts alone it is minus the time value that they still hold.
 * Normally negative. Undefined if the open interest is unknown, or if no open contract has a volatility.
 */
export function netTheta(scope: Scope): number | undefined {
  return isDecayKnown(scope) ? sumOf(Array.from(scope.slots), (i) => thetaDollars(scope, i)) : undefined
}

/** Whether some open contract has a volatility. If nothing is open, any contract whose open interest is known counts. */
export function isDecayKnown({ chain, slots, book }: Scope): boolean {
  const counted = Array.from(slots).filter((i) => book.openInterest[i] >= 0)
  const open = counted.filter((i) => book.openInterest[i] > 0)
  return (open.length > 0 ? open : counted).some((i) => !Number.isNaN(chain.sigma[i]))
}

/** Net charm of a scope for a sentence. */
export interface NetCharm {
  /** USD of delta that dealers gain over the span. Undefined where the decay of the scope is unknown. */
  readonly net: number | undefined
  readonly span: DecaySpan
}

export function netCharm(scope: Scope): NetCharm {
  return { net: isDecayKnown(scope) ? netExposures(scope).chex : undefined, span: decaySpan(scope) }
}

/** Hours of trading until today's contracts expire. 0 once the contracts of the scope have expired. */
export function hoursToClose(today: Scope): number {
  const { asOf } = today.chain
  return hasExpired(today) ? 0 : hoursToExpiryClose(asOf, easternDate(asOf))
}

/** The clock of pricing never shows less than a minute of the session, and neither does the divisor of a rate. */
const MIN_HOURS = 1 / 60

/**
 * Average of a figure of decay over the trading hours that are left. Undefined without the figure or without time left.
 */
export function perHourLeft(figure: number | undefined, hoursLeft: number): number | undefined {
  return figure === undefined || hoursLeft === 0 ? undefined : figure / Math.max(hoursLeft, MIN_HOURS)
}
