import { CALL } from '../../market/chain.ts'
import { exponential } from '../../math/exponential.ts'
import { arePlainKernels } from '../kernel-choice.ts'
import type { AmericanTerms } from './american-terms.ts'
import { excess, moneyness, slot, upper, vega } from './contract-block.ts'
import { cumulativeNormal } from './normal-table.ts'
import { volatility } from './premium-block.ts'
import { MIN_BLOCK } from './simd/grid-kernels.ts'
import { fillQuickEuropeans } from './simd/quick-europeans.ts'

const INV_SQRT_2PI = 0.3989422804014327
/** A bracket just above the European volatility marks a start there. */
export const STARTED = 1 + 1e-9

/** What the contracts of one right of an expiration share. */
export interface EuropeanTerms {
  /** 1 for calls, -1 for puts. */
  readonly sign: number
  readonly rootT: number
  /** S e^(-qT), and e^(-rT). */
  readonly spotPart: number
  readonly discount: number
}

/**
 * European value less price, and European vega, at each volatility of the premium block, USD per share. In the first round
 * most volatilities are the European ones, where the value is the price to its last digit; later ones need no more digits
 * than the grid has.
 */
export function fillEuropeans(
  { spot, t, rate, dividendYield }: AmericanTerms,
  flag: number,
  strike: Float64Array,
  price: Float64Array,
  count: number,
  first: boolean
): void {
  const terms: EuropeanTerms = {
    sign: flag === CALL ? 1 : -1,
    rootT: Math.sqrt(t),
    spotPart: spot * Math.exp(-dividendYield * t),
    discount: Math.exp(-rate * t)
  }
  const fill = count < MIN_BLOCK || arePlainKernels() ? fillPlainEuropeans : fillQuickEuropeans
  fill(terms, strike, price, count, first)
}

/** `fillEuropeans` without WebAssembly. */
export function fillPlainEuropeans(
  { sign, rootT, spotPart, discount }: EuropeanTerms,
  strike: Float64Array,
  price: Float64Array,
  count: number,
  first: boolean
): void {
  for (let q = 0; q < count; q++) {
    const i = slot[q]
    const s = volatility[q] * rootT
    const d1 = moneyness[q] / s + 0.5 * s
    vega[q] = spotPart * rootT * INV_SQRT_2PI * exponential(-0.5 * d1 * d1)
    if (first && upper[q] >= volatility[q] && upper[q] <= volatility[q] * STARTED) {
      excess[q] = 0
      continue
    }
    const spotSide = spotPart * cumulativeNormal(sign * d1)
    const strikeSide = discount * strike[i] * cumulativeNormal(sign * (d1 - s))
    excess[q] = sign * (spotSide - strikeSide) - price[i]
  }
}
