import { type BandErrors, bandErrorName, bandMeasures, bandTenorOf, bandTenors } from '../../market/band-errors.ts'
import { type Chain, known } from '../../market/chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { unitBook } from '../book.ts'
import { contractExposures } from '../breakdown/contributions.ts'
import { slotsBefore } from '../open-interest/open-interest-change.ts'
import { expirationOfSlots, liveScope } from '../scope.ts'
import { positionVariance, uncertainContracts } from './uncertain-contracts.ts'

/** Least share of the evening's open interest that must be listed again; less is a split or a broken chain. */
const MIN_LISTED = 0.9

/**
 * Errors of the bands of an evening, from a chain of the next session with the open interest settled overnight. Greeks
 * and spot are those of the evening, so that only open interest differs. Contracts without
 * open interest in the later chain are left out of both. Empty if no open interest differs, because then nothing new was published.
 */
export function settledErrors(evening: PricedChain, next: Chain): BandErrors {
  const contracts = uncertainContracts(liveScope(evening))
  const { slots, settled, mean } = contracts
  const slotThen = slotsBefore(evening, next)
  const after = Float64Array.from(slots, (i) => (slotThen[i] < 0 ? -1 : next.openInterest[slotThen[i]]))
  const isKnown = (k: number) => after[k] >= 0 && evening.openInterest[slots[k]] >= 0
  const [compared, all, changed] = settled.reduce(
    ([compared, all, changed], open, k) => [
      compared + (isKnown(k) ? open : 0),
      all + open,
      changed + (isKnown(k) && after[k] !== open ? 1 : 0)
    ],
    [0, 0, 0]
  )
  if (changed === 0 || compared < MIN_LISTED * all) return {}
  const held = { chain: evening, book: unitBook(evening) }
  const expirationOf = expirationOfSlots(evening)
  const tenorOf = Array.from(slots, (i) => bandTenorOf(evening.carries[expirationOf[i]].days))
  const errors: { -readonly [Name in keyof BandErrors]: BandErrors[Name] } = {}
  for (const measure of bandMeasures) {
    const each = Float64Array.from(slots, (i, k) => (isKnown(k) ? contractExposures[measure](held, i) : 0))
    for (const tenor of bandTenors) {
      const part = tenor === 'all' ? each : each.map((g, k) => (tenorOf[k] === tenor ? g : 0))
      const deviation = Math.sqrt(positionVariance(contracts, part))
      const error = part.reduce((sum, g, k) => sum + g * (known(after[k]) - mean[k]), 0)
      if (deviation > 0) errors[bandErrorName(measure, tenor)] = error / deviation
    }
  }
  return errors
}
