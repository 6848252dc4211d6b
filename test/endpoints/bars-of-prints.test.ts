import { describe, expect, test } from 'vitest'
import { nextTradingDay, session } from '../../src/market/calendar.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import { ADJUSTED, PRICE_UNIT, SETS_NO_PRICE } from '../../src/market/print.ts'
import type { Instant, IsoDate } from '../../src/market/units.ts'
import { Chance } from '../../trials/chance.ts'
import type { PlainPrint, PlainTape } from '../support/plain-tape.ts'
import { codeOf, type TapeMarket, tapeAnswer, ticker } from '../support/tape-market.ts'

interface Bars {
  readonly t0: number | null
  readonly dt: readonly number[]
  readonly o: readonly number[]
  readonly h: readonly number[]
  readonly l: readonly number[]
  readonly c: readonly number[]
  readonly v: readonly number[]
  readonly volume_of: string | null
  readonly made_of: readonly (readonly [number, number, string])[]
}

const today = '2026-07-29' as IsoDate
const before = '2026-07-28' as IsoDate
const minute = 60_000
const path = '/v1/bars/{symbol}'

/** Prints of a session in the order of their times: odd minutes are empty, and some prints set no price or were taken back. */
function printsOf(date: IsoDate, seed: number, count = 400): readonly PlainPrint[] {
  const chance = new Chance(seed)
  const { open, close } = session(date)!
  const made = Array.from({ length: count }, (): PlainPrint => {
    const within = 2 * chance.below((close - open) / minute / 2)
    const flags = chance.happens(0.1) ? SETS_NO_PRICE : chance.happens(0.05) ? ADJUSTED : 0
    const ts = 1000 * (open + within * minute) + chance.below(60_000_000)
    return { ts, price: 950_000 + chance.below(100_000), size: 1 + chance.below(500), side: 'buy', flags }
  })
  return made.sort((a, b) => a.ts - b.ts)
}

const tapeOf = (date: IsoDate, seed: number, more: Partial<PlainTape> = {}): PlainTape => ({
  symbol: ticker('SPY'),
  kind: 'stock',
  session: date,
  prints: printsOf(date, seed),
  ...more
})

const tapes = [tapeOf(before, 1), tapeOf(today, 2)]
const { open, close } = session(today)!
/** Without a chain the newest minute that is over is the moment of an answer. */
const barsAlone = ['SPY']
const market: TapeMarket = { now: close, tapes, barsAlone }

/** Bars of prints the slow way: the prints of each slot one by one. */
function barsOf(prints: readonly PlainPrint[], from: Instant, length: number, until: Instant) {
  const slots = new Map<number, PlainPrint[]>()
  for (const print of prints.filter(({ flags = 0, ts }) => (flags & ADJUSTED) === 0 && ts / 1000 <= until)) {
    const start = from + length * Math.floor((print.ts / 1000 - from) / length)
    slots.set(start, [...(slots.get(start) ?? []), print])
  }
  return [...slots].flatMap(([start, held]) => {
    const prices = held.filter(({ flags = 0 }) => (flags & SETS_NO_PRICE) === 0).map(({ price }) => price * PRICE_UNIT)
    if (prices.length === 0) return []
    const volume = held.reduce((sum, { size }) => sum + size, 0)
    return [
      { start, open: prices[0]!, high: Math.max(...prices), low: Math.min(...prices), close: prices.at(-1)!, volume }
    ]
  })
}

const rounded = (price: number) => Math.round(price * 1e4) / 1e4
function rowsOf({ t0, dt, o, h, l, c, v }: Bars) {
  let at = t0 ?? 0
  return dt.map((seconds, k) => {
    at += seconds
    return { start: 1000 * at, open: o[k], high: h[k], low: l[k], close: c[k], volume: v[k] }
  })
}
const shown = (rows: ReturnType<typeof barsOf>) =>
  rows.map((row) => ({
    ...row,
    open: rounded(row.open),
    high: rounded(row.high),
    low: rounded(row.low),
    close: rounded(row.close)
  }))

describe('bars from the tape of a stock', () => {
  test.each([
    ['1m', 1],
    ['5m', 5],
    ['15m', 15],
    ['1h', 60]
  ])('of %s are first, highest, lowest and last price and the shares of their prints', (every, minutes) => {
    const answer = tapeAnswer<Bars>(path, market, { every })
    const expected = shown(barsOf(tapes[1]!.prints, open, minutes * minute, close))
    expect(rowsOf(answer)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(5)
    expect([answer.volume_of, answer.made_of.map(([, , word]) => word)]).toEqual(['shares', ['tape']])
  })

  test('reach back over sessions, each counted from its own open', () => {
    const answer = tapeAnswer<Bars>(path, market, { every: '30m', from: before })
    const earlier = session(before)!
    expect(rowsOf(answer)).toEqual([
      ...shown(barsOf(tapes[0]!.prints, earlier.open, 30 * minute, earlier.close)),
      ...shown(barsOf(tapes[1]!.prints, open, 30 * minute, close))
    ])
  })

  test('begin within from and to', () => {
    const [from, to] = [open + 30 * minute, open + 90 * minute]
    const asked = { every: '5m', from: easternDateTime(from), to: easternDateTime(to) }
    const expected = shown(barsOf(tapes[1]!.prints, open, 5 * minute, close)).filter(
      ({ start }) => start >= from && start <= to
    )
    expect(rowsOf(tapeAnswer<Bars>(path, market, asked))).toEqual(expected)
  })

  test('of a synthetic tape say so, and prints inferred from volumes make none', () => {
    const made = (source: 'synthetic' | 'inferred') => ({
      now: close,
      barsAlone,
      tapes: [tapeOf(today, 3, { source })]
    })
    const { made_of } = tapeAnswer<Bars>(path, made('synthetic'), { every: '5m' })
    expect(made_of.map(([, , word]) => word)).toEqual(['generated'])
    expect(codeOf(path, made('inferred'), { every: '5m' })).toBe('no_data')
  })

  test('of the running session hold no print of a minute that is not over, and give the day its bar', () => {
    const now = open + 61 * minute
    const prints = tapes[1]!.prints.filter(({ ts }) => ts / 1000 <= now)
    const running = { now, barsAlone, tapes: [tapes[0]!, { ...tapes[1]!, prints }] }
    expect(rowsOf(tapeAnswer<Bars>(path, running, { every: '5m' }))).toEqual(
      shown(barsOf(prints, open, 5 * minute, now))
    )
    const day = rowsOf(tapeAnswer<Bars>(path, running, { every: '1d', from: today }))
    const [whole] = shown(barsOf(prints, open, close - open, now))
    expect(day).toEqual([whole])
  })

  test('are refused where a day without a tape is asked alone', () => {
    const later = nextTradingDay(today)
    expect(
      codeOf(path, { now: session(later)!.close, barsAlone, tapes }, { every: '5m', from: later, to: later })
    ).toBe('no_data')
  })
})
