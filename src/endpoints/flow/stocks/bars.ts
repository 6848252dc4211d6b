import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { choice } from '../../../api/params.ts'
import { Count, Name, Nullable, Timestamp, Words } from '../../../api/quantity.ts'
import type { MinuteBuckets, SecondBars } from '../../../flow/tape-views.ts'
import { type BarResolution, barStart, flowBars, longestBar, resolutions } from '../../../flow/windows/price-bars.ts'
import { minuteBuckets, secondBuckets } from '../../../flow/windows/window-buckets.ts'
import { isoInstant, MILLISECONDS_PER_MINUTE, type Instant as Moment } from '../../../market/units.ts'
import { stockBar } from '../bucket.ts'
import { barMinutes, ofStock } from '../tape-parameters.ts'

const spelling = Object.fromEntries(resolutions.map((one) => [one, one])) as Record<BarResolution, BarResolution>

export const stockBars = endpoint({
  id: 'flow.stocks_bars',
  path: '/v1/flow/stocks/{symbol}/bars',
  tag: 'flow',
  summary: 'OHLCV bars with side volumes, oldest first',
  description: 'Price bars of 1 second to 4 hours made from the stock tape, with bought and sold volume in each.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'stockSeconds', 'stockMinutes', 'second'],
  minutesRead: ({ minutes, resolution }) => minutes + Math.ceil(longestBar(resolution!)),
  params: {
    ...ofStock,
    resolution: choice({
      description: `length of a bar: ${resolutions.join(', ')}`,
      spelling,
      code: 'invalid_resolution',
      required: true
    }),
    minutes: barMinutes
  },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('ticker'),
    resolution: Words(...resolutions),
    minutes: Count('of the window'),
    count: Count('bars with a print'),
    dataStartUtc: Nullable(Timestamp('the beginning of the oldest second that is kept; null without one')),
    bars: Type.Array(stockBar.schema, rowKey('ts'))
  }),
  answer: ({ stockSeconds, stockMinutes, second: now }, { symbol, resolution: asked, minutes }) => {
    const resolution = asked!
    const window = { from: barStart(now - minutes * MILLISECONDS_PER_MINUTE, resolution), to: now }
    const buckets = resolution === '1s' ? secondBuckets(stockSeconds, window) : minuteBuckets(stockMinutes, window)
    const rolled = flowBars(buckets, resolution)
    return {
      symbol,
      resolution,
      minutes,
      count: rolled.length,
      dataStartUtc: startOf(stockSeconds, resolution === '1s' ? [] : stockMinutes),
      bars: rolled.map((bar) => stockBar.fill(bar, now))
    }
  }
})

/** Time of the first bar with data. Prints of this session are kept by second, those of earlier sessions by minute. */
function startOf(seconds: SecondBars, minutes: readonly MinuteBuckets[]): string | undefined {
  const past = minutes.find(({ session, length }) => session < seconds.session && length > 0)
  const start: Moment | undefined = past?.minute[0] ?? seconds.second[0]
  return start === undefined ? undefined : isoInstant(start)
}
