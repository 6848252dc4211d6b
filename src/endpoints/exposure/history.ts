import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath, text, whole } from '../../api/params.ts'
import { Count, Day, Days, Level, Nullable, Price, Words } from '../../api/quantity.ts'
import type { Regime } from '../../exposure/regime.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import { netFields, wireNet } from './net-block.ts'

const shared = {
  id: 'exposure.history',
  path: '/v1/exposure/history/{symbol}',
  tag: 'exposure',
  plan: 'growth',
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Type.String(),
    days: Days(),
    count: Count(),
    snapshots: Type.Array(
      Type.Object({
        date: Day(),
        underlying_price: Price('close'),
        ...netFields,
        gamma_flip: Nullable(Level()),
        call_wall: Nullable(Price()),
        put_wall: Nullable(Price()),
        regime: Words('positive_gamma', 'negative_gamma', 'undetermined')
      })
    )
  })
} as const

/** As long as it is only announced: for any symbol somebody knows it answers coming_soon, whatever days is. */
export const history = endpoint({
  ...shared,
  summary: 'Daily exposure snapshots (announced, not served yet)',
  needs: ['quote'],
  params: {
    symbol: symbolInPath(),
    days: text({ description: 'look-back in days, 1 to 365', code: 'coming_soon', example: '30' })
  },
  errors: ['coming_soon'],
  answer: () => {
    throw apiError('coming_soon', 'daily exposure history is announced and not served yet')
  }
})

/** As served where the operator has enabled it: one snapshot for each session before the moment, newest first. */
export const servedHistory = endpoint({
  ...shared,
  summary: 'Daily exposure snapshots, newest first',
  needs: ['quote', 'records'],
  snapshots: ({ days }) => days,
  params: {
    symbol: symbolInPath(),
    days: whole({
      description: 'a whole number, of snapshots to answer with at most',
      default: 30,
      minimum: 1,
      maximum: 365,
      clamp: true
    })
  },
  answer: ({ records }, { symbol, days }) => {
    const snapshots = records.map(wireSnapshot).reverse()
    return { symbol, days, count: snapshots.length, snapshots }
  }
})

/**
 * A session as the summary would have told it at its close: where no contract carried any exposure the sums are 0, as
 * sums over nothing are, and the regime says that they tell nothing.
 */
function wireSnapshot({ date, close, netGex, netDex, netVex, netChex, gammaFlip, callWall, putWall }: DailyRecord) {
  return {
    date,
    underlying_price: close,
    ...wireNet({ gex: netGex ?? 0, dex: netDex ?? 0, vex: netVex ?? 0, chex: netChex ?? 0 }),
    gamma_flip: gammaFlip,
    call_wall: callWall,
    put_wall: putWall,
    regime: regimeAt(netGex ?? 0, gammaFlip)
  }
}

/** Spot lies above the flip exactly where net gamma is positive, and at it where that is 0. */
function regimeAt(netGex: number, flip: number | undefined): Regime | 'undetermined' {
  if (netGex > 0 || (netGex === 0 && flip !== undefined)) return 'positive_gamma'
  return netGex < 0 ? 'negative_gamma' : 'undetermined'
}
