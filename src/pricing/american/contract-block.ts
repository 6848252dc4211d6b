import { CALL } from '../../market/chain.ts'
import { logMoneyness } from '../log-moneyness.ts'
import type { PremiumTable } from './premium-table.ts'
import { BLOCK, premiumKernels } from './simd/premium-kernels.ts'

/**
 * Where a contract lies relative to the premium table: exercised at once, in the table, beyond it with no premium left,
 * or at a volatility that the table does not cover.
 */
export const EXERCISED = 0
export const TABULATED = 1
export const VANISHED = 2
export const OFF_TABLE = 3

/**
 * Contracts of one right of an expiration that are computed together, at most BLOCK entries. Most columns are memory of
 * the kernels, so nothing is copied. A thread has one block, so one use must end before the next begins.
 */
export interface ContractBlock {
  readonly slot: Int32Array
  /** Inputs for reading a table: x = ln(S/K) of the put that represents the contract (see `exerciseTerms`), and σ. */
  readonly logSpot: Float64Array
  readonly volatility: Float64Array
  /**
   * Outputs of reading a table: the place (EXERCISED to OFF_TABLE) and, if it is TABULATED, the premium in units of the
   * strike and its derivatives, else 0.
   */
  readonly place: Uint8Array
  readonly value: Float64Array
  readonly spotSlope: Float64Array
  readonly spotCurve: Float64Array
  readonly spotThird: Float64Array
  readonly sigmaSlope: Float64Array
  readonly crossSlope: Float64Array
  /** Columns of a volatility search: ln(F/K), strike and price, USD, and the bracket of σ. */
  readonly moneyness: Float64Array
  readonly strike: Float64Array
  readonly price: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** European value minus price, and European vega, at σ, USD per share. */
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

/** Treatment of a volatility that the tables do not cover: read at their edge, or computed without tables. */
export type OffTable = 'edge' | 'exact'

/**
 * Puts the contracts of one right with indices from `from` up to but excluding `to`, at most BLOCK of them, into the
 * block if they have a volatility. Returns how many.
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
