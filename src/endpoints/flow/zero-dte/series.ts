import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { endpoint } from '../../../api/endpoint.ts'
import {
  Day,
  Level,
  Name,
  Notional,
  Nullable,
  Percent,
  Price,
  Score,
  Timestamp,
  Usd,
  Volatility,
  Words
} from '../../../api/quantity.ts'
import { regimeAt, statedRegimes } from '../../../exposure/regime.ts'
import { isoInstant } from '../../../market/units.ts'
import { hedgeFlowOf, SAMPLE_STEP, type ZeroDteSample } from '../../../market/zero-dte-sample.ts'
import { lastBars } from './buckets.ts'
import { barNames, barSizes, byBar, dayWindow, opening, rowsUntil } from './window.ts'

const CENTS = 100

const seriesBar = block(
  Type.Object(
    {
      t: Timestamp('the beginning of the bar'),
      spot: Price(),
      net_gex: Notional('USD per 1 % move of spot'),
      net_dex: Notional(),
      gamma_flip: Nullable(Level()),
      call_wall: Nullable(Price()),
      put_wall: Nullable(Price()),
      magnet: Nullable(Price('strike with the largest net gamma by size')),
      pin_score: Score(),
      pin_probability_pct: Nullable(
        Percent('that the close lies within 0.25 % of the magnet', { minimum: 0, maximum: 100 })
      ),
      regime: Words(...statedRegimes),
      atm_iv: Nullable(Volatility('a fraction')),
      charm_dollars_per_hour: Nullable(Usd('delta gained to the close over the hours of session left')),
      hedge_flow_call_cumulative: Usd('running since the open; positive where dealers buy the underlying'),
      hedge_flow_put_cumulative: Usd('running since the open'),
      hedge_flow_cumulative_all: Usd('both legs')
    },
    { title: 'ZeroDteSeriesBar' }
  ),
  (sample: ZeroDteSample & { readonly start: number }) => ({
    t: isoInstant(sample.start),
    spot: sample.spot,
    net_gex: sample.netGex,
    net_dex: sample.netDex,
    gamma_flip: sample.gammaFlip,
    call_wall: sample.callWall,
    put_wall: sample.putWall,
    magnet: sample.magnet,
    pin_score: sample.pinScore,
    pin_probability_pct: sample.pinProbability,
    regime: regimeAt(sample.spot, sample.gammaFlip, sample.netGex),
    atm_iv: sample.atmIv,
    charm_dollars_per_hour: sample.charmPerHour,
    hedge_flow_call_cumulative: sample.hedgeCalls / CENTS,
    hedge_flow_put_cumulative: sample.hedgePuts / CENTS,
    hedge_flow_cumulative_all: hedgeFlowOf(sample)
  })
)

export const zeroDteSeries = endpoint({
  id: 'flow.zero_dte_series',
  path: '/v1/flow/zero-dte/series/{symbol}',
  tag: 'flow',
  summary: 'Figures of the contracts that expire that day, through the session',
  description:
    "The course of a session: exposures, levels and hedge flow of today's contracts in bars of 30 seconds to 15 minutes.",
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['samples', 'halfMinute'],
  params: byBar,
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    expiration: Day('the date of the session that is served'),
    as_of: Timestamp('the end of the newest raw bar'),
    bar_size: Words(...barNames),
    bars: Type.Array(seriesBar.schema, {
      ...rowKey('t'),
      description: 'ascending; each shows the last raw bar of 30 s in it'
    })
  }),
  answer: ({ samples, halfMinute }, { symbol, bar, minutes }) => {
    const size = barSizes[bar]
    const window = dayWindow({ now: halfMinute, minutes, size, step: SAMPLE_STEP })
    const held = samples && { session: samples.session, rows: samples.samples }
    const rows = rowsUntil(window, held, SAMPLE_STEP)
    const known = rows.at(-1)
    const bars = lastBars(rows, window, size).filter(({ start }) => start >= window.from)
    return {
      ...opening(symbol, window, known && known.t + SAMPLE_STEP),
      bar_size: bar,
      bars: bars.map(({ start, last }) => seriesBar.fill({ ...last, start }))
    }
  }
})
