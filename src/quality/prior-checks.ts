import { slotsBefore } from '../exposure/open-interest/open-interest-change.ts'
import { session } from '../market/calendar.ts'
import type { Chain } from '../market/chain.ts'
import { isLive } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { percentOf } from '../math/optional.ts'
import { graded, type QualityCheck } from './quality-check.ts'

/** Points that each missing expiration costs. `MAX_FOR_EXPIRATIONS` is the most that they cost together. */
const PER_EXPIRATION = 10
const MAX_FOR_EXPIRATIONS = 20
/**
 * If the open interest of more than this percentage of the traded contracts has not changed, it is taken to be a day
 * old.
 */
const UNCHANGED = 98
const FOR_OLD_OPEN_INTEREST = 20

/**
 * Checks that compare a chain with the close of the previous trading session. Without a stored close, their value is
 * undefined.
 */
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

/**
 * Number of expirations that the previous close had and that should still be listed, but are not. Expirations are the
 * same if root and date are equal.
 */
function missingExpirations({ asOf, expirations }: Chain, prior: Chain): number {
  const listed = new Set(expirations.map(({ root, date }) => `${root} ${date}`))
  return prior.expirations.filter(
    ({ root, date, settlement }) => isLive(asOf, date, settlement) && !listed.has(`${root} ${date}`)
  ).length
}

/**
 * Percentage of the contracts traded in the previous session whose open interest has not changed since. Undefined if
 * none traded. Also undefined on days without a trading session, because open interest is not updated then.
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
