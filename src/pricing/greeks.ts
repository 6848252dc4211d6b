import { copyAnswers, loadOptions, optionKernels } from './simd/option-kernels.ts'

/** Market terms of one expiration for pricing its options, with the spot as price of the underlying. */
export interface SpotTerms {
  readonly spot: number
  /** Years to expiry. */
  readonly t: number
  /** Interest rate and dividend yield, continuously compounded, annual fractions. */
  readonly rate: number
  readonly dividendYield: number
}

/**
 * Greeks of the contracts of a chain, per share, in the units of a trading desk. Theta and charm are per calendar day
 * that passes (a 365th of a year). Vega and rho are per 0.01 of volatility or rate. Vanna is the change of delta per
 * 1.00 of volatility.
 */
export interface GreekColumns {
  readonly delta: Float64Array
  readonly gamma: Float64Array
  readonly theta: Float64Array
  readonly vega: Float64Array
  readonly rho: Float64Array
  readonly vanna: Float64Array
  readonly charm: Float64Array
}

/**
 * The greeks of `GreekColumns` with the price and the greeks of higher order, filled by `fillAllGreeks`. The fields
 * below are always in mathematical units: per 1.00 of volatility and per year. Color and veta are per year of time to
 * expiry, so their sign is opposite to theta and charm, which are per time that passes.
 */
export interface AllGreekColumns extends GreekColumns {
  /**
   * Price per share, with an absolute error below 1e-15 of the spot. Far from the money its relative error is below
   * 1e-13; `price` in bsm.ts is exact to the last digits there too.
   */
  readonly price: Float64Array
  /** dVega / dσ. */
  readonly vomma: Float64Array
  /** dPrice / dStrike. */
  readonly dualDelta: Float64Array
  /** dGamma / dSpot. */
  readonly speed: Float64Array
  /** dGamma / dσ. */
  readonly zomma: Float64Array
  /** dGamma / dτ, where τ is the time to expiry. */
  readonly color: Float64Array
  /** dVomma / dσ. */
  readonly ultima: Float64Array
  /** dVega / dτ, where τ is the time to expiry. */
  readonly veta: Float64Array
}

/**
 * Units of the seven greeks. `desk`: theta and charm per calendar day, vega and rho per 0.01. `mathematical`: all per
 * year and per 1.00.
 */
export type GreekUnits = 'desk' | 'mathematical'

/** If the total volatility σ√t is this small, the second derivatives of the price are too small for a double. */
export const NO_VOLATILITY = 1e-70

const chainGreeks = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
const otherColumns = ['price', 'vomma', 'dualDelta', 'speed', 'zomma', 'color', 'ultima', 'veta'] as const
const allColumns = [...chainGreeks, ...otherColumns] as const

/**
 * Fills the seven greeks of contracts `start` to `end`, all of one expiration. NaN for a contract whose `sigma` is NaN
 * or zero, and for all contracts if no time is left.
 * Source: Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), ch. 2.
 */
export function fillGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: GreekColumns
): void {
  const columns = chainGreeks.map((name) => out[name])
  fillColumns(terms, strike, right, sigma, start, end, columns, 'desk')
}

/**
 * Fills the price, the seven greeks in the requested units, and seven greeks of higher order. NaN under the same
 * conditions as in `fillGreeks`.
 */
export function fillAllGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: AllGreekColumns,
  units: GreekUnits = 'desk'
): void {
  const columns = allColumns.map((name) => out[name])
  fillColumns(terms, strike, right, sigma, start, end, columns, units)
}

function fillColumns(
  { spot, t, rate, dividendYield }: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  columns: readonly Float64Array[],
  units: GreekUnits
): void {
  const kernels = optionKernels()
  const rootT = t > 0 ? Math.sqrt(t) : Number.NaN
  const carried = Math.exp(-dividendYield * t)
  const discount = Math.exp(-rate * t)
  const forward = spot * Math.exp((rate - dividendYield) * t)
  const timeUnit = units === 'desk' ? 1 / 365 : 1
  const pointUnit = units === 'desk' ? 0.01 : 1
  const all = columns.length > chainGreeks.length
  for (let from = start; from < end; from += kernels.block) {
    const count = Math.min(kernels.block, end - from)
    loadOptions(kernels, strike, right, sigma, from, count)
    kernels.fillGreeks(count, spot, t, rate, dividendYield, rootT, carried, discount, forward, timeUnit, pointUnit, all)
    for (let k = 0; k < columns.length; k++) copyAnswers(kernels, k, columns[k], from, count)
  }
}
