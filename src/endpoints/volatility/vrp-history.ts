import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath, whole } from '../../api/params.ts'
import { Count, Day, Days, Name, Nullable, Percent, Price } from '../../api/quantity.ts'
import { addDays } from '../../market/calendar.ts'
import { difference } from '../../math/optional.ts'
import { moveOfDay } from '../../volatility/term/expected-move.ts'

const percent = (description?: string) => Nullable(Percent(description))

export const vrpHistory = endpoint({
  id: 'vrp.history',
  path: '/v1/vrp/{symbol}/history',
  tag: 'volatility',
  summary: 'Volatility risk premium of past sessions, one row for each',
  description: 'The premium of past sessions for charts and for backtests, one row a session.',
  plan: 'alpha',
  needs: ['quote', 'records', 'today'],
  // at most five of seven calendar days are sessions, plus one at each end
  recordsRead: ({ days }) => Math.ceil((5 * days) / 7) + 2,
  params: {
    symbol: symbolInPath(),
    days: whole({
      description: 'a whole number of calendar days back from today',
      default: 30,
      minimum: 1,
      maximum: 365,
      clamp: true
    })
  },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    days: Days('looked back'),
    data_points: Count('rows'),
    history: Type.Array(
      Type.Object(
        {
          date: Day(),
          spot: Price('close'),
          atm_iv: percent('at the forward of the reference expiration'),
          atm_iv_30d: percent('at the forward, constant maturity of 30 days'),
          rv_5d: percent('close to close over the last 5 returns'),
          rv_10d: percent(),
          rv_20d: percent(),
          rv_30d: percent(),
          vrp_20d: percent('atm_iv minus rv_20d, vol points'),
          straddle: Nullable(Price('call mid plus put mid at the strike nearest to spot, reference expiration')),
          expected_move_1d: Nullable(Price('spot times atm_iv times the root of 1/252'))
        },
        { title: 'VrpDay' }
      ),
      rowKey('date')
    )
  }),
  answer: ({ records, today }, { symbol, days }) => {
    const first = addDays(today, -days)
    const rows = records.filter(({ date }) => date >= first)
    return {
      symbol,
      days,
      data_points: rows.length,
      history: rows.map(({ date, close, atmIv, atmIv30, rv5, rv10, rv20, rv30, straddle }) => ({
        date,
        spot: close,
        atm_iv: atmIv,
        atm_iv_30d: atmIv30,
        rv_5d: rv5,
        rv_10d: rv10,
        rv_20d: rv20,
        rv_30d: rv30,
        vrp_20d: difference(atmIv, rv20),
        straddle,
        expected_move_1d: atmIv === undefined ? undefined : moveOfDay(close, atmIv)
      }))
    }
  }
})
