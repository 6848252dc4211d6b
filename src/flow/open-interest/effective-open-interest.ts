import { type Chain, known } from '../../market/chain.ts'
import { memoizePair } from '../../market/memoize.ts'
import type { Positions } from '../tape-views.ts'
import { openInterestAfter, openInterestDelta } from './simulator.ts'
import { NOT_LISTED, slotsOfSeries } from './slots-of-series.ts'

/** Estimated open interest of a chain after the flow of the session, by slot, contracts. */
export interface EffectiveOpenInterest {
  readonly delta: Int32Array
  /** Official open interest plus the estimated change, at least 0. Unknown open interest counts as 0. */
  readonly openInterest: Int32Array
  /**
   * Whether the estimated change is not 0 for any contract. If it is 0 for all, the effective open interest is the
   * official one.
   */
  readonly hasFlow: boolean
}

/**
 * Estimates the open interest of every contract of a chain after the flow of the session. Prints of series that the
 * chain does not list are ignored. Source: the published API contract.
 */
export const effectiveOpenInterest = memoizePair((chain: Chain, positions: Positions): EffectiveOpenInterest => {
  const { series, bought, sold, confidence } = positions
  const slots = slotsOfSeries(chain, series)
  const delta = new Int32Array(chain.size)
  let hasFlow = false
  for (let k = 0; k < series.length; k++) {
    if (slots[k] === NOT_LISTED || bought[k] === sold[k]) continue
    const added = openInterestDelta(bought[k], sold[k], confidence)
    delta[slots[k]] = added
    hasFlow ||= added !== 0
  }
  const openInterest = new Int32Array(chain.size)
  const { openInterest: published, size } = chain
  for (let i = 0; i < size; i++) openInterest[i] = openInterestAfter(known(published[i]), delta[i])
  return { delta, openInterest, hasFlow }
})

/**
 * Sums of the open interest simulator over some series. All values are in contracts, except the two counts of series.
 */
export interface SimulatorTotals {
  readonly official: number
  readonly delta: number
  /** Official open interest plus the estimated change. It is below 0 if customers sold more than was open. */
  readonly simulated: number
  /** Sum of the estimated open interest of each contract, which is at least 0. */
  readonly effective: number
  readonly moved: number
  readonly series: number
  readonly seriesWithFlow: number
}

/**
 * Sums of the open interest simulator over some contracts of a chain. Without flow, the effective open interest is the
 * official one.
 */
export function simulatorTotals(
  chain: Pick<Chain, 'openInterest'>,
  slots: Int32Array,
  flow: Pick<EffectiveOpenInterest, 'delta' | 'openInterest'> | undefined
): SimulatorTotals {
  let official = 0
  let delta = 0
  let effective = 0
  let moved = 0
  let seriesWithFlow = 0
  for (let k = 0; k < slots.length; k++) {
    const i = slots[k]
    const published = known(chain.openInterest[i])
    const held = flow === undefined ? published : flow.openInterest[i]
    official += published
    effective += held
    moved += Math.abs(held - published)
    if (flow === undefined || flow.delta[i] === 0) continue
    delta += flow.delta[i]
    seriesWithFlow++
  }
  return { official, delta, simulated: official + delta, effective, moved, series: slots.length, seriesWithFlow }
}

/** For each slot of a chain, the contracts that customers bought in the session minus the contracts they sold. */
export const signedVolume = memoizePair((chain: Chain, { series, bought, sold }: Positions): Int32Array => {
  const slots = slotsOfSeries(chain, series)
  const volume = new Int32Array(chain.size)
  for (let k = 0; k < series.length; k++) if (slots[k] !== NOT_LISTED) volume[slots[k]] = bought[k] - sold[k]
  return volume
})
