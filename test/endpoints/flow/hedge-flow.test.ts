import { beforeAll, describe, expect, test } from 'vitest'
import { session } from '../../../src/market/calendar.ts'
import {
  PRESSURE_CELLS,
  type PressureMeasure,
  type PressureRow,
  pressureClasses
} from '../../../src/market/hedge-pressure.ts'
import type { Instant, IsoDate, Ticker } from '../../../src/market/units.ts'
import { ArchiveReader } from '../../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../../src/replay/replay-market.ts'
import { engineWith } from '../../support/engine-with.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { MemoryTapes } from '../../support/memory-tapes.ts'
import { inputsAt, messagesOf, SampledDay, textOfFlow } from '../../support/sampled-day.ts'

const KO = 'KO' as Ticker
const friday = '2026-07-31' as IsoDate
const { open, close } = session(friday)!
const minutes = (count: number) => count * 60_000

const path = '/v1/flow/hedge-flow/{symbol}'
const ofDay = '/v1/flow/zero-dte/hedge-flow/{symbol}'
const scopes = ['all', '0dte', 'next', 'rest'] as const
const measures = ['delta', 'gamma', 'vega'] as const
const splits = {
  right: ['calls', 'puts'],
  expiry: ['0dte', 'next', 'rest'],
  size: ['small', 'medium', 'large']
} as const
const bars = ['30s', '1m', '5m', '15m'] as const
const moments = [open + 45_000, open + minutes(6), open + minutes(12), open + minutes(20), close, close + minutes(90)]

/** A tape without prints: the answers about the past are of what was sampled. */
const taped = new MemoryTapes({
  heads: [{ symbol: KO, kind: 'option', session: friday, source: 'synthetic', unit: '0.0001' }],
  series: [],
  prints: { option: [], stock: [] }
})

interface Answer {
  readonly as_of: string
  readonly session: string
  readonly recorded_from: string | null
  readonly next_expiration: string | null
  readonly sided_share: number | null
  readonly totals: readonly { readonly key: string; readonly value: number }[]
  readonly bars: readonly {
    readonly t: string
    readonly bar: number
    readonly cumulative: number
    readonly parts: Readonly<Record<string, number>> | null
  }[]
  readonly usual: {
    readonly sessions: number
    readonly low: number
    readonly median: number
    readonly high: number
  } | null
}

let day: SampledDay
beforeAll(async () => {
  day = new SampledDay(KO, friday, await messagesOf(KO, friday), open)
  await day.run(open, open + minutes(12))
  await day.run(close - minutes(3), close)
})

async function asked(query: Record<string, string>, at: Instant = close): Promise<Answer> {
  return JSON.parse(textOfFlow(path, await day.inputsAt(at), query))
}
const cents = (dollars: number) => Math.round(100 * dollars)
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

describe('hedging pressure', () => {
  test.each(bars)('of the day equals the hedge flow of what expires then to the cent, in bars of %s', async (bar) => {
    for (const at of moments) {
      const inputs = await day.inputsAt(at)
      const query = { bar, minutes: '390' }
      for (const side of ['calls', 'puts', 'all'] as const) {
        const old = JSON.parse(textOfFlow(ofDay, inputs, { ...query, side }))
        const { bars: found } = JSON.parse(
          textOfFlow(path, inputs, { ...query, scope: '0dte', split: 'right' })
        ) as Answer
        let running = 0
        const shown = found.map(({ t, bar: all, parts }) => {
          const inBar = side === 'all' ? all : parts![side]
          running += cents(inBar)
          return { t, bar: inBar, cumulative: running / 100 }
        })
        expect(shown).toEqual(old.bars)
      }
    }
  })

  test.each([
    'T',
    'VZ',
    'WFC',
    'CSCO',
    'NKE',
    'DIS',
    'PFE',
    'XOM',
    'BAC',
    'INTC'
  ])('of the day equals the hedge flow of what expires then to the cent, of %s', async (name) => {
    const symbol = name as Ticker
    const other = new SampledDay(symbol, friday, await messagesOf(symbol, friday), open)
    await other.run(open, open + minutes(4))
    const inputs = await other.inputsAt(open + minutes(4))
    const old = JSON.parse(textOfFlow(ofDay, inputs, {}, name))
    const { bars: found } = JSON.parse(textOfFlow(path, inputs, { scope: '0dte' }, name)) as Answer
    expect(found.map(({ parts, ...bar }) => bar)).toEqual(old.bars)
    expect(found.some(({ bar }) => bar !== 0)).toBe(true)
  })

  test('adds up: all is 0dte and next and rest, calls and puts, small and medium and large; bars to what they run to', async () => {
    for (const measure of measures) {
      const whole = await asked({ measure, minutes: '390' })
      expect(whole.totals).toHaveLength(1)
      const total = cents(whole.totals[0].value)
      const byScope = await Promise.all(['0dte', 'next', 'rest'].map((scope) => asked({ measure, scope })))
      expect(sum(byScope.map(({ totals }) => cents(totals[0].value)))).toBe(total)
      for (const [split, keys] of Object.entries(splits)) {
        const parted = await asked({ measure, split, minutes: '390' })
        expect(parted.totals.map(({ key }) => key)).toEqual(keys)
        expect(sum(parted.totals.map(({ value }) => cents(value)))).toBe(total)
        for (const [k, { bar, parts, cumulative }] of parted.bars.entries()) {
          expect(sum(Object.values(parts!).map(cents))).toBe(cents(bar))
          expect(cents(cumulative)).toBe(cents(parted.bars[k - 1]?.cumulative ?? 0) + cents(bar))
          expect([bar, cumulative]).toEqual([whole.bars[k].bar, whole.bars[k].cumulative])
        }
      }
    }
  })

  test('of one scope split by expiration has that part alone', async () => {
    for (const scope of ['0dte', 'next', 'rest']) {
      const { totals } = await asked({ scope, split: 'expiry' })
      expect(totals.map(({ key }) => key)).toEqual([scope])
    }
  })

  test('is what is recorded, cell by cell', async () => {
    const last = day.pressure.at(-1)!
    for (const scope of scopes) {
      for (const measure of measures) {
        const { totals } = await asked({ scope, measure, split: 'size' })
        for (const { key, value } of totals) expect(cents(value)).toBe(sumOf(last, scope, measure, key))
      }
    }
    const { next_expiration, recorded_from, session: date, sided_share } = await asked({})
    expect([next_expiration, recorded_from, date]).toEqual(['2026-08-07', new Date(open).toISOString(), friday])
    expect(sided_share).toBeGreaterThan(0.5)
    expect(sided_share).toBeLessThanOrEqual(1)
  })

  test('of a session without any half minute is empty, and no zero', async () => {
    const none = new SampledDay(KO, friday, [], open)
    const found = JSON.parse(textOfFlow(path, await none.inputsAt(open + minutes(3)), {}))
    expect([found.totals, found.bars, found.recorded_from, found.next_expiration, found.usual]).toEqual([
      [],
      [],
      null,
      null,
      null
    ])
  })

  test.each([
    ['scope', 'week'],
    ['measure', 'theta'],
    ['split', 'strike'],
    ['bar', '2m']
  ])('refuses an unknown %s', async (name, value) => {
    expect(textOfFlow(path, await day.inputsAt(close), { [name]: value })).toBe(`invalid_${name}`)
  })
})

function sumOf({ cells }: PressureRow, scope: string, measure: PressureMeasure, size?: string): number {
  return sum(
    pressureClasses.map((of, cell) =>
      of.measure === measure && (scope === 'all' || of.expiry === scope) && (size === undefined || of.size === size)
        ? cells[cell]
        : 0
    )
  )
}

describe('hedging pressure of the past', () => {
  const earlier = ['2026-07-24', '2026-07-27', '2026-07-28', '2026-07-29', '2026-07-30'] as IsoDate[]
  const past = earlier.flatMap((date, k) =>
    [0, 30_000, 3_600_000].map(
      (after, late): PressureRow => ({
        symbol: KO,
        session: date,
        t: session(date)!.open + after,
        next: undefined,
        cells: Float64Array.from({ length: PRESSURE_CELLS }, () => (k % 2 === 0 ? 1 : -1) * 1000 * (k + 1) * (late + 1))
      })
    )
  )

  function marketAt(at: Instant, change: 'cut' | 'poison' | undefined, before = past) {
    const rows = { snapshots: [], bars: [], records: [], pressure: [...before, ...day.pressure] }
    const whole = memoryStore(rows, taped)
    const store = change === undefined ? whole : whole[change](at)
    return new ReplayMarket(new ArchiveReader(store, engineWith({})), at, [KO])
  }

  test('equals what was served then, and knows nothing of what came later', async () => {
    for (const at of moments) {
      for (const query of [{ split: 'right' }, { scope: 'next', measure: 'vega', bar: '5m', minutes: '390' }]) {
        const texts = await Promise.all(
          ([undefined, 'cut', 'poison'] as const).map(async (change) =>
            textOfFlow(path, await inputsAt(marketAt(at, change), KO), query)
          )
        )
        expect(new Set(texts).size).toBe(1)
        const live = JSON.parse(textOfFlow(path, { ...(await day.inputsAt(at)), positions: undefined }, query))
        expect({ ...JSON.parse(texts[0]), usual: null }).toEqual(live)
      }
    }
  })

  test('is compared with sessions that had prints of its scope alone', async () => {
    const at = open + minutes(1)
    // Two of six earlier sessions had no expiration of their own.
    const isWithout = (date: IsoDate) => date === '2026-07-24' || date === '2026-07-23'
    const without = [...past.filter(({ session: date }) => date === '2026-07-24')].map((row) => ({
      ...row,
      session: '2026-07-23' as IsoDate,
      t: row.t - 86_400_000
    }))
    const rows = [...without, ...past].map((row) => {
      const cells = row.cells.map((cents, cell) => (pressureClasses[cell].expiry === '0dte' ? 0 : cents))
      return isWithout(row.session) ? { ...row, cells } : row
    })
    const usualOf = async (scope: string) => {
      const inputs = await inputsAt(marketAt(at, undefined, rows), KO)
      return (JSON.parse(textOfFlow(path, inputs, { scope })) as Answer).usual
    }
    expect(await usualOf('0dte')).toBeNull()
    expect((await usualOf('next'))!.sessions).toBe(6)
    expect((await usualOf('all'))!.sessions).toBe(6)
  })

  test('is compared with what earlier sessions had come to by this time of day', async () => {
    const at = open + minutes(1)
    const market = marketAt(at, undefined)
    const { usual } = JSON.parse(textOfFlow(path, await inputsAt(market, KO), {})) as Answer
    const sizes = [1, 2, 3, 4, 5].map((k) => (1000 * k * 2 * 18) / 100) // 18 cells of delta, the second half minute
    expect(usual).toEqual({
      sessions: 5,
      low: sizes[0] + 0.4 * (sizes[1] - sizes[0]),
      median: sizes[2],
      high: sizes[3] + 0.6 * (sizes[4] - sizes[3])
    })
  })
})
