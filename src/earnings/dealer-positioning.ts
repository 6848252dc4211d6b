import { byStrike, netGex, type StrikeRow, totalOi } from '../exposure/by-strike.ts'
import { charmExposure } from '../exposure/contract-exposure.ts'
import { highest } from '../exposure/levels/key-levels.ts'
import { netExposures } from '../exposure/net.ts'
import type { StatedRegime } from '../exposure/regime.ts'
import { datesOf, liveBetween, liveScope, type Scope } from '../exposure/scope.ts'
import { gammaFlip } from '../exposure/spot-ladder/gamma-flip.ts'
import { addDays } from '../market/calendar.ts'
import type { IsoDate } from '../market/units.ts'
import { ratio } from '../math/optional.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

/** Groups of expirations: before an earnings report, in the week that begins with it, and later. */
export const eventBuckets = ['pre_event', 'event_week', 'post_event'] as const
export type EventBucket = (typeof eventBuckets)[number]

/** Dealer positioning around an earnings report. A figure is undefined if no strike, flip or expiration qualifies. */
export interface EventPositioning {
  /** First expiration on or after the day of the report. */
  readonly expiration: IsoDate | undefined
  /**
   * Gamma flip, walls and strike with the highest open interest, in USD. They are computed from the expirations in the
   * week that begins with the report.
   */
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
  readonly highestOi: number | undefined
  /**
   * Net gamma of each group, in USD per 1 % move of spot, and its number of contracts with open interest. Groups
   * without any are left out.
   */
  readonly buckets: readonly { readonly bucket: EventBucket; readonly netGex: number; readonly contracts: number }[]
  /** Strikes with the largest |net gamma| in the week that begins with the report. */
  readonly top: readonly StrikeRow[]
  /** Share of |charm| of the whole chain that belongs to `expiration`, a fraction. */
  readonly charmShare: number | undefined
  readonly regime: StatedRegime
}

const EVENT_WEEK_DAYS = 7
const TOP_STRIKES = 5
const [FIRST_DATE, LAST_DATE] = ['0000-01-01', '9999-12-31'] as [IsoDate, IsoDate]

/**
 * Dealer positioning around an earnings report, if dealers are long all calls and short all puts. Source: the published
 * API contract, dealer positioning of earnings.
 */
export function eventPositioning(chain: PricedChain, report: IsoDate): EventPositioning {
  const end = addDays(report, EVENT_WEEK_DAYS)
  const week = liveBetween(chain, report, end)
  const all = liveScope(chain)
  const scopes: readonly (readonly [EventBucket, Scope])[] = [
    ['pre_event', liveBetween(chain, FIRST_DATE, addDays(report, -1))],
    ['event_week', week],
    ['post_event', liveBetween(chain, addDays(end, 1), LAST_DATE)]
  ]
  const expiration = datesOf(all).find((date) => date >= report)
  const rows = byStrike(week)
  const { spot } = chain
  const flip = gammaFlip(week)
  return {
    expiration,
    flip,
    callWall: highest(rows, spot, (row) => (row.strike > spot ? netGex(row) : 0))?.strike,
    putWall: highest(rows, spot, (row) => (row.strike < spot ? -row.putGex : 0))?.strike,
    highestOi: highest(rows, spot, totalOi)?.strike,
    buckets: scopes.flatMap(([bucket, scope]) => {
      const contracts = scope.slots.filter((i) => scope.book.openInterest[i] > 0).length
      return contracts === 0 ? [] : [{ bucket, netGex: netExposures(scope).gex, contracts }]
    }),
    top: rows
      .filter((row) => netGex(row) !== 0)
      .sort((a, b) => Math.abs(netGex(b)) - Math.abs(netGex(a)) || a.strike - b.strike)
      .slice(0, TOP_STRIKES),
    charmShare: expiration && ratio(grossCharm(liveBetween(chain, expiration, expiration)), grossCharm(all)),
    regime: flip === undefined ? 'undetermined' : spot >= flip ? 'positive_gamma' : 'negative_gamma'
  }
}

/** Sum of |charm exposure| over the contracts of a scope, USD of delta. */
function grossCharm(scope: Scope): number {
  let sum = 0
  for (const i of scope.slots) sum += Math.abs(charmExposure(scope, i))
  return sum
}
