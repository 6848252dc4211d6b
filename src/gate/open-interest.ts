import type { Chain } from '../market/chain.ts'
import { type InterestChange, interestChange, interestDate, settledMovement } from '../market/interest-change.ts'
import type { IsoDate } from '../market/units.ts'
import { type Check, doubted } from './candidate.ts'

/** Below this total, contracts, only a fall to nothing is judged: one position may be a large part of it. */
const ENOUGH = 1000
/** Total from which a fall to nothing is doubted, contracts. */
const ENOUGH_TO_VANISH = 50
/** Share of contracts or of open interest whose change counts as a settlement rather than a correction. */
const BROAD = 0.05
/** Largest share that may lie in contracts that fell to zero by more than was traded in them. */
const MAX_ZEROED = 0.1
/** Share of the contracts with open interest that may turn unknown. */
const MAX_UNKNOWN = 0.05

/**
 * Doubts open interest that changed otherwise than by the one settlement of a day: to nothing, to unknown, in many
 * contracts within a session, or further than trading explains.
 */
export const settledInterest: Check = ({ chain, held, settledOn }) => {
  if (held === undefined) return undefined
  const change = interestChange(held, chain)
  const { before, after, contracts, unknown } = change
  if (before >= ENOUGH_TO_VANISH && after === 0 && unknown < contracts) {
    return doubted('open_interest', `its open interest fell from ${before} contracts to nothing`)
  }
  if (before < ENOUGH) return undefined
  if (unknown > MAX_UNKNOWN * contracts) {
    return doubted(
      'open_interest',
      `the open interest of ${unknown} of ${contracts} contracts is missing or impossible`
    )
  }
  if (!isBroad(change)) return undefined
  const isSameSource = held.source === chain.source
  if (isSameSource && settledOn === interestDate(chain.asOf)) {
    const message = `the open interest of ${change.changed} contracts changed after the settlement of the day was taken`
    return doubted('open_interest', message)
  }
  if (change.zeroed > MAX_ZEROED * before) {
    return doubted(
      'open_interest',
      `${change.zeroed} of its ${before} open contracts fell to zero, more than was traded`
    )
  }
  const { moved, most } = settledMovement(held, chain, change)
  if (moved <= most * before) return undefined
  return doubted('open_interest', `its open interest moved by ${moved} of ${before} contracts, more than was traded`)
}

/** The date whose settlement a chain has after it was taken: the chain's own if the settlement of that day is known. */
export function settledBy(chain: Chain, held: Chain | undefined, settledOn: IsoDate | undefined): IsoDate | undefined {
  const date = interestDate(chain.asOf)
  if (settledOn === date) return date
  return held !== undefined && isBroad(interestChange(held, chain)) ? date : undefined
}

function isBroad({ before, contracts, changed, moved }: InterestChange): boolean {
  return changed > BROAD * contracts || moved > BROAD * before
}
