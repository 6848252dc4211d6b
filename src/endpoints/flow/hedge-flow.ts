import Type from 'typebox'
import { moment, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { choice } from '../../api/params.ts'
import { Count, Day, Name, Nullable, Share, Timestamp, Usd, Words } from '../../api/quantity.ts'
import type { Positions, PressureSamples } from '../../flow/tape-views.ts'
import {
  cellsWhere,
  type PastPressure,
  type PressureClass,
  type PressureExpiry,
  type PressureMeasure,
  type PressureRight,
  type PressureSize,
  pressureExpiries,
  pressureRights,
  pressureSizes,
  pressureSum
} from '../../market/hedge-pressure.ts'
import type { IsoDate } from '../../market/units.ts'
import { isoInstant } from '../../market/units.ts'
import { SAMPLE_STEP } from '../../market/zero-dte-sample.ts'
import { quantile } from '../../math/statistics.ts'
import { barNames, barSizes, bucketOf, byBar, dayWindow } from './zero-dte/window.ts'

const CENTS = 100
/** Sessions that are needed to say what is usual. */
const MIN_SESSIONS = 5

const scopes = ['all', ...pressureExpiries] as const
type PressureScope = (typeof scopes)[number]

type PartKey = 'all' | PressureRight | PressureExpiry | PressureSize

/** The keys of each way to split a sum, and the key of a class. */
const splits = {
  none: { keys: ['all'], keyOf: () => 'all' },
  right: { keys: pressureRights, keyOf: ({ right }) => right },
  expiry: { keys: pressureExpiries, keyOf: ({ expiry }) => expiry },
  size: { keys: pressureSizes, keyOf: ({ size }) => size }
} as const satisfies Readonly<
  Record<string, { readonly keys: readonly PartKey[]; readonly keyOf: (of: PressureClass) => PartKey }>
>
const parts = [...pressureRights, ...pressureExpiries, ...pressureSizes]

const units = {
  delta: 'usd',
  gamma: 'usd_per_percent',
  vega: 'usd_per_vol_point'
} as const satisfies Readonly<Record<PressureMeasure, string>>

const scope = choice({
  description: 'all expirations, those of the day (0dte), the next one, or the rest',
  spelling: { all: 'all', '0dte': '0dte', next: 'next', rest: 'rest' } as const,
  default: 'all',
  code: 'invalid_scope'
})
const measure = choice({
  description: 'delta, gamma or vega',
  spelling: { delta: 'delta', gamma: 'gamma', vega: 'vega' } as const,
  default: 'delta',
  code: 'invalid_measure'
})
const split = choice({
  description: 'none, by right (calls, puts), by expiry (0dte, next, rest), or by size of print (small, medium, large)',
  spelling: { none: 'none', right: 'right', expiry: 'expiry', size: 'size' } as const,
  default: 'none',
  code: 'invalid_split'
})

export const hedgeFlow = endpoint({
  id: 'flow.hedge_flow',
  path: '/v1/flow/hedge-flow/{symbol}',
  tag: 'flow',
  summary: 'Estimated hedging pressure of all expirations, by bar and since the open',
  description:
    'How much of the underlying dealers bought or sold by estimate to hedge what customers traded, and how much gamma and vega customers bought: by expiration, right and size of print, beside what is usual at this time of day. Counts prints since the service followed the symbol.',
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'pressure', 'pastPressure', 'positions', 'halfMinute'],
  params: {
    ...byBar,
    scope,
    measure,
    split
  },
  replay: true,
  stream: true,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    as_of: Timestamp('the end of the newest half minute', moment),
    session: Day('the session that is served'),
    recorded_from: Nullable(Timestamp('the beginning of the first half minute that is held; null without any')),
    scope: Words(...scopes),
    next_expiration: Nullable(Day('the expiration that counts as next; null if none is known')),
    measure: Words('delta', 'gamma', 'vega'),
    unit: Words('usd', 'usd_per_percent', 'usd_per_vol_point'),
    split: Words('none', 'right', 'expiry', 'size'),
    bar_size: Words(...barNames),
    sided_share: Nullable(
      Share('contracts with a known side of all eligible contracts of the scope since the open, 0 to 1')
    ),
    totals: Type.Array(
      Type.Object(
        {
          key: Words('all', ...parts),
          value: Usd('since the open')
        },
        { title: 'HedgePressureTotal' }
      ),
      { ...rowKey('key'), description: 'one for each part of the split; empty if nothing is held' }
    ),
    bars: Type.Array(
      Type.Object(
        {
          t: Timestamp('the beginning of the bar'),
          bar: Usd('since the previous bar'),
          cumulative: Usd('since the open, at the end of the last half minute in the bar'),
          parts: Nullable(
            Type.Object(Object.fromEntries(parts.map((part) => [part, Type.Optional(Usd())])), {
              title: 'HedgePressureParts',
              description: 'what each part of the split adds to `bar`; null without a split'
            })
          )
        },
        { title: 'HedgePressureBar' }
      ),
      { ...rowKey('t'), description: 'ascending' }
    ),
    usual: Nullable(
      Type.Object(
        {
          sessions: Count(
            'among the newest 20 recorded sessions, those with a sided print of the scope by this time of day'
          ),
          low: Usd('a tenth of them had less, whatever the sign'),
          median: Usd(),
          high: Usd('a tenth of them had more')
        },
        {
          title: 'UsualPressure',
          description: 'size of the cumulative sum at this time of day in earlier sessions; null below 5 sessions'
        }
      )
    )
  }),
  answer: ({ pressure, pastPressure, positions, halfMinute }, { symbol, scope, measure, split, bar, minutes }) => {
    const size = barSizes[bar]
    const window = dayWindow({ now: halfMinute, minutes, size, step: SAMPLE_STEP })
    const held = pressure?.session === window.session ? pressure : undefined
    const rows = held === undefined ? [] : rowsBy(held, window.end)
    const { keys, keyOf } = splits[split]
    const isShown = (key: PartKey) => split !== 'expiry' || scope === 'all' || key === scope
    const shown = (keys as readonly PartKey[]).filter(isShown)
    const isInScope = ({ expiry }: PressureClass) => scope === 'all' || expiry === scope
    const isAsked = (of: PressureClass) => of.measure === measure && isInScope(of)
    const cellsOf = shown.map((key) => cellsWhere((of) => isAsked(of) && keyOf(of) === key))
    const sumsOf = (row: number) => cellsOf.map((of) => pressureSum(held!.cells, of, row))
    const last = rows.at(-1)
    const buckets = new Map(rows.map((row) => [bucketOf(held!.t[row], { open: window.open, size }), row]))
    let before = shown.map(() => 0)
    const bars = [...buckets].map(([start, row]) => {
      const sums = sumsOf(row)
      const inside = sums.map((cents, k) => cents - before[k])
      before = sums
      return { start, inside, cumulative: total(sums) }
    })
    return {
      symbol,
      as_of: isoInstant(last === undefined ? window.end : held!.t[last] + SAMPLE_STEP),
      session: window.session,
      recorded_from: last === undefined ? null : isoInstant(held!.t[0]),
      scope,
      next_expiration: held?.next ?? null,
      measure,
      unit: units[measure],
      split,
      bar_size: bar,
      sided_share: positions?.session === window.session ? sidedShare(positions, scope, held?.next) : null,
      totals: last === undefined ? [] : sumsOf(last).map((cents, k) => ({ key: shown[k], value: cents / CENTS })),
      bars: bars
        .filter(({ start }) => start >= window.from)
        .map(({ start, inside, cumulative }) => ({
          t: isoInstant(start),
          bar: total(inside) / CENTS,
          cumulative: cumulative / CENTS,
          parts: split === 'none' ? null : Object.fromEntries(shown.map((key, k) => [key, inside[k] / CENTS]))
        })),
      usual: usualOf(pastPressure, cellsWhere(isAsked), cellsWhere(isInScope))
    }
  }
})

const total = (cents: readonly number[]): number => cents.reduce((sum, value) => sum + value, 0)

/** Rows of the half minutes that were over by `end`. */
function rowsBy({ t }: PressureSamples, end: number): readonly number[] {
  return Array.from(t, (_, row) => row).filter((row) => t[row] + SAMPLE_STEP <= end)
}

/** What is usual among the sessions that had a print in one of the classes `within`: not every day has an expiration. */
function usualOf(past: readonly PastPressure[], of: readonly number[], within: readonly number[]) {
  const counted = past.filter(({ cells }) => within.some((cell) => cells[cell] !== 0))
  if (counted.length < MIN_SESSIONS) return null
  const sizes = counted.map(({ cells }) => Math.abs(pressureSum(cells, of))).sort((a, b) => a - b)
  const at = (p: number) => Math.round(quantile(sizes, p)!) / CENTS
  return { sessions: counted.length, low: at(0.1), median: at(0.5), high: at(0.9) }
}

function sidedShare(
  { series, session, bought, sold, other }: Positions,
  scope: PressureScope,
  next: IsoDate | undefined
): number | null {
  const isIn = series.expirations.map(({ date }) => {
    const expiry = date === session ? '0dte' : date === next ? 'next' : 'rest'
    return scope === 'all' || scope === expiry
  })
  let [sided, all] = [0, 0]
  for (let k = 0; k < series.length; k++) {
    if (!isIn[series.expiration[k]]) continue
    sided += bought[k] + sold[k]
    all += bought[k] + sold[k] + other[k]
  }
  return all === 0 ? null : sided / all
}
