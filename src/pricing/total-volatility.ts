import { remainderOverVega, valueOverVega } from './time-value.ts'

const HALF_LOG_2PI = 0.9189385332046727
const CLOSE = 1e-5
const MAX_STEPS = 100

/**
 * One Householder step of third order towards the total volatility s. It applies to the logarithm of a value whose
 * derivative in s is proportional to vega. `newton` is the Newton step. `slope` is the derivative of the logarithm in
 * s: vega/value, or -vega/remainder. The error of s after the step is proportional to the fourth power of the error
 * before it.
 */
export function householderStep(newton: number, slope: number, h: number, s: number): number {
  const inverse = 1 / s
  const h2 = h * h
  const vegaSlope = h2 * inverse - 0.25 * s
  const second = vegaSlope - slope
  const third = vegaSlope * vegaSlope - 3 * h2 * inverse * inverse - 0.25 + slope * (2 * slope - 3 * vegaSlope)
  return (newton * (1 + 0.5 * second * newton)) / (1 + newton * (second + third * newton * (1 / 6)))
}

/**
 * Total volatility s = σ√t of an out-of-the-money option, for any price strictly between its bounds. `distance` is
 * |ln(F/K)|. The other inputs are the logarithms, in units of D √(F K), of the option's value and of the remainder to
 * its upper bound.
 * Like Jäckel (2015), it solves for the smaller of value and remainder. For the value it uses the logarithm, or its
 * reciprocal while the solution is far away; for the remainder, the logarithm. A step that leaves the bracket of the
 * solution is replaced. Slower than the table of guesses, but it always finds the solution.
 */
export function totalVolatility(distance: number, logValue: number, logRemainder: number): number {
  const fromValue = logValue < logRemainder
  const target = fromValue ? logValue : logRemainder
  let s = fromValue ? startFromValue(distance, logValue) : startFromRemainder(distance, logRemainder)
  let lo = 0
  let hi = Number.POSITIVE_INFINITY
  for (let count = 0; count < MAX_STEPS; count++) {
    const h = distance / s
    const ratio = fromValue ? valueOverVega(h, s) : remainderOverVega(h, s)
    const logarithm = Math.log(ratio) - HALF_LOG_2PI - 0.5 * (h * h + 0.25 * s * s)
    const slope = (fromValue ? 1 : -1) / ratio
    const newton = (target - logarithm) / slope
    if (newton > 0) lo = s
    else hi = s
    const near = Math.abs(newton) < 0.1 * s
    const step = near ? householderStep(newton, slope, h, s) : fromValue ? newton * (logarithm / target) : newton
    const next = s + step
    if (Math.abs(step) <= CLOSE * s) return next
    s = next > lo && next < hi ? next : between(lo, hi)
  }
  return s
}

/**
 * First guess of total volatility from the price. It is the volatility at which the price has its inflection, or the
 * volatility of an at-the-money option with this price if that is higher.
 */
function startFromValue(distance: number, logValue: number): number {
  return Math.max(Math.sqrt(2 * distance), Math.sqrt(2 * Math.PI) * Math.exp(logValue))
}

/**
 * First guess of total volatility from the gap between the price and its upper bound. The gap falls roughly like
 * exp(-s²/8 - distance/2).
 */
function startFromRemainder(distance: number, logRemainder: number): number {
  return Math.sqrt(2 * distance - 8 * (logRemainder + 0.5 * distance))
}

function between(lo: number, hi: number): number {
  if (hi === Number.POSITIVE_INFINITY) return 2 * lo
  return lo === 0 ? hi / 4 : Math.sqrt(lo * hi)
}
