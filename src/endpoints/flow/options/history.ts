import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Count, Name } from '../../../api/quantity.ts'
import { minuteBuckets } from '../../../flow/windows/window-buckets.ts'
import { optionBucket } from '../bucket.ts'
import { expiryAsked } from '../expiry-asked.ts'
import { minutesUntil } from '../minutes-until.ts'
import { historyMinutes, ofOptions } from '../tape-parameters.ts'

export const optionHistory = endpoint({
  id: 'flow.options_history',
  path: '/v1/flow/options/{symbol}/history',
  tag: 'flow',
  summary: 'Minute buckets of the option tape, newest first',
  description: 'Option volume by minute with both sides and prices, for charts of a window.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'optionMinutes', 'minute'],
  minutesRead: ({ minutes }) => minutes - 1,
  params: { ...ofOptions, minutes: historyMinutes(60) },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    expiry: expiryAsked,
    minutes: Count('of the window, the current minute included'),
    count: Count('minutes with a print'),
    buckets: Type.Array(optionBucket.schema, rowKey('ts'))
  }),
  answer: ({ optionMinutes, minute }, { symbol, expiry, minutes }) => {
    const buckets = minuteBuckets(optionMinutes, minutesUntil(minute, minutes), expiry)
    return { symbol, expiry, minutes, count: buckets.length, buckets: buckets.map(optionBucket.fill).reverse() }
  }
})
