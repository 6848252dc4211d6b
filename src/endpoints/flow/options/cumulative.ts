import Type from 'typebox'
import { endpoint } from '../../../api/endpoint.ts'
import { Contracts, Count, Name } from '../../../api/quantity.ts'
import { minuteBuckets } from '../../../flow/windows/window-buckets.ts'
import { cumulativePoints } from '../bucket.ts'
import { expiryAsked } from '../expiry-asked.ts'
import { minutesUntil } from '../minutes-until.ts'
import { historyMinutes, ofOptions } from '../tape-parameters.ts'

const points = cumulativePoints(Contracts)

export const optionCumulative = endpoint({
  id: 'flow.options_cumulative',
  path: '/v1/flow/options/{symbol}/cumulative',
  tag: 'flow',
  summary: 'Cumulative net option volume over the window, oldest first',
  description: 'The running difference of bought and sold contracts over a window: one line for a chart.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'optionMinutes', 'minute'],
  minutesRead: ({ minutes }) => minutes - 1,
  params: { ...ofOptions, minutes: historyMinutes(240) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    expiry: expiryAsked,
    minutes: Count('of the window, the current minute included'),
    count: Count('minutes with a print'),
    points: points.schema
  }),
  answer: ({ optionMinutes, minute }, { symbol, expiry, minutes }) => {
    const buckets = minuteBuckets(optionMinutes, minutesUntil(minute, minutes), expiry)
    return { symbol, expiry, minutes, count: buckets.length, points: points.fill(buckets) }
  }
})
