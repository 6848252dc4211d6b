import { slotsBefore } from '../exposure/open-interest/open-interest-change.ts'
import { session } from '../market/calendar.ts'
import type { Chain } from '../market/chain.ts'
import { isLive, isMarketOpen } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { percentOf } from '../math/optional.ts'
import { checked, graded, notCheckable, notDue, type QualityCheck } from './quality-check.ts'
import { NEAR } from './quote-checks.ts'

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
 * Three checks that compare a chain with the close of the previous trading session: whether its expirations are all
 * listed, whether its open interest is newer, and whether its quotes are. Without a stored close none can be made.
 */
export function priorChecks(
  chain: Chain,
  prior: Chain | undefined
): readonly [missingExpirations: QualityCheck, openInterestDate: QualityCheck, frozenQuotes: QualityCheck] {
  const missing = prior && missingExpirations(chain, prior)
  return [
    graded('missing_expirations', missing, {
      most: MAX_FOR_EXPIRATIONS,
      good: 0,
      bad: MAX_FOR_EXPIRATIONS / PER_EXPIRATION
    }),
    openInterestDate(chain, prior),
    frozenQuotes(chain, prior)
  ]
}

function openInterestDate(chain: Chain, prior: Chain | undefined): QualityCheck {
  if (session(easternDate(chain.asOf)) === undefined) return notDue('open_interest_date')
  const unchanged = prior && unchangedOpenInterest(chain, prior)
  const isOld = unchanged !== undefined && unchanged > UNCHANGED
  const points = isOld ? FOR_OLD_OPEN_INTEREST : 0
  return unchanged === undefined ? notCheckable('open_interest_date') : checked('open_interest_date', unchanged, points)
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
 * none traded.
 */
function unchangedOpenInterest(chain: Chain, prior: Chain): number | undefined {
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

/** Fewest contracts whose quotes are compared with those of the previous close. */
const ENOUGH_QUOTES = 20
/**
 * Percentage of two-sided quotes near spot that equal those of the previous close: up to the first it costs nothing,
 * from the second on the most.
 */
const [FEW_FROZEN, ALL_FROZEN] = [50, 90]
const MOST_FOR_FROZEN = 30

/** In a session, compares the two-sided quotes near spot with those of the previous close. */
function frozenQuotes(chain: Chain, prior: Chain | undefined): QualityCheck {
  if (!isMarketOpen(chain.asOf)) return notDue('frozen_quotes')
  const { size, strike, spot, bid, ask } = chain
  const before = prior && slotsBefore(chain, prior)
  let [quoted, same] = [0, 0]
  for (let i = 0; before !== undefined && i < size; i++) {
    const k = before[i]
    if (k < 0 || Math.abs(strike[i] / spot - 1) > NEAR) continue
    if (!(bid[i] > 0 && ask[i] >= bid[i] && prior!.bid[k] > 0)) continue
    quoted++
    if (bid[i] === prior!.bid[k] && ask[i] === prior!.ask[k]) same++
  }
  const share = quoted < ENOUGH_QUOTES ? undefined : percentOf(same, quoted)
  return graded('frozen_quotes', share, { most: MOST_FOR_FROZEN, good: FEW_FROZEN, bad: ALL_FROZEN })
}
