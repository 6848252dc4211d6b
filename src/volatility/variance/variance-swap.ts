import { exponential } from '../../math/exponential.ts'
import { normalPdf } from '../../math/normal.ts'
import { europeanPrice, valueOverVega } from '../../pricing/time-value.ts'
import type { AcceptedSlice } from '../smile/slice.ts'
import { type Svi, totalVariance } from '../svi/svi.ts'

/** Steps of the trapezoidal rule for each 1.00 of u. */
const STEPS = 50
/**
 * Standard deviations on each side of the forward that are always integrated. Closer to the forward, a smile may touch
 * zero, and the integral must not stop there.
 */
const MIN_DEVIATIONS = 5
const NOTHING_LEFT = 1e-11
const FURTHEST = 5
const INV_SQRT_2PI = 0.3989422804014327

/**
 * Value of the out-of-the-money option at k = ln(K / F): a put below the forward, a call above. It follows from Black's
 * formula with total variance w, in units of the forward and not discounted. 0 without variance.
 */
export function outOfTheMoneyValue(k: number, w: number): number {
  const total = Math.sqrt(w)
  if (!(total > 0)) return 0
  return europeanPrice(k > 0, 1, Math.exp(k), Math.abs(k) / total, total, normalPdf(total / 2 - k / total))
}

/**
 * `outOfTheMoneyValue` divided by e^k: the integrand of a variance swap. φ(d2) is used in place of φ(d1) e^-k, which
 * saves an exponential per strike.
 */
function valuePerStrike(k: number, w: number): number {
  const total = Math.sqrt(w)
  if (!(total > 0)) return 0
  const h = Math.abs(k) / total
  if (total - 2 * h > 2) return outOfTheMoneyValue(k, w) * Math.exp(-k)
  const d2 = -k / total - total / 2
  return INV_SQRT_2PI * exponential(-0.5 * d2 * d2) * valueOverVega(h, total)
}

/**
 * Fair variance of a variance swap to expiry, total and not annualized, replicated with options that are priced by a
 * fitted slice:
 *
 *     2 ∫ otm(k) e^(-k) dk
 *
 * over all k that contribute. A flat smile returns its total variance.
 * Source: Demeterfi, Derman, Kamal and Zou (1999), More Than You Ever Wanted to Know About Volatility Swaps; limits and
 * steps are prescribed by the published API contract.
 */
export function fairVariance(svi: Svi): number {
  return replicated((k) => totalVariance(svi, k))
}

/**
 * Computes `fairVariance` for any smile, given as a function from k to total variance. 0 without variance at the
 * forward.
 *
 * Trapezoidal rule over u with k = √w(0) sinh u in steps of 1/50, which is fine at the forward and coarse far away. It
 * stops where the integrand falls below 1e-11 of its largest value, but not within five standard deviations and never
 * beyond |k| = 5. At the forward the integrand has a kink, since put and call differ by 1 - e^(-k) per strike. The
 * error that the kink causes in the trapezoidal rule is known (Euler and Maclaurin) and is subtracted.
 */
export function replicated(smile: (k: number) => number): number {
  const deviation = Math.sqrt(smile(0))
  if (!(deviation > 0)) return 0
  const end = Math.asinh(FURTHEST / deviation)
  const steps = Math.ceil(end * STEPS)
  const step = end / steps
  const centre = valuePerStrike(0, smile(0))
  const wings = wing(smile, deviation, step, steps, centre) + wing(smile, -deviation, step, steps, centre)
  const variance = deviation * deviation
  const kink = variance * (step ** 2 / 12 - ((4 + variance) * step ** 4) / 720)
  return 2 * (step * (deviation * centre + wings) - kink)
}

/**
 * Integral over one side of the forward, with Gregory's correction at its end. `scale` is negative for the side of the
 * puts.
 */
function wing(smile: (k: number) => number, scale: number, step: number, most: number, centre: number): number {
  const growth = Math.exp(step)
  let [largest, sum, term, before, grown] = [centre, 0, 0, 0, 1]
  for (let n = 1; n <= most; n++) {
    grown *= growth
    const k = 0.5 * scale * (grown - 1 / grown)
    const value = valuePerStrike(k, smile(k))
    before = term
    term = 0.5 * Math.abs(scale) * (grown + 1 / grown) * value
    sum += term
    if (value > largest) largest = value
    else if (value < NOTHING_LEFT * largest && Math.abs(k) >= MIN_DEVIATIONS * Math.abs(scale)) break
  }
  return sum - term / 2 - (term - before) / 12
}

/** An option in a replicating portfolio. Its price is the present one, per share. */
export interface ReplicatingOption {
  readonly strike: number
  readonly price: number
}

export interface DiscreteSwap {
  readonly forward: number
  readonly discount: number
  readonly t: number
  /** Puts with strikes up to the one where puts and calls meet, in any order. `calls` contains that strike too. */
  readonly puts: readonly ReplicatingOption[]
  readonly calls: readonly ReplicatingOption[]
  /** The payoff is replicated up to this distance beyond the outermost strikes: one strike step. */
  readonly step: number
}

/**
 * Fair variance per year from a list of strikes. Options are weighted so that their payoffs together follow the
 * logarithmic payoff f in straight pieces between strikes. The result is above that of a dense list of strikes, because
 * straight pieces lie above the curve.
 *
 *     f(K) = (2/T)((K - S*)/S* - ln(K/S*)),   weight(K_i) = |slope of piece i| - |slope of piece i - 1|
 *
 * S* is the strike where puts and calls meet. Undefined if there are no puts, no calls, or they do not meet.
 * Source: Demeterfi, Derman, Kamal and Zou (1999).
 */
export function discreteFairVariance({ forward, discount, t, puts, calls, step }: DiscreteSwap): number | undefined {
  const down = puts.toSorted((a, b) => b.strike - a.strike)
  const up = calls.toSorted((a, b) => a.strike - b.strike)
  const boundary = down[0]?.strike
  if (boundary === undefined || up[0]?.strike !== boundary) return undefined
  const payoff = (strike: number) => (2 / t) * ((strike - boundary) / boundary - Math.log(strike / boundary))
  const cost = (options: readonly ReplicatingOption[], beyond: number) => {
    let before = 0
    let sum = 0
    options.forEach(({ strike, price }, i) => {
      const next = options[i + 1]?.strike ?? strike + beyond
      const slope = Math.abs((payoff(next) - payoff(strike)) / (next - strike))
      sum += (slope - before) * price
      before = slope
    })
    return sum
  }
  const options = cost(down, -step) + cost(up, step)
  return (2 / t) * (Math.log(forward / boundary) - (forward / boundary - 1)) + options / discount
}

export interface FairVolatility {
  /** Total variance to expiry, not annualized: volatility squared times years. */
  readonly fairVariance: number
  /** Annual volatility in percent: √(fairVariance / T). */
  readonly fairVolatility: number
  /** Volatility at the forward, percent. */
  readonly atmVolatility: number
  /** fairVolatility - atmVolatility in vol points. This is what the wings of the smile add. */
  readonly convexity: number
}

/** Fair strike of a variance swap on an accepted smile. Source: the published API contract. */
export function fairVolatilityOf({ t, svi }: AcceptedSlice): FairVolatility {
  const fair = fairVariance(svi)
  const [fairVolatility, atmVolatility] = [fair, totalVariance(svi, 0)].map((w) => 100 * Math.sqrt(w / t))
  return { fairVariance: fair, fairVolatility, atmVolatility, convexity: fairVolatility - atmVolatility }
}
