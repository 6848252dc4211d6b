import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Count, Name } from '../../../api/quantity.ts'
import { minuteBuckets } from '../../../flow/windows/window-buckets.ts'
import { stockBucket } from '../bucket.ts'
import { minutesUntil } from '../minutes-until.ts'
import { historyMinutes, ofStock } from '../tape-parameters.ts'

export const stockHistory = endpoint({
  id: 'flow.stocks_history',
  path: '/v1/flow/stocks/{symbol}/history',
  tag: 'flow',
  summary: 'Minute buckets of the stock tape, newest first',
  description: 'Share volume by minute with both sides and prices, for charts of a window.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'stockMinutes', 'minute'],
  minutesRead: ({ minutes }) => minutes - 1,
  params: { ...ofStock, minutes: historyMinutes(60) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('ticker'),
    minutes: Count('of the window, the current minute included'),
    count: Count('minutes with a print'),
    buckets: Type.Array(stockBucket.schema, rowKey('ts'))
  }),
  answer: ({ stockMinutes, minute }, { symbol, minutes }) => {
    const buckets = minuteBuckets(stockMinutes, minutesUntil(minute, minutes))
    return { symbol, minutes, count: buckets.length, buckets: buckets.map(stockBucket.fill).reverse() }
  }
})
