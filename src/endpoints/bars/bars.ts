import Type from 'typebox'
import { endpoint, type Form } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { choice, symbolInPath } from '../../api/params.ts'
import { Count, Name, Nullable, Price, Timestamp, Words } from '../../api/quantity.ts'
import { isoInstant } from '../../market/units.ts'
import { arrowForm } from '../series/arrow-form.ts'
import { csvForm } from '../series/csv-form.ts'
import { seriesFieldNames } from '../series/fields.ts'
import { figureNames, periodEnd } from '../series/parameters.ts'
import { beginningOf, endOf } from '../series/stretch.ts'
import { askedSlots, partSlots, pricesOf } from './period.ts'
import { type PriceBar, priceBars, weeklyBars } from './price-bars.ts'
import { barOrigins } from './prices.ts'
import { type BarStep, barStepNames, barSteps } from './slots.ts'
import { joined, type LabelledStretch, recordedSessions, recordings } from './stretches.ts'
import { barVolumes } from './volumes.ts'

const EpochSeconds = (description?: string) =>
  Type.Integer({ ...(description && { description }), 'x-unit': 'epoch-seconds' })

const column = (description: string) => Type.Array(Nullable(Price()), { description })

const stretches = <const Labels extends readonly string[]>(labels: Labels, description: string) =>
  Type.Array(Type.Array(Type.Union([EpochSeconds(), Words(...labels)]), { minItems: 3, maxItems: 3 }), {
    description: `${description}: ascending, each [from, before, word], seconds since 1970 UTC`
  })

const isIntraday = (every: BarStep) => typeof barSteps[every] === 'number'

export const bars = endpoint({
  id: 'bars.current',
  path: '/v1/bars/{symbol}',
  tag: 'insight',
  summary: 'Bars of prices over time, with figures at the end of each',
  plan: 'free',
  needs: ['pastPrices'],
  params: {
    symbol: symbolInPath(),
    every: choice<BarStep>({
      description: 'length of a bar, counted from the open of its session; 1d a session, 1w a calendar week',
      spelling: Object.fromEntries(barStepNames.map((name) => [name, name])) as Record<BarStep, BarStep>,
      default: '1d',
      code: 'invalid_every'
    }),
    from: periodEnd(
      'invalid_from',
      'bars that begin then or later; without it the open of the last session, for 1d a year and for 1w three before to',
      beginningOf
    ),
    to: periodEnd('invalid_to', 'bars that begin then or earlier; without it as_of', endOf),
    fields: figureNames([])
  },
  gates: [
    ({ every }) => (isIntraday(every) ? { plan: 'basic' } : undefined),
    ({ fields }) => (fields.length > 0 ? { plan: 'growth' } : undefined)
  ],
  check: ({ from, to }) => {
    if (from !== undefined && to !== undefined && from > to) {
      throw apiError('invalid_from', 'from lies after to', { parameter: 'from' })
    }
  },
  pricesRead: pricesOf,
  forms: [formOf(csvForm), formOf(arrowForm)],
  errors: ['invalid_fields', 'invalid_from', 'invalid_to', 'invalid_every'],
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    as_of: Timestamp('the moment the answer describes, UTC: no bar holds anything later'),
    every: Words(...barStepNames),
    t0: Nullable(EpochSeconds('beginning of the first bar, seconds since 1970 UTC; null without a bar')),
    dt: Type.Array(Count('seconds since the beginning of the bar before; 0 for the first')),
    o: column('first price of each bar'),
    h: column('highest price; of snapshots the highest that was sampled'),
    l: column('lowest price; of snapshots the lowest that was sampled'),
    c: column('last price'),
    v: Type.Array(Nullable(Count()), { description: 'volume in the unit of volume_of; null where it is unknown' }),
    volume_of: Nullable(Words('shares', 'contracts')),
    made_of: stretches(barOrigins, 'where the prices of the bars come from'),
    columns: Type.Record(Type.String(), Type.Array(Nullable(Type.Number())), {
      description: `one array for each field asked for, as long as dt, of the last snapshot within each bar and before the close: ${seriesFieldNames.join(', ')}`
    }),
    recorded: stretches(recordings, 'sessions of which snapshots are kept'),
    incomplete: Type.Array(Type.Object({ from: Timestamp(), to: Timestamp() }, { title: 'IncompleteStretch' }), {
      'x-row-name': ['from'],
      description: 'stretches with snapshots whose figures wait to be made, by formulas that changed or of prints'
    })
  }),
  answer: ({ pastPrices }, { symbol, ...asked }) => {
    const { asOf, figures } = pastPrices
    const { every, fields } = asked
    const slots = askedSlots(asked, asOf)
    const parts = priceBars(partSlots(slots, every, asOf), pastPrices, fields.length)
    const found = every === '1w' ? weeklyBars(slots, parts) : parts
    const { unit, volumes } = barVolumes(found, slots)
    const starts = found.map(({ slot }) => slot.start / 1000)
    const origins = found.map(
      ({ slot, origin }) => [slot.start, Math.min(slot.end, Math.max(asOf, slot.start)), origin] as const
    )
    return {
      symbol,
      as_of: isoInstant(asOf),
      every,
      t0: starts[0],
      dt: starts.map((start, k) => start - starts[Math.max(0, k - 1)]),
      o: found.map(({ open }) => open),
      h: found.map(({ high }) => high),
      l: found.map(({ low }) => low),
      c: found.map(({ close }) => close),
      v: volumes,
      volume_of: unit,
      made_of: joined(origins).map(inSeconds),
      columns: Object.fromEntries(fields.map((name, k) => [name, found.map(figureAt(k))])),
      recorded: recordedSessions(figures, asOf).map(inSeconds),
      incomplete: (figures?.waiting ?? []).map(({ from, to }) => ({ from: isoInstant(from), to: isoInstant(to) }))
    }
  }
})

const figureAt =
  (k: number) =>
  ({ figures }: PriceBar) =>
    figures[k] ?? null

const inSeconds = <Label extends string>([from, to, label]: LabelledStretch<Label>): readonly (number | Label)[] => [
  Math.floor(from / 1000),
  Math.floor(to / 1000),
  label
]

type Column = readonly (number | null | undefined)[]

interface BarColumns {
  readonly t0: number | null | undefined
  readonly dt: readonly number[]
  readonly o: Column
  readonly h: Column
  readonly l: Column
  readonly c: Column
  readonly v: Column
  readonly columns: Readonly<Record<string, Column>>
}

/** Writes bars as rows, with their beginnings in `t` and names for their columns that a spreadsheet understands. */
function formOf({ type, write }: Form): Form {
  return {
    type,
    write: ({ t0, dt, o, h, l, c, v, columns }: BarColumns, zone, params) => {
      let at = t0 ?? 0
      const t = dt.map((seconds) => isoInstant(1000 * (at += seconds)))
      const prices = { open: o, high: h, low: l, close: c, volume: v, ...columns }
      const filled = Object.entries(prices).map(([name, values]) => [name, values.map((value) => value ?? null)])
      return write({ t, columns: Object.fromEntries(filled) } as never, zone, params)
    }
  }
}
