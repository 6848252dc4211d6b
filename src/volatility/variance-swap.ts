import { exponential } from '../math/exponential.ts'
import { normalPdf } from '../math/normal.ts'
import { europeanPrice, valueOverVega } from '../pricing/time-value.ts'
import { type Svi, totalVariance } from './svi/svi.ts'

const STEPS = 500
const INV_SQRT_2PI = 0.3989422804014327

/**
 * Undiscounted value of the out-of-the-money option at k = ln(K / F), in units of the forward: Black's put below the
 * forward and call above it, at total variance w. 0 without variance.
 */
export function outOfTheMoneyValue(k: number, w: number): number {
  const total = Math.sqrt(w)
  if (!(total > 0)) return 0
  return europeanPrice(k > 0, 1, Math.exp(k), Math.abs(k) / total, total, normalPdf(total / 2 - k / total))
}

/**
 * The same in units of the strike, as a replicating portfolio counts it: φ(d2) instead of φ(d1) e^-k, so that a strike
 * costs one exponential.
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
 * Fair variance of a variance swap to expiry, total and not annualised, by replication over a fitted slice:
 *
 *     2 ∫ otm(k) e^(-k) dk  over ±L,   L = min(1.5, max(0.15, 5 √w(0)))
 *
 * Trapezoid of 500 even steps. A flat smile returns its total variance. Source: Demeterfi, Derman, Kamal and Zou (1999),
 * More Than You Ever Wanted to Know About Volatility Swaps; limits and steps are the wire contract's.
 */
export function fairVariance(svi: Svi): number {
  const reach = Math.min(1.5, Math.max(0.15, 5 * Math.sqrt(totalVariance(svi, 0))))
  return replicated((k) => totalVariance(svi, k), reach)
}

/** The same for any smile, total variance over k. */
export function replicated(smile: (k: number) => number, reach: number): number {
  const step = (2 * reach) / STEPS
  let sum = 0
  for (let n = 0; n <= STEPS; n++) {
    const k = (n - STEPS / 2) * step
    const value = valuePerStrike(k, smile(k))
    sum += n === 0 || n === STEPS ? value / 2 : value
  }
  return 2 * step * sum
}

/** An option of a replicating portfolio: its price today per share. */
export interface ReplicatingOption {
  readonly strike: number
  readonly price: number
}

export interface DiscreteSwap {
  readonly forward: number
  readonly discount: number
  readonly t: number
  /** Puts and calls, both including the strike where they meet. */
  readonly puts: readonly ReplicatingOption[]
  readonly calls: readonly ReplicatingOption[]
  /** How far beyond the outermost strikes the payoff is still replicated: one step of the strike list. */
  readonly step: number
}

/**
 * Fair variance per year from a list of strikes: options weighted so that their payoffs trace the logarithmic one in
 * straight pieces from strike to strike. It lies above the value of a dense list, as every chord lies above its curve.
 *
 *     f(K) = (2/T)((K - S*)/S* - ln(K/S*)),   weight(K_i) = |slope of piece i| - |slope of piece i - 1|
 *
 * with S* the strike where puts and calls meet. Undefined without options on both sides of it, or where they do not
 * meet. Source: the same paper.
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
