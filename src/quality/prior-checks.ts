import { slotsBefore } from '../exposure/open-interest/open-interest-change.ts'
import { session } from '../market/calendar.ts'
import type { Chain } from '../market/chain.ts'
import { isLive } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { percentOf } from '../math/optional.ts'
import { graded, type QualityCheck } from './quality-check.ts'

/** Points deducted per missing expiration, and the maximum. */
const PER_EXPIRATION = 10
const MAX_FOR_EXPIRATIONS = 20
/** Percent of traded contracts with unchanged open interest above which open interest is assumed to be a day old. */
const UNCHANGED = 98
const FOR_OLD_OPEN_INTEREST = 20

/** Checks against the close of the previous session; without a stored close they have no value. */
export function priorChecks(
  chain: Chain,
  prior: Chain | undefined
): readonly [missingExpirations: QualityCheck, openInterestDate: QualityCheck] {
  const missing = prior && missingExpirations(chain, prior)
  const unchanged = prior && unchangedOpenInterest(chain, prior)
  const isOld = unchanged !== undefined && unchanged > UNCHANGED
  return [
    graded('missing_expirations', missing, {
      most: MAX_FOR_EXPIRATIONS,
      good: 0,
      bad: MAX_FOR_EXPIRATIONS / PER_EXPIRATION
    }),
    { id: 'open_interest_date', value: unchanged, deduction: isOld ? FOR_OLD_OPEN_INTEREST : 0 }
  ]
}

/** Number of expirations of the previous session that are still live but not listed any more, by root and date. */
function missingExpirations({ asOf, expirations }: Chain, prior: Chain): number {
  const listed = new Set(expirations.map(({ root, date }) => `${root} ${date}`))
  return prior.expirations.filter(
    ({ root, date, settlement }) => isLive(asOf, date, settlement) && !listed.has(`${root} ${date}`)
  ).length
}

/**
 * Percent of the contracts traded in the previous session whose open interest has not changed. Undefined if none
 * traded, and on days without a session, because nothing was settled since.
 */
function unchangedOpenInterest(chain: Chain, prior: Chain): number | undefined {
  if (session(easternDate(chain.asOf)) === undefined) return undefined
  const before = slotsBefore(chain, prior)
  let traded = 0
  let same = 0
  for (let i = 0; i < chain.size; i++) {
    const k = before[i]
    if (k < 0 || !(prior.volume[k] > 0) || prior.openInterest[k] < 0 || chain.openInterest[i] < 0) continue
    traded++
    if (chain.openInterest[i] === prior.openInterest[k]) same++
  }
  return percentOf(same, traded)
}
