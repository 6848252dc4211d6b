import { CALL } from '../market/chain.ts'
import { exponential } from '../math/exponential.ts'
import { erfcx } from '../math/normal.ts'
import type { ExpirationConstants } from './expiration-constants.ts'
import { fillLogMoneyness } from './log-moneyness.ts'
import { BLOCK, type Block } from './stages.ts'

/** What the greeks of one expiration are computed from. */
export interface GreekWork<Columns> extends Block, ExpirationConstants {
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly sigma: Float64Array
  readonly out: Columns
}

/** A total volatility σ√t this small leaves no curvature that a double could hold. */
export const NO_VOLATILITY = 1e-70
const INV_SQRT_2 = Math.SQRT1_2
const INV_SQRT_2PI = 0.3989422804014327
const SQRT_HALF_PI = 1.2533141373155003

/**
 * Scratch of one block: ln(F/K), s = σ√t and 1/s, d1, d2, the normal density at d1, the Mills ratios of |d1|
 * and of |d2|, and sign · N(sign · d) at both.
 */
export const moneyness = new Float64Array(BLOCK)
export const total = new Float64Array(BLOCK)
export const perTotal = new Float64Array(BLOCK)
export const d1 = new Float64Array(BLOCK)
export const d2 = new Float64Array(BLOCK)
export const density = new Float64Array(BLOCK)
export const mills1 = new Float64Array(BLOCK)
export const mills2 = new Float64Array(BLOCK)
export const signedN1 = new Float64Array(BLOCK)
export const signedN2 = new Float64Array(BLOCK)

/** Fills the scratch columns; the stages that come before any greek. */
export const preparation = [measure, fillArguments, fillDensities, fillTails] as const

function measure({ forward, strike, from, count }: GreekWork<unknown>): void {
  fillLogMoneyness(forward, strike, from, count, moneyness)
}

function fillArguments({ rootT, sigma, from, count }: GreekWork<unknown>): void {
  for (let q = 0; q < count; q++) {
    const given = sigma[from + q] * rootT
    const s = given > NO_VOLATILITY ? given : Number.NaN
    const inverse = 1 / s
    const first = moneyness[q] * inverse + 0.5 * s
    total[q] = s
    perTotal[q] = inverse
    d1[q] = first
    d2[q] = first - s
  }
}

function fillDensities({ count }: GreekWork<unknown>): void {
  for (let q = 0; q < count; q++) density[q] = INV_SQRT_2PI * exponential(-0.5 * d1[q] * d1[q])
}

/** N(-d) is the density times the Mills ratio, and the density at d2 that at d1 times F/K: one exponential for both. */
function fillTails({ forward, strike, right, from, count }: GreekWork<unknown>): void {
  for (let q = 0; q < count; q++) {
    const i = from + q
    const first = SQRT_HALF_PI * erfcx(Math.abs(d1[q]) * INV_SQRT_2)
    const second = SQRT_HALF_PI * erfcx(Math.abs(d2[q]) * INV_SQRT_2)
    const beyondFirst = density[q] * first
    const beyondSecond = density[q] * (forward / strike[i]) * second
    const sign = right[i] === CALL ? 1 : -1
    mills1[q] = first
    mills2[q] = second
    signedN1[q] = sign * (sign * d1[q] > 0 ? 1 - beyondFirst : beyondFirst)
    signedN2[q] = sign * (sign * d2[q] > 0 ? 1 - beyondSecond : beyondSecond)
  }
}
