import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath, text, whole } from '../../api/params.ts'
import { Count, Day, Days, Level, Name, Nullable, Price, Words } from '../../api/quantity.ts'
import { regimeOfSums, statedRegimes } from '../../exposure/regime.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import { netBlock } from './net-block.ts'

/**
 * Exposure summary of a session at its close. Without contracts that add exposure the sums are 0 and the regime is
 * undetermined.
 */
const snapshotBlock = block(
  Type.Object(
    {
      date: Day(),
      underlying_price: Price('close'),
      ...netBlock.schema.properties,
      gamma_flip: Nullable(Level()),
      call_wall: Nullable(Price()),
      put_wall: Nullable(Price()),
      regime: Words(...statedRegimes)
    },
    { title: 'ExposureSnapshot' }
  ),
  ({ date, close, netGex, netDex, netVex, netChex, gammaFlip, callWall, putWall }: DailyRecord) => ({
    date,
    underlying_price: close,
    ...netBlock.fill({ gex: netGex ?? 0, dex: netDex ?? 0, vex: netVex ?? 0, chex: netChex ?? 0 }),
    gamma_flip: gammaFlip,
    call_wall: callWall,
    put_wall: putWall,
    regime: regimeOfSums(netGex ?? 0, gammaFlip)
  })
)

const shared = {
  id: 'exposure.history',
  path: '/v1/exposure/history/{symbol}',
  tag: 'exposure',
  plan: 'growth',
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name(),
    days: Days(),
    count: Count(),
    snapshots: Type.Array(snapshotBlock.schema, rowKey('date'))
  })
} as const

/** Endpoint that is used while the feature is off. Requests for known symbols get the error coming_soon. */
export const history = endpoint({
  ...shared,
  summary: 'Daily exposure snapshots (announced but not available yet)',
  description:
    'Exposures at the close of each past session, one row a day. Answers 503 `coming_soon` until the operator enables it.',
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

/** Endpoint that is used while the feature is on. It returns one snapshot per earlier session, newest first. */
export const servedHistory = endpoint({
  ...shared,
  summary: 'Daily exposure snapshots, newest first',
  description:
    'Exposures at the close of each past session, one row a day: for charts and backtests of levels and regimes.',
  needs: ['quote', 'records'],
  recordsRead: ({ days }) => days,
  params: {
    symbol: symbolInPath(),
    days: whole({
      description: 'a whole number: the most snapshots to return',
      default: 30,
      minimum: 1,
      maximum: 365,
      clamp: true
    })
  },
  answer: ({ records }, { symbol, days }) => {
    const snapshots = records.map((record) => snapshotBlock.fill(record)).reverse()
    return { symbol, days, count: snapshots.length, snapshots }
  }
})
