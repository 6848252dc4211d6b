import type { Chain } from '../market/chain.ts'
import { isMarketOpen } from '../market/clock.ts'
import { isoInstant } from '../market/units.ts'
import type { Check } from './candidate.ts'

/** Number of two-sided quotes from which one changes whenever anything is traded. */
const ENOUGH = 200

const columns = ['bid', 'ask', 'bidSize', 'askSize', 'last', 'volume', 'openInterest', 'strike', 'right'] as const

/**
 * Drops a chain that repeats the options of the held one under a later time, as a cache does that stamps what it kept. If
 * its spot is newer, it does not belong to these options. The held chain then ages.
 */
export const repetition: Check = ({ chain, held }) => {
  if (held === undefined || chain.asOf <= held.asOf || chain.source !== held.source) return undefined
  if (!isMarketOpen(held.asOf) || !isMarketOpen(chain.asOf) || !isRepeated(held, chain)) return undefined
  if (twoSidedOf(chain) < ENOUGH) return undefined
  return {
    kind: 'older',
    message: `it repeats the chain of ${isoInstant(held.asOf)} in every quote, under a later time`
  }
}

function isRepeated(held: Chain, chain: Chain): boolean {
  if (chain.size !== held.size) return false
  return columns.every((name) => {
    const [before, after] = [held[name], chain[name]]
    for (let i = 0; i < before.length; i++) if (!Object.is(before[i], after[i])) return false
    return true
  })
}

function twoSidedOf({ bid, ask }: Chain): number {
  let count = 0
  for (let i = 0; i < bid.length; i++) if (bid[i] > 0 && ask[i] > 0) count++
  return count
}
