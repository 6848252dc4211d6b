import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Inputs } from '../../../src/api/inputs/inputs.ts'
import { session } from '../../../src/market/calendar.ts'
import type { Instant, IsoDate, Ticker } from '../../../src/market/units.ts'
import { ArchiveReader } from '../../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../../src/replay/replay-market.ts'
import { endpointAt } from '../../support/asking.ts'
import { engineWith } from '../../support/engine-with.ts'
import { type MemoryStore, memoryStore } from '../../support/memory-store.ts'
import { MemoryTapes } from '../../support/memory-tapes.ts'
import { inputsAt, messagesOf, SampledDay, textOfFlow } from '../../support/sampled-day.ts'
import { ascending, contractInvariants } from '../invariants/invariant.ts'

const KO = 'KO' as Ticker
const friday = '2026-07-31' as IsoDate
const { open, close } = session(friday)!
const minutes = (count: number) => count * 60_000

const at = (name: string) => `/v1/flow/zero-dte/${name}`
const paths = {
  series: at('series/{symbol}'),
  hedge: at('hedge-flow/{symbol}'),
  heatmap: at('heatmap/{symbol}'),
  strikes: at('strike-flow/{symbol}'),
  leaders: at('leaderboard')
}

/** Moments of the day: inside a bar, at the end of one, in the gap of the record, at the close and in the evening. */
const moments = [
  open + 45_000,
  open + minutes(6),
  open + minutes(9) + 31_000,
  open + minutes(12),
  open + minutes(20),
  close - 90_000,
  close,
  close + minutes(120)
]

interface Bar {
  readonly t: string
}
interface Wrapper<Row extends Bar = Bar> {
  readonly expiration: string
  readonly as_of: string
  readonly bars: readonly Row[]
}
type SeriesBar = Bar & Readonly<Record<'pin_score' | 'net_gex' | LegName, number>>
type LegName = 'hedge_flow_call_cumulative' | 'hedge_flow_put_cumulative' | 'hedge_flow_cumulative_all'
type HedgeBar = Bar & Readonly<Record<'bar' | 'cumulative', number>>
type Values = readonly (number | null)[]
interface Grid<Row extends Bar> extends Wrapper<Row> {
  readonly underlying_price: number | null
  readonly strikes_grid: readonly number[]
  readonly gap_intervals: readonly { readonly start: string; readonly end: string; readonly missing_bars: number }[]
}
type HeatBar = Bar & { readonly spot: number; readonly values: Values }
type FlowBar = Bar & Readonly<Record<'signed_delta_dollars' | 'signed_gamma_dollars' | 'contracts', Values>>
interface Leaders {
  readonly entries: readonly { readonly rank: number; readonly symbol: string; readonly value: number }[]
}

const taped = new MemoryTapes({
  heads: [{ symbol: KO, kind: 'option', session: friday, source: 'synthetic', unit: '0.0001' }],
  series: [],
  prints: { option: [], stock: [] }
})

let archive: MemoryStore
/** Inputs of the answers, live and replayed, by moment. */
const seen = new Map<Instant, { readonly live: Partial<Inputs>; readonly past: Partial<Inputs> }>()

const pastInputs = (store: MemoryStore, moment: Instant) =>
  inputsAt(new ReplayMarket(new ArchiveReader(store, engineWith({})), moment, [KO]), KO)

beforeAll(async () => {
  const day = new SampledDay(KO, friday, await messagesOf(KO, friday), open)
  const live = new Map<Instant, Partial<Inputs>>()
  const stretches = [
    { from: open, to: open + minutes(12), next: close - minutes(3) },
    { from: close - minutes(3), to: close, next: Number.POSITIVE_INFINITY }
  ]
  for (const { from, to, next } of stretches) {
    await day.run(from, from)
    for (let end = from + 30_000; end <= to; end += 30_000) {
      await day.run(end - 30_000, end)
      for (const moment of moments)
        if (moment >= end && moment < end + 30_000) live.set(moment, await day.inputsAt(moment))
    }
    for (const moment of moments) if (moment > to && moment < next) live.set(moment, await day.inputsAt(moment))
  }
  archive = memoryStore({ snapshots: [], bars: [], records: [], zeroDte: day.rows }, taped)
  for (const moment of moments) seen.set(moment, { live: live.get(moment)!, past: await pastInputs(archive, moment) })
})

type Asked = Readonly<Record<string, string>>
const sizes = ['30s', '1m', '5m', '15m'] as const
const windows = ['1', '7', '60', '390']
const byBar = sizes.flatMap((bar) => windows.map((minutes): Asked => ({ bar, minutes })))
const byMinute = windows.map((minutes): Asked => ({ minutes }))
const metrics = ['gex', 'dex', 'vex', 'chex', 'oi', 'signed_flow']
const queries: Readonly<Record<string, readonly Asked[]>> = {
  [paths.series]: byBar,
  [paths.hedge]: ['all', 'calls', 'puts'].flatMap((side) => byBar.map((query) => ({ ...query, side }))),
  [paths.heatmap]: metrics.flatMap((metric) =>
    ['raw', 'delta'].flatMap((mode) => byMinute.map((query) => ({ ...query, metric, mode })))
  ),
  [paths.strikes]: byMinute,
  [paths.leaders]: ['heat', 'pin_risk', 'abs_flow', 'charm_intensity'].flatMap((metric) =>
    ['1', '20'].map((n) => ({ metric, n }))
  )
}

interface Case {
  readonly query: Asked
  readonly other: <Answer>(path: string, query: Asked) => Answer
}
type Check = (answer: never, at: Case) => void

const size = ({ bar = '30s' }: Asked) => ({ '30s': 30_000, '1m': 60_000, '5m': 300_000, '15m': 900_000 })[bar]!
const aligned = ({ bars }: Wrapper, step: number) =>
  ascending(bars.map(({ t }) => t)) && bars.every(({ t }) => (Date.parse(t) - open) % step === 0)
const isNext = (bars: readonly Bar[], k: number, step: number) =>
  k > 0 && Date.parse(bars[k].t) - Date.parse(bars[k - 1].t) === step
const sum = (values: Values) => values.reduce<number>((all, value) => all + (value ?? 0), 0)

const checks: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  [paths.series]: {
    't strictly increasing and aligned to bar_size': (answer: Wrapper, { query }) =>
      expect(aligned(answer, size(query))).toBe(true),
    'hedge_flow_cumulative_all ~= hedge_flow_call_cumulative + hedge_flow_put_cumulative': ({
      bars
    }: Wrapper<SeriesBar>) => {
      for (const bar of bars) {
        expect(bar.hedge_flow_cumulative_all).toBeCloseTo(
          bar.hedge_flow_call_cumulative + bar.hedge_flow_put_cumulative,
          6
        )
      }
    },
    '0 <= pin_score <= 100': ({ bars }: Wrapper<SeriesBar>) =>
      expect(bars.every(({ pin_score: score }) => Number.isInteger(score) && score >= 0 && score <= 100)).toBe(true),
    'bars at 5m are a subset by value of bars at 30s (last of each bucket)': (answer: Wrapper, { query, other }) => {
      const raw = other<Wrapper>(paths.series, { bar: '30s', minutes: '390' }).bars
      for (const { t, ...figures } of answer.bars) {
        const inside = raw.filter((bar) => bar.t >= t && Date.parse(bar.t) < Date.parse(t) + size(query))
        expect(inside.at(-1)).toEqual({ ...figures, t: inside.at(-1)!.t })
      }
    }
  },
  [paths.hedge]: {
    'bars[i].cumulative ~= bars[i-1].cumulative + bars[i].bar (contiguous bars)': (
      { bars }: Wrapper<HedgeBar>,
      { query }
    ) => {
      bars.forEach(({ bar, cumulative }, k) => {
        if (isNext(bars, k, size(query))) expect(cumulative).toBeCloseTo(bars[k - 1].cumulative + bar, 6)
      })
    },
    'all == calls + puts for bar and cumulative at the same t': ({ bars }: Wrapper<HedgeBar>, { query, other }) => {
      if (query.side !== 'all') return
      const [calls, puts] = ['calls', 'puts'].map(
        (side) => other<Wrapper<HedgeBar>>(paths.hedge, { ...query, side }).bars
      )
      bars.forEach(({ bar, cumulative }, k) => {
        expect(bar).toBeCloseTo(calls[k].bar + puts[k].bar, 6)
        expect(cumulative).toBeCloseTo(calls[k].cumulative + puts[k].cumulative, 6)
      })
    },
    'cumulative equals hedge_flow_*_cumulative of series at the same t and bar': (
      { bars }: Wrapper<HedgeBar>,
      { query: { side, ...query }, other }
    ) => {
      const names: Readonly<Record<string, LegName>> = {
        all: 'hedge_flow_cumulative_all',
        calls: 'hedge_flow_call_cumulative',
        puts: 'hedge_flow_put_cumulative'
      }
      const series = other<Wrapper<SeriesBar>>(paths.series, query).bars
      expect(bars.map(({ t, cumulative }) => [t, cumulative])).toEqual(series.map((bar) => [bar.t, bar[names[side]]]))
    }
  },
  [paths.heatmap]: {
    'len(values) == len(strikes_grid) for every bar': ({ bars, strikes_grid: grid }: Grid<HeatBar>) =>
      expect(bars.every(({ values }) => values.length === grid.length)).toBe(true),
    'strikes_grid strictly ascending': ({ strikes_grid: grid }: Grid<HeatBar>) => expect(ascending(grid)).toBe(true),
    't strictly increasing, minute-aligned': (answer: Wrapper) => expect(aligned(answer, 60_000)).toBe(true),
    'mode=delta: cumulative sum of values reproduces mode=raw (non-null runs; not for signed_flow)': (
      { bars, strikes_grid: grid }: Grid<HeatBar>,
      { query, other }
    ) => {
      const raw = other<Grid<HeatBar>>(paths.heatmap, { ...query, mode: 'raw' }).bars
      const isChange = query.mode === 'delta' && query.metric !== 'signed_flow'
      grid.forEach((_, k) => {
        let running = 0
        bars.forEach(({ values }, row) => {
          running = isChange ? running + (values[k] ?? 0) : (values[k] ?? 0)
          if (raw.slice(0, row + 1).every((bar) => bar.values[k] !== null)) {
            expect(Math.abs(running - raw[row].values[k]!)).toBeLessThan(0.006 * (row + 1))
          }
        })
      })
    },
    'metric=signed_flow equals signed_delta_dollars of strike-flow at the same t and strike': (
      { bars }: Grid<HeatBar>,
      { query, other }
    ) => {
      if (query.metric !== 'signed_flow') return
      const flow = other<Grid<FlowBar>>(paths.strikes, { minutes: query.minutes }).bars
      expect(bars.map(({ values }) => values)).toEqual(flow.map((bar) => bar.signed_delta_dollars))
    }
  },
  [paths.strikes]: {
    'all three arrays have len(strikes_grid)': ({ bars, strikes_grid: grid }: Grid<FlowBar>) => {
      for (const { signed_delta_dollars: delta, signed_gamma_dollars: gamma, contracts } of bars) {
        expect([delta.length, gamma.length, contracts.length]).toEqual([grid.length, grid.length, grid.length])
      }
    },
    'sum over strikes of signed_delta_dollars ~= bar of hedge-flow side=all, bar=1m at the same t (strikes outside the grid excepted)':
      ({ bars }: Grid<FlowBar>, { other }) => {
        const hedge = other<Wrapper<HedgeBar>>(paths.hedge, { side: 'all', bar: '1m', minutes: '390' }).bars
        for (const { t, signed_delta_dollars: delta } of bars) {
          const k = hedge.findIndex((bar) => bar.t === t)
          const isAlone = k === 0 ? Date.parse(t) === open : isNext(hedge, k, 60_000)
          if (isAlone) expect(sum(delta)).toBeCloseTo(hedge[k].bar, 4)
        }
      },
    'contracts >= 0': ({ bars }: Grid<FlowBar>) =>
      expect(bars.every(({ contracts }) => contracts.every((count) => count === null || count >= 0))).toBe(true)
  },
  [paths.leaders]: {
    'rank == 1..len(entries) in order': ({ entries }: Leaders) =>
      expect(entries.map(({ rank }) => rank)).toEqual(entries.map((_, k) => k + 1)),
    'value non-increasing': ({ entries }: Leaders) =>
      expect(entries.every(({ value }, k) => k === 0 || value <= entries[k - 1].value)).toBe(true),
    'len(entries) <= n': ({ entries }: Leaders, { query }) =>
      expect(entries.length).toBeLessThanOrEqual(Number(query.n))
  }
}

const folder = resolve(import.meta.dirname, '../../../../shared/contract/flow.yaml')
const ajv = addFormats.default(new Ajv2020({ strict: false }))
if (existsSync(folder)) ajv.addSchema(parse(readFileSync(folder, 'utf8')), 'flow')
else console.log('skipped: the contract is not beside the project, so answers are held to their declared shapes alone')

describe.each(Object.entries(queries))('%s', (path, asked) => {
  const answersAt = (inputs: Partial<Inputs>, query: Asked) => textOfFlow(path, inputs, query)

  test('answers in the shape of the contract and in its own', () => {
    const pointer = `flow#/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`
    const own = ajv.compile(JSON.parse(JSON.stringify(endpointAt(path).response)))
    const shapes = existsSync(folder) ? [own, ajv.compile({ $ref: pointer })] : [own]
    for (const { live } of seen.values()) {
      for (const query of asked) {
        const body = JSON.parse(answersAt(live, query))
        for (const shape of shapes) expect(shape(body), ajv.errorsText(shape.errors)).toBe(true)
      }
    }
  })

  test('every invariant of the contract has its test', () => {
    expect(Object.keys(checks[path]).sort()).toEqual(contractInvariants(path) ?? expect.anything())
  })

  test.each(Object.entries(checks[path]))('%s', (_, check) => {
    for (const [moment, { live }] of seen) {
      const other = <Answer>(place: string, query: Asked): Answer => JSON.parse(textOfFlow(place, live, query))
      for (const query of asked) {
        try {
          check(JSON.parse(answersAt(live, query)) as never, { query, other })
        } catch (error) {
          const where = `${new Date(moment).toISOString()} ${JSON.stringify(query)}`
          throw new Error(`${where}: ${(error as Error).message}`, { cause: error })
        }
      }
    }
  })

  test('gives of the past what it gave when that was the present', () => {
    for (const { live, past } of seen.values()) {
      for (const query of asked) expect(answersAt(past, query)).toBe(answersAt(live, query))
    }
  })

  test('sees nothing that came later', async () => {
    for (const [moment, { past }] of seen) {
      for (const other of [archive.cut(moment), archive.poison(moment)]) {
        const found = await pastInputs(other, moment)
        for (const query of asked) expect(answersAt(found, query)).toBe(answersAt(past, query))
      }
    }
  })

  test('answers of a symbol without samples with its wrapper and nothing in it', () => {
    const none = { samples: undefined, strikeMinutes: undefined, newestSamples: [] }
    const { minute, halfMinute } = seen.get(close)!.live as Inputs
    for (const query of asked) {
      const body = JSON.parse(answersAt({ ...none, minute, halfMinute }, query))
      expect(body.bars ?? body.entries).toEqual([])
      if (path === paths.leaders) continue
      expect([body.expiration, body.as_of]).toEqual([friday, new Date(close).toISOString()])
      if ('strikes_grid' in body)
        expect([body.strikes_grid, body.gap_intervals, body.underlying_price]).toEqual([[], [], null])
    }
  })
})

test('windows end now or with the session, and begin with a whole bar', () => {
  const starts = (path: string, moment: Instant, query: Asked) =>
    (JSON.parse(textOfFlow(path, seen.get(moment)!.live, query)) as Wrapper).bars.map(({ t }) => Date.parse(t))
  const midway = open + minutes(9) + 31_000
  expect(starts(paths.series, midway, { minutes: '2' })).toEqual([15, 16, 17, 18].map((k) => open + 30_000 * k))
  expect(starts(paths.series, midway, { bar: '5m', minutes: '2' })).toEqual([open + minutes(5)])
  expect(starts(paths.series, midway, { bar: '5m', minutes: '5' })).toEqual([open, open + minutes(5)])
  expect(starts(paths.strikes, midway, { minutes: '2' })).toEqual([open + minutes(7), open + minutes(8)])
  expect(starts(paths.series, close + minutes(120), { bar: '1m', minutes: '2' })).toEqual([
    close - minutes(2),
    close - minutes(1)
  ])
  expect(starts(paths.series, close, { bar: '15m', minutes: '1' })).toEqual([close - minutes(15)])
})

test('bars that were not taken are told as gaps', () => {
  const { gap_intervals: gaps } = JSON.parse(
    textOfFlow(paths.heatmap, seen.get(close)!.live, { minutes: '390' })
  ) as Grid<HeatBar>
  expect(gaps).toEqual([
    {
      start: new Date(open + minutes(12)).toISOString(),
      end: new Date(close - minutes(3)).toISOString(),
      missing_bars: 375
    }
  ])
  const inside = JSON.parse(
    textOfFlow(paths.strikes, seen.get(open + minutes(6))!.live, { minutes: '5' })
  ) as Grid<FlowBar>
  expect(inside.gap_intervals).toEqual([])
})

test('what cannot be asked is refused by the code of its operation', () => {
  const { live } = seen.get(close)!
  const code = (path: string, query: Asked) => textOfFlow(path, live, query)
  expect(code(paths.series, { bar: '2m' })).toBe('invalid_bar')
  expect(code(paths.series, { minutes: '1.5' })).toBe('invalid_parameter')
  expect(code(paths.hedge, { side: 'both' })).toBe('invalid_side')
  expect(code(paths.heatmap, { bar: '5m' })).toBe('bar_unavailable')
  expect(code(paths.heatmap, { metric: 'gamma' })).toBe('invalid_metric')
  expect(code(paths.heatmap, { mode: 'log' })).toBe('invalid_mode')
  expect(code(paths.strikes, { bar: '30s' })).toBe('bar_unavailable')
  expect(code(paths.leaders, { metric: 'size' })).toBe('invalid_metric')
  const strikeMinutes = { ...live.strikeMinutes!, minutes: [] }
  expect(textOfFlow(paths.heatmap, { ...live, strikeMinutes })).toBe('no_strike_data_for_window')
  expect(JSON.parse(textOfFlow(paths.strikes, { ...live, strikeMinutes })).bars).toEqual([])
})

test('the leaderboard ranks by the newest bar, ties by symbol', () => {
  const { live } = seen.get(close)!
  const [ko] = live.newestSamples!
  const as = (symbol: string, hedgeCalls: number, netGex: number) => ({
    ...ko,
    symbol: symbol as Ticker,
    newest: { ...ko.newest, hedgeCalls, hedgePuts: -100, netGex, pinScore: 50.4 },
    before: { ...ko.newest, hedgeCalls: 0, hedgePuts: 0 }
  })
  const newestSamples = [as('A', 1100, 10), as('B', -1100, 0), as('C', 2100, -10), as('D', 300, 1)]
  const ranked = (metric: string) =>
    (JSON.parse(textOfFlow(paths.leaders, { ...live, newestSamples }, { metric })) as Leaders).entries.map(
      ({ symbol, value }) => [symbol, value]
    )
  expect(ranked('heat')).toEqual([
    ['C', 2],
    ['D', 2],
    ['A', 1]
  ])
  expect(ranked('pin_risk')).toEqual(['A', 'B', 'C', 'D'].map((symbol) => [symbol, 50]))
  expect(ranked('abs_flow')).toEqual([
    ['C', 22],
    ['A', 12],
    ['B', 12],
    ['D', 4]
  ])
})
