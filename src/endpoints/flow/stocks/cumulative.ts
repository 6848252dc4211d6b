import Type from 'typebox'
import { endpoint } from '../../../api/endpoint.ts'
import { Count, Name, Shares } from '../../../api/quantity.ts'
import { minuteBuckets } from '../../../flow/windows/window-buckets.ts'
import { cumulativePoints } from '../bucket.ts'
import { minutesUntil } from '../minutes-until.ts'
import { historyMinutes, ofStock } from '../tape-parameters.ts'

const points = cumulativePoints(Shares)

export const stockCumulative = endpoint({
  id: 'flow.stocks_cumulative',
  path: '/v1/flow/stocks/{symbol}/cumulative',
  tag: 'flow',
  summary: 'Cumulative net share volume over the window, oldest first',
  description: 'The running difference of bought and sold shares over a window: one line for a chart.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'stockMinutes', 'minute'],
  minutesRead: ({ minutes }) => minutes - 1,
  params: { ...ofStock, minutes: historyMinutes(240) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('ticker'),
    minutes: Count('of the window, the current minute included'),
    count: Count('minutes with a print'),
    points: points.schema
  }),
  answer: ({ stockMinutes, minute }, { symbol, minutes }) => {
    const buckets = minuteBuckets(stockMinutes, minutesUntil(minute, minutes))
    return { symbol, minutes, count: buckets.length, points: points.fill(buckets) }
  }
})
