import { tradingDays } from '../market/calendar.ts'
import type { Chain } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import { type InterestChange, interestChange, interestDate, settledMovement } from '../market/interest-change.ts'
import { eachShared, liveExpirations } from '../market/shared-contracts.ts'
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
/**
 * Largest open interest of contracts that the held chain does not list, as a share of its own: within a session, after a
 * settlement, and for each further one up to the last. A new contract opens with nothing.
 */
const MAX_NEW_IN_SESSION = 0.05
const MAX_NEW = 0.25
const NEW_PER_SESSION = 0.1
const MAX_NEW_EVER = 0.6
/** Share of the contracts with open interest that may turn unknown. */
const MAX_UNKNOWN = 0.05

/**
 * Doubts open interest that changed otherwise than by the one settlement of a day: to nothing, to unknown, in many
 * contracts within a session, or further than trading explains.
 */
export const settledInterest: Check = ({ chain, held, settledOn, heldIsShortened = false, doubt }) => {
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
  const isSameSource = held.source === chain.source
  const lasts = doubt?.reason === 'open_interest' && doubt.session < easternDate(chain.asOf)
  const unlisted = isSameSource && !heldIsShortened && !lasts ? unlistedInterest(held, chain) : 0
  if (unlisted > mostUnlisted(held, chain) * before) {
    const message = `contracts that were not listed before have an open interest of ${unlisted} beside ${before}`
    return doubted('open_interest', message)
  }
  if (!isBroad(change)) return undefined
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

/** Open interest of the live contracts of a chain that the held chain does not list. */
function unlistedInterest(held: Chain, chain: Chain): number {
  let sum = 0
  for (const { start, end } of liveExpirations(chain, chain)) {
    for (let k = start; k < end; k++) sum += Math.max(0, chain.openInterest[k])
  }
  eachShared(held, chain, (_, k) => {
    sum -= Math.max(0, chain.openInterest[k])
  })
  return sum
}

function mostUnlisted(held: Chain, chain: Chain): number {
  const sessions = tradingDays(interestDate(held.asOf), interestDate(chain.asOf)).length - 1
  return sessions === 0 ? MAX_NEW_IN_SESSION : Math.min(MAX_NEW + NEW_PER_SESSION * (sessions - 1), MAX_NEW_EVER)
}

function isBroad({ before, contracts, changed, moved }: InterestChange): boolean {
  return changed > BROAD * contracts || moved > BROAD * before
}
