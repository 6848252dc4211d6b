import { CALL } from '../../market/chain.ts'
import { logMoneyness } from '../log-moneyness.ts'
import type { PremiumTable } from './premium-table.ts'
import { BLOCK, premiumKernels } from './simd/premium-kernels.ts'

/**
 * Position of a contract relative to the premium table. EXERCISED: it is worth exercising at once. TABULATED: the table
 * has its premium. VANISHED: so far out of the money that no premium is left. OFF_TABLE: the table does not cover its
 * volatility.
 */
export const EXERCISED = 0
export const TABULATED = 1
export const VANISHED = 2
export const OFF_TABLE = 3

/**
 * A batch of contracts with one right and one expiration that are computed together, at most BLOCK of them. Most
 * columns are memory of the WebAssembly kernels, so nothing is copied. Each thread has only one block: one use must end
 * before the next begins.
 */
export interface ContractBlock {
  readonly slot: Int32Array
  /**
   * Inputs for reading a table. `logSpot` is x = ln(S/K) of the put that represents the contract (see `exerciseTerms`),
   * `volatility` is σ.
   */
  readonly logSpot: Float64Array
  readonly volatility: Float64Array
  /**
   * Outputs of reading a table: the place (EXERCISED, TABULATED, VANISHED or OFF_TABLE), the premium in units of the
   * strike, and its derivatives. These are 0 unless the place is TABULATED.
   */
  readonly place: Uint8Array
  readonly value: Float64Array
  readonly spotSlope: Float64Array
  readonly spotCurve: Float64Array
  readonly spotThird: Float64Array
  readonly sigmaSlope: Float64Array
  readonly crossSlope: Float64Array
  /** Inputs of a search for volatilities: ln(F/K), strike and price in USD, and the bounds between which σ lies. */
  readonly moneyness: Float64Array
  readonly strike: Float64Array
  readonly price: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** European value minus price, and European vega, both at the volatility of the contract, USD per share. */
  readonly excess: Float64Array
  readonly vega: Float64Array
}

let block: ContractBlock | undefined

export function contractBlock(): ContractBlock {
  block ??= makeBlock()
  return block
}

function makeBlock(): ContractBlock {
  const { columns, place } = premiumKernels()
  const { logSpot, volatility, value, spotSlope, spotCurve, spotThird, sigmaSlope, crossSlope } = columns
  const { moneyness, strike, price, upper, excess, vega } = columns
  return {
    slot: new Int32Array(BLOCK),
    logSpot,
    volatility,
    place,
    value,
    spotSlope,
    spotCurve,
    spotThird,
    sigmaSlope,
    crossSlope,
    moneyness,
    strike,
    price,
    lower: new Float64Array(BLOCK),
    upper,
    excess,
    vega
  }
}

/**
 * Treatment of a volatility that the tables do not cover. `edge`: use the premium at the nearest volatility in the
 * table. `exact`: compute the premium without tables.
 */
export type OffTable = 'edge' | 'exact'

/**
 * Puts the contracts of one right with indices from `from` up to but excluding `to` into the block, unless they have no
 * volatility. There may be at most BLOCK such indices. Returns the number of contracts in the block.
 */
export function gatherRight(
  { slot, volatility, logSpot }: ContractBlock,
  { low, high }: PremiumTable,
  offTable: OffTable,
  flag: number,
  spot: number,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  from: number,
  to: number
): number {
  const sign = flag === CALL ? -1 : 1
  let count = 0
  for (let i = from; i < to; i++) {
    if (right[i] !== flag || !(sigma[i] > 0)) continue
    slot[count] = i
    volatility[count] = offTable === 'edge' ? Math.min(Math.max(sigma[i], low), high) : sigma[i]
    logSpot[count] = sign * logMoneyness(spot, strike[i])
    count++
  }
  return count
}
