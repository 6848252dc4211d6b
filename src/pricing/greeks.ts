import { copyAnswers, loadOptions, optionKernels } from './simd/option-kernels.ts'

/** Market terms shared by the options of one expiration. */
export interface SpotTerms {
  readonly spot: number
  /** Years to expiry. */
  readonly t: number
  /** Continuously compounded, annual fractions. */
  readonly rate: number
  readonly dividendYield: number
}

/**
 * The greeks of a chain, per share, in desk units: theta and charm per calendar day passing (a year is 365), vega and
 * rho per 0.01, vanna the change of delta per 1.00 of volatility.
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
 * Price and higher greeks, filled by `fillAllGreeks`. They are always in mathematical units: per 1.00 of volatility;
 * color and veta per year of time to expiry, so with the sign opposite to theta and charm.
 */
export interface AllGreekColumns extends GreekColumns {
  /**
   * Price per share, with an error below 1e-15 of the spot; far from the money relative error below 1e-13. `price` in
   * bsm.ts keeps every digit.
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
  /** dGamma / dτ, τ the time to expiry. */
  readonly color: Float64Array
  /** dVomma / dσ. */
  readonly ultima: Float64Array
  /** dVega / dτ, τ the time to expiry. */
  readonly veta: Float64Array
}

/** Desk: theta and charm per calendar day, vega and rho per 0.01. Mathematical: per year and per 1.00. */
export type GreekUnits = 'desk' | 'mathematical'

/** At a total volatility σ√t this small, curvature is too small for a double. */
export const NO_VOLATILITY = 1e-70

const chainGreeks = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
const otherColumns = ['price', 'vomma', 'dualDelta', 'speed', 'zomma', 'color', 'ultima', 'veta'] as const
const allColumns = [...chainGreeks, ...otherColumns] as const

/**
 * Fills the seven greeks of the contracts from `start` to `end`, all of one expiration. NaN where `sigma` is NaN or
 * zero, and everywhere when no time is left.
 *  Source: Haug, The Complete Guide to Option Pricing Formulas, 2nd ed. (2007), ch. 2.
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

/** Fills price, the seven greeks in the requested units, and seven of higher order; otherwise like `fillGreeks`. */
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
