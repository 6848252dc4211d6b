import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { choice } from '../../../api/params.ts'
import { Day, Name, Timestamp, Usd, Words } from '../../../api/quantity.ts'
import { isoInstant } from '../../../market/units.ts'
import { SAMPLE_STEP, type ZeroDteSample } from '../../../market/zero-dte-sample.ts'
import { lastBars } from './buckets.ts'
import { barNames, barSizes, byBar, dayWindow, opening, rowsUntil } from './window.ts'

const CENTS = 100

/** Estimated hedge trades of dealers since the open, in whole cents: those for all options, for calls or for puts. */
const sides = {
  all: ({ hedgeCalls, hedgePuts }: ZeroDteSample) => hedgeCalls + hedgePuts,
  calls: ({ hedgeCalls }: ZeroDteSample) => hedgeCalls,
  puts: ({ hedgePuts }: ZeroDteSample) => hedgePuts
}

const side = choice({
  description: 'all, calls or puts',
  spelling: { all: 'all', calls: 'calls', puts: 'puts' } as const,
  default: 'all',
  code: 'invalid_side'
})

export const zeroDteHedgeFlow = endpoint({
  id: 'flow.zero_dte_hedge_flow',
  path: '/v1/flow/zero-dte/hedge-flow/{symbol}',
  tag: 'flow',
  summary: 'Estimated dealer hedging in contracts that expire that day, by bar and cumulative',
  description:
    "How much of the underlying dealers bought or sold by estimate to hedge today's contracts: by bar and running.",
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['samples', 'halfMinute'],
  params: {
    ...byBar,
    side
  },
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    expiration: Day('the date of the session that is served'),
    as_of: Timestamp('the end of the newest raw bar'),
    side: Words('all', 'calls', 'puts'),
    bar_size: Words(...barNames),
    bars: Type.Array(
      Type.Object(
        {
          t: Timestamp('the beginning of the bar'),
          bar: Usd('since the previous bar; positive where dealers buy the underlying'),
          cumulative: Usd('running since the open, at the end of the last raw bar of 30 s in it')
        },
        { title: 'HedgeFlowBar' }
      ),
      { ...rowKey('t'), description: 'ascending' }
    )
  }),
  answer: ({ samples, halfMinute }, { symbol, side, bar, minutes }) => {
    const size = barSizes[bar]
    const window = dayWindow({ now: halfMinute, minutes, size, step: SAMPLE_STEP })
    const held = samples && { session: samples.session, rows: samples.samples }
    const rows = rowsUntil(window, held, SAMPLE_STEP)
    const known = rows.at(-1)
    const running = lastBars(rows, window, size).map(({ start, last }) => ({ start, cents: sides[side](last) }))
    const bars = running.map(({ start, cents }, k) => ({ start, cents, inside: cents - (running[k - 1]?.cents ?? 0) }))
    return {
      ...opening(symbol, window, known && known.t + SAMPLE_STEP),
      side,
      bar_size: bar,
      bars: bars
        .filter(({ start }) => start >= window.from)
        .map(({ start, cents, inside }) => ({
          t: isoInstant(start),
          bar: inside / CENTS,
          cumulative: cents / CENTS
        }))
    }
  }
})
