import { easternDate } from '../../market/eastern.ts'
import type { PriceBar } from './price-bars.ts'
import type { BarSlot } from './slots.ts'

/** What the volumes of an answer count: shares if any bar has some, else option contracts; undefined if none are known. */
export type VolumeUnit = 'shares' | 'contracts'

export interface BarVolumes {
  readonly unit: VolumeUnit | undefined
  /** Volume of each bar in this unit; undefined if unknown. */
  readonly volumes: readonly (number | undefined)[]
}

/** Volumes of bars. `slots` are those of the whole period, ascending. */
export function barVolumes(bars: readonly PriceBar[], slots: readonly BarSlot[]): BarVolumes {
  const shares = bars.map((bar) => bar.shares)
  if (shares.some((volume) => volume !== undefined)) return { unit: 'shares', volumes: shares }
  const before = new Map(slots.map(({ start }, k) => [start, slots[k - 1]]))
  const contracts = bars.map((bar, k) => contractsOf(bar, bars[k - 1], before.get(bar.slot.start)))
  const isKnown = contracts.some((volume) => volume !== undefined)
  return { unit: isKnown ? 'contracts' : undefined, volumes: contracts }
}

/**
 * Option contracts of a bar: those of its session so far, less those at the end of the bar before it. Undefined if that
 * bar is missing, because the contracts of two bars cannot be told apart.
 */
function contractsOf(
  { slot, contractsSoFar }: PriceBar,
  earlier: PriceBar | undefined,
  before: BarSlot | undefined
): number | undefined {
  if (contractsSoFar === undefined) return undefined
  if (slot.isFirst) return contractsSoFar
  if (earlier?.contractsSoFar === undefined || earlier.slot.start !== before?.start) return undefined
  if (easternDate(earlier.slot.start) !== slot.date) return undefined
  const growth = contractsSoFar - earlier.contractsSoFar
  return growth >= 0 ? growth : undefined
}
