import { arePlainKernels } from './kernel-choice.ts'
import { fillAllPlainGreeks, fillPlainGreeks } from './plain-greeks.ts'
import { fillAllQuickGreeks, fillQuickGreeks } from './simd/quick-greeks.ts'

/** What the options of one expiration share. */
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
 * The further columns of `fillAllGreeks`, in mathematical units whatever the units of the others: per 1.00 of
 * volatility, and color and veta per year of time to expiry, so with the sign opposite to theta and charm.
 */
export interface AllGreekColumns extends GreekColumns {
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
  /** dVega / dτ. */
  readonly veta: Float64Array
}

/** Desk: theta and charm per calendar day, vega and rho per 0.01. Mathematical: per year and per 1.00. */
export type GreekUnits = 'desk' | 'mathematical'

/**
 * Fills the seven greeks of a chain from `start` to `end`, which are contracts of one expiration. NaN where `sigma` is
 * NaN or zero, and everywhere when no time is left.
 *
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
  const fill = arePlainKernels() ? fillPlainGreeks : fillQuickGreeks
  fill(terms, strike, right, sigma, start, end, out)
}

/** Fills price, the seven greeks in the units asked for, and seven of higher order; as `fillGreeks` otherwise. */
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
  const fill = arePlainKernels() ? fillAllPlainGreeks : fillAllQuickGreeks
  fill(terms, strike, right, sigma, start, end, out, units)
}
