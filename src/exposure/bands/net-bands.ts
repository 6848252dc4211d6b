import { unitBook } from '../book.ts'
import { contractExposures, type Measure } from '../breakdown/contributions.ts'
import type { Scope } from '../scope.ts'
import type { BandCalibration } from './band-calibration.ts'
import { positionVariance, sumOfSquares, type UncertainContracts, uncertainContracts } from './uncertain-contracts.ts'

export interface NormalSum {
  readonly mean: number
  readonly deviation: number
}

/**
 * Distributions of a net exposure under three assumptions: positions are uncertain, the dealers' side is, or both are.
 */
export interface NetBands {
  readonly positions: NormalSum
  readonly sign: NormalSum
  readonly combined: NormalSum
}

/**
 * Uncertainty of a net exposure. By convention, dealers are long calls and short puts. `confidence` is the probability
 * p that this is right for a group of contracts. e and m are the exposures of a group at settled and at mean open
 * interest; D² is the variance that the change of open interest gives the sum (`positionVariance`).
 *
 *     positions  mean Σ m              variance D²
 *     sign       mean (2p - 1) Σ e     variance 4p (1 - p) Σ e²
 *     combined   mean (2p - 1) Σ m     variance 4p (1 - p) Σ m² + D²
 *
 * A calibration moves the mean of `positions` by its shift times D, and D by its factor; the mean of `combined` moves by
 * (2p - 1) of that. Net delta describes all open options, whoever holds them, so p is 1 for it. Source: the published
 * API contract.
 */
export function netBands(
  scope: Scope,
  measure: Measure,
  confidence: number,
  calibration?: Pick<BandCalibration, 'shift' | 'factor'>
): NetBands {
  const { chain } = scope
  const contracts = uncertainContracts(scope)
  const held = { chain, book: unitBook(chain) }
  const each = Float64Array.from(contracts.slots, (i) => contractExposures[measure](held, i))
  const p = measure === 'dex' ? 1 : confidence
  const settled = byGroup(contracts, each, contracts.settled)
  const mean = byGroup(contracts, each, contracts.mean)
  const [sure, unsure] = [2 * p - 1, 4 * p * (1 - p)]
  const { shift, factor } = calibration ?? { shift: 0, factor: 1 }
  const plain = Math.sqrt(positionVariance(contracts, each))
  const deviation = factor * plain
  const expected = sum(mean) + shift * plain
  return {
    positions: { mean: expected, deviation },
    sign: { mean: sure * sum(settled), deviation: Math.sqrt(unsure * sumOfSquares(settled)) },
    combined: { mean: sure * expected, deviation: Math.hypot(Math.sqrt(unsure * sumOfSquares(mean)), deviation) }
  }
}

function byGroup({ group, groups }: UncertainContracts, each: Float64Array, open: Float64Array): Float64Array {
  const sums = new Float64Array(groups)
  for (let k = 0; k < each.length; k++) sums[group[k]] += each[k] * open[k]
  return sums
}

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
