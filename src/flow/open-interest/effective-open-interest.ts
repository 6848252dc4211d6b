import { type Chain, known } from '../../market/chain.ts'
import { memoizePair } from '../../market/memoize.ts'
import type { Positions } from '../tape-views.ts'
import { openInterestAfter, openInterestDelta } from './simulator.ts'
import { NOT_LISTED, slotsOfSeries } from './slots-of-series.ts'

/** Open interest of a chain as the flow of the session is taken to have left it, by slot, in contracts. */
export interface EffectiveOpenInterest {
  /** What the simulator adds to the official open interest. */
  readonly delta: Int32Array
  /** The official open interest and the delta together, 0 at least. One that is not known counts 0. */
  readonly openInterest: Int32Array
  /** Whether any slot has a delta. Without one this is the official open interest. */
  readonly hasFlow: boolean
}

/**
 * The effective open interest of every slot of a chain. What the tape printed and the chain does not list is left out.
 * Source: the wire contract.
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

/** What the simulator holds of some contracts. Contracts but for the two counts, which are of series. */
export interface SimulatorTotals {
  readonly official: number
  readonly delta: number
  /** official + delta; below 0 where more was sold than was open. */
  readonly simulated: number
  /** The sum of what each contract has, none of them below 0. */
  readonly effective: number
  /** Sum of |effective - official|. */
  readonly moved: number
  readonly series: number
  /** Series whose open interest the flow is taken to have changed. */
  readonly seriesWithFlow: number
}

/** The totals over slots of a chain; without flow the effective open interest is the official one. */
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

/** What customers bought of each contract of a chain less what they sold, by slot, in contracts of the session. */
export const signedVolume = memoizePair((chain: Chain, { series, bought, sold }: Positions): Int32Array => {
  const slots = slotsOfSeries(chain, series)
  const volume = new Int32Array(chain.size)
  for (let k = 0; k < series.length; k++) if (slots[k] !== NOT_LISTED) volume[slots[k]] = bought[k] - sold[k]
  return volume
})
