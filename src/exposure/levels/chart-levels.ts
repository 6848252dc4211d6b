import { deviationBounds } from '../../pricing/deviation-bounds.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { impliedMove } from '../at-the-money/implied-move.ts'
import { maxPain } from '../pin/max-pain.ts'
import { liveOn, liveScope, type Scope, sameDayScope, withBook } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { keyLevels, topGammaStrikes } from './key-levels.ts'

/** Names of the levels on a chart, in the order in which they are drawn. */
export const chartLevelIds = [
  'gamma_flip',
  'call_wall',
  'put_wall',
  'max_pain',
  'zero_dte_magnet',
  'zero_dte_call_wall',
  'zero_dte_put_wall',
  'expected_move_upper',
  'expected_move_lower',
  'gex_1',
  'gex_2',
  'gex_3',
  'gex_4',
  'gex_5'
] as const
export type ChartLevelId = (typeof chartLevelIds)[number]

/** A price level on a chart, USD. `isStrike` is false for computed levels, such as the gamma flip. */
export interface ChartLevel {
  readonly id: ChartLevelId
  readonly price: number
  readonly isStrike: boolean
}

const TOP = 5

/**
 * Levels for a chart: those of a scope, of today's expiration and of the nearest expiration. A level that does not
 * exist is left out. The walls of today's expiration are included only with `sameDay`.
 */
export function chartLevels(scope: Scope, { sameDay }: { readonly sameDay: boolean }): readonly ChartLevel[] {
  const { chain, book } = scope
  const { callWall, putWall } = keyLevels(scope)
  const today = keyLevels(withBook(sameDayScope(chain), book))
  const move = nearestMove(chain)
  const bounds = move === undefined ? undefined : deviationBounds(chain.spot, move / chain.spot)
  const top = topGammaStrikes(scope, TOP)
  const prices: Readonly<Record<ChartLevelId, number | undefined>> = {
    gamma_flip: gammaFlip(scope),
    call_wall: callWall?.strike,
    put_wall: putWall?.strike,
    max_pain: maxPain(scope),
    zero_dte_magnet: today.magnet?.strike,
    zero_dte_call_wall: sameDay ? today.callWall?.strike : undefined,
    zero_dte_put_wall: sameDay ? today.putWall?.strike : undefined,
    expected_move_upper: bounds?.upper,
    expected_move_lower: bounds?.lower,
    gex_1: top[0]?.strike,
    gex_2: top[1]?.strike,
    gex_3: top[2]?.strike,
    gex_4: top[3]?.strike,
    gex_5: top[4]?.strike
  }
  return chartLevelIds.flatMap((id) => {
    const price = prices[id]
    return price === undefined ? [] : [{ id, price, isStrike: !computed.has(id) }]
  })
}

const computed: ReadonlySet<ChartLevelId> = new Set(['gamma_flip', 'expected_move_upper', 'expected_move_lower'])

/** Expected move until the nearest unexpired expiration: one standard deviation in USD. */
function nearestMove(chain: PricedChain): number | undefined {
  const [nearest] = liveScope(chain).expirations
  return nearest === undefined ? undefined : impliedMove(liveOn(chain, chain.expirations[nearest].date))?.remaining
}
