import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type BarsCandidate, joinedBars, judgeBars, usualMove } from '../../src/gate/stated-bars.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { seriesBar } from '../../src/market/macro-series.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { datedBefore, walk } from '../volatility/made-up-bars.ts'

const today = '2026-07-29' as IsoDate
/** A year of days before today, and the same without the newest one. */
const whole = datedBefore(walk(5, 250), today)
const known = whole.slice(0, -1)
const [newest] = whole.slice(-1)
const times = (factor: number, from = 0, bars = whole) =>
  bars.map((bar, k): DailyBar => {
    if (k < from) return bar
    const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((price) => price * factor)
    return { ...bar, open, high, low, close }
  })
const verdictOn = (bars: readonly DailyBar[], more: Partial<BarsCandidate> = {}) =>
  judgeBars({
    bars,
    known,
    lastDate: newest.date,
    price: newest.close,
    isPossible: (close) => close > 0,
    maxMove: usualMove.security,
    doubt: undefined,
    isWaived: false,
    ...more
  })
const outcomeOf = (...asked: Parameters<typeof verdictOn>) => verdictOn(...asked).kind

describe('daily bars are taken', () => {
  test.each<[string, readonly DailyBar[], Partial<BarsCandidate>]>([
    ['that go on from those known', whole, {}],
    ['where nothing is known', whole, { known: [], price: undefined }],
    ['of which none is there', [], {}],
    ['of fewer days', whole.slice(-30), {}],
    ['with dividends taken off', times(0.97, 0).map((bar, k) => (k < 200 ? bar : whole[k])), {}],
    [
      'with a few corrections',
      whole.map((bar, k) => (k % 60 === 0 ? { ...bar, close: bar.close * 1.2, high: bar.high * 1.3 } : bar)),
      {}
    ],
    ['restated for a split, where the price says so', times(0.1), { price: newest.close / 10 }],
    ['restated for a reverse split', times(8), { price: newest.close * 8 }],
    [
      'of which a split lies behind, that recorded bars do not know of',
      whole,
      { known: [...times(4, 0, known.slice(0, 150)), ...known.slice(150)] }
    ],
    ['after a crash that the price confirms', [...known, ...times(0.4, 0, [newest])], { price: newest.close * 0.42 }],
    [
      'of a series of rates that may be zero',
      whole.map(({ date }) => seriesBar(date, 0)),
      { known: [], price: undefined, isPossible: () => true, maxMove: Infinity }
    ]
  ])('%s', (_, bars, more) => {
    expect(verdictOn(bars, more)).toEqual({ kind: 'taken', bars })
  })

  test('without the few that cannot be true', () => {
    const bars = [...whole.slice(0, -1), { ...newest, close: 0, low: 0 }]
    expect(verdictOn(bars)).toEqual({ kind: 'taken', bars: whole.slice(0, -1) })
    expect(verdictOn([...whole, { ...newest, date: '2027-01-04' as IsoDate }])).toEqual({ kind: 'taken', bars: whole })
  })
})

describe('daily bars are held back', () => {
  const other = datedBefore(walk(77, 250), today)
  test.each<[string, readonly DailyBar[], Partial<BarsCandidate>]>([
    ['ten times as high', times(10), {}],
    ['a tenth', times(0.1), {}],
    ['ten times as high where no price is known', times(10), { price: undefined }],
    ['ten times as high where only the price is known', times(10), { known: [] }],
    ['of another symbol', times(3.3, 0, other), {}],
    ['of another symbol, without a price', times(3.3, 0, other), { price: undefined }],
    ['of which the newest is ten times as high', times(10, whole.length - 1), {}],
    ['that halve without a reason', times(0.5), {}]
  ])('%s', (_, bars, more) => {
    expect(outcomeOf(bars, more)).toBe('doubted')
  })

  test.each<[string, (bar: DailyBar) => DailyBar]>([
    ['all zero', (bar) => ({ ...bar, open: 0, high: 0, low: 0, close: 0 })],
    ['negative', (bar) => ({ ...bar, close: -bar.close })],
    ['not numbers', (bar) => ({ ...bar, close: Number.NaN })],
    ['infinite', (bar) => ({ ...bar, close: Number.POSITIVE_INFINITY })],
    ['high below low', (bar) => ({ ...bar, high: bar.low, low: bar.high + 1 })],
    ['of one day', (bar) => ({ ...bar, date: newest.date })],
    ['of the future', (bar) => ({ ...bar, date: bar.date.replace(/^20/, '21') as IsoDate })]
  ])('for good where they are %s', (_, change) => {
    expect(outcomeOf(whole.map(change))).toBe('refused')
  })

  test('until a later session brings the same, where no price tells, or until the operator says so', () => {
    const doubt = { session: '2026-07-24' as IsoDate }
    expect(outcomeOf(times(10), { doubt })).toBe('doubted')
    expect(outcomeOf(times(10), { doubt, price: undefined })).toBe('taken')
    expect(outcomeOf(times(10), { doubt: { session: newest.date }, price: undefined })).toBe('doubted')
    expect(outcomeOf(times(10), { isWaived: true })).toBe('taken')
  })
})

const folder = recordedPayloads()
test.skipIf(folder === undefined)(
  'recorded series raise no doubt on any day, with nothing but the close before',
  () => {
    const doubted: unknown[] = []
    for (const [file, column, maxMove] of [
      ['closes/SPY.csv', 4, usualMove.security],
      ['closes/sp500_prices.csv', 4, usualMove.security],
      ['indices/VIX_History.csv', 4, usualMove.volatility],
      ['indices/VIX9D_History.csv', 4, usualMove.volatility],
      ['indices/SKEW_History.csv', 1, usualMove.security]
    ] as const) {
      const [, ...lines] = readFileSync(join(folder!, '../..', file), 'utf8')
        .trim()
        .split('\n')
      const bars = lines.map((line): DailyBar => {
        const fields = line.split(',')
        const date = fields[0].replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2') as IsoDate
        return { ...newest, date, open: Number.NaN, high: Number.NaN, low: Number.NaN, close: Number(fields[column]) }
      })
      for (let k = 20; k < bars.length; k++) {
        const span = bars.slice(k - 20, k + 1)
        const more = { known: span.slice(0, -1), lastDate: bars[k].date, price: undefined, maxMove }
        const verdict = verdictOn(span, more)
        if (verdict.kind !== 'taken') doubted.push([file, bars[k].date, verdict])
      }
    }
    expect(doubted).toEqual([])
  }
)

describe('joined with those known', () => {
  test('nothing is lost where the source states less', () => {
    expect(joinedBars([], known)).toEqual(known)
    expect(joinedBars(whole.slice(-30), known)).toEqual(whole)
    expect(joinedBars(known.slice(0, -5), known)).toEqual(known)
    expect(joinedBars(whole, known)).toBe(whole)
  })

  test('those of before a split are left out', () => {
    const split = times(0.1, 0, whole.slice(-30))
    expect(joinedBars(split, known)).toBe(split)
  })
})
