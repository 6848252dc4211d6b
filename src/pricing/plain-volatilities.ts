import { CALL } from '../market/chain.ts'
import { exponential } from '../math/exponential.ts'
import type { ForwardTerms } from './implied-volatility.ts'
import { fillLogMoneyness, logMoneyness } from './log-moneyness.ts'
import { BLOCK, type Block, runStages } from './stages.ts'
import { fillMillsDifferences, fillMillsSeries } from './time-value.ts'
import { householderStep, totalVolatility } from './total-volatility.ts'
import { guessTotalVolatilities } from './volatility-guess.ts'

interface Work extends Block {
  readonly forward: number
  readonly discount: number
  readonly perTotal: number
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly price: Float64Array
  readonly out: Float64Array
}

const SQRT_2PI = 2.5066282746310002
/** Scratch of one block: |ln(F/K)|, the value in units of D √(F K), s = σ√t, |ln(F/K)|/s, and value over vega there. */
const distance = new Float64Array(BLOCK)
const value = new Float64Array(BLOCK)
const total = new Float64Array(BLOCK)
const h = new Float64Array(BLOCK)
const ratio = new Float64Array(BLOCK)

const STAGES = [measure, normalise, guess, differences, series, refine, finish]

/**
 * `impliedVolatilities` without WebAssembly.
 *
 * Method: a tabulated guess and one Householder step on the logarithm of the value, checked; what fails the check goes
 * to `totalVolatility`.
 */
export function plainVolatilities(
  terms: ForwardTerms,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  out: Float64Array
): void {
  const { forward, discount, t } = terms
  const perTotal = t > 0 ? 1 / Math.sqrt(t) : Number.NaN
  const work: Work = { forward, discount, perTotal, strike, right, price, out, from: start, count: 0 }
  runStages(work, start, end, STAGES)
}

function measure({ forward, strike, from, count }: Work): void {
  fillLogMoneyness(forward, strike, from, count, distance)
}

/** Distances without sign, and the out-of-the-money values; NaN for a price outside its bounds. */
function normalise({ forward, discount, strike, right, price, from, count }: Work): void {
  for (let q = 0; q < count; q++) {
    const i = from + q
    const k = strike[i]
    const isCall = right[i] === CALL
    const timeValue = price[i] - discount * Math.max(isCall ? forward - k : k - forward, 0)
    const inside = timeValue > 0 && price[i] < discount * (isCall ? forward : k)
    value[q] = inside ? timeValue / (discount * Math.sqrt(forward * k)) : Number.NaN
    distance[q] = Math.abs(distance[q])
  }
}

function guess({ count }: Work): void {
  guessTotalVolatilities(distance, value, total, count)
}

function differences({ count }: Work): void {
  for (let q = 0; q < count; q++) h[q] = distance[q] / total[q]
  fillMillsDifferences(h, total, count, ratio)
}

function series({ count }: Work): void {
  fillMillsSeries(h, total, count, ratio)
}

/** One Householder step on every guess; a step too long to be trusted leaves NaN. */
function refine({ count }: Work): void {
  for (let q = 0; q < count; q++) {
    const s = total[q]
    const target = value[q] * SQRT_2PI * exponential(0.5 * (h[q] * h[q] + 0.25 * s * s))
    const slope = 1 / ratio[q]
    const d = (target - ratio[q]) * slope
    const logarithm = d * (1 - d * (1 / 2 - d * (1 / 3 - d * (1 / 4 - d * (1 / 5 - d * (1 / 6))))))
    const step = householderStep(logarithm * ratio[q], slope, h[q], s)
    const trusted = Math.abs(step) < 5e-5 * s && Math.abs(d) < 0.01
    total[q] = trusted ? s + step : Number.NaN
  }
}

function finish(work: Work): void {
  const { perTotal, out, from, count } = work
  for (let q = 0; q < count; q++) {
    if (!(total[q] > 0) && value[q] >= 0) total[q] = carefulTotalVolatility(work, from + q)
    out[from + q] = total[q] * perTotal
  }
}

/** Contract i where the guess fails: far beyond any listed strike, or near the upper bound. */
function carefulTotalVolatility({ forward, discount, strike, right, price }: Work, i: number): number {
  const k = strike[i]
  const isCall = right[i] === CALL
  const unit = discount * Math.sqrt(forward * k)
  const timeValue = price[i] - discount * Math.max(isCall ? forward - k : k - forward, 0)
  const remainder = discount * (isCall ? forward : k) - price[i]
  // The quotient of a value near the smallest doubles would lose its digits.
  const logValue = timeValue > 1e-290 ? Math.log(timeValue / unit) : Math.log(timeValue) - Math.log(unit)
  return totalVolatility(Math.abs(logMoneyness(forward, k)), logValue, Math.log(remainder / unit))
}
