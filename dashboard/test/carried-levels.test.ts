import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carriedOver, sourceFor } from '../src/state/chart/carried-levels.ts'
import { type History, historyOf } from '../src/state/chart/history.ts'
import { LEVEL_FIELDS } from '../src/state/chart/level-lines.ts'

const OPEN = Date.parse('2026-11-20T14:30Z')
const STEP = 900_000

/** Bars of a quarter of an hour with these closes and call walls, as answered at a moment. */
function answered(
  symbol: string,
  closes: readonly (number | null)[],
  walls: readonly (number | null)[],
  { first = 0, asOf, until = Number.POSITIVE_INFINITY }: { first?: number; asOf?: number; until?: number } = {}
): History {
  const answer = {
    symbol,
    as_of: new Date(asOf ?? OPEN + STEP * (first + closes.length)).toISOString(),
    every: '15m',
    t0: OPEN / 1000 + 900 * first,
    dt: closes.map((_, i) => (i === 0 ? 0 : 900)),
    ...{ o: closes, h: closes, l: closes, c: closes, v: closes.map(() => null) },
    volume_of: null,
    made_of: [],
    columns: { call_wall: walls },
    recorded: [],
    incomplete: []
  }
  return historyOf(answer as never, until)
}

const wall = (own: History, from: History) =>
  carriedOver(own, from, LEVEL_FIELDS).find(({ field }) => field === 'call_wall')

test('a level is carried by the ratio of the two closes of its own bar', () => {
  const own = answered('SPY', [690, 700, 695], [null, null, null])
  const from = answered('SPX', [6900, 7100, 6950], [7000, 7000, 7050])
  const carried = wall(own, from)!
  expect(carried.name).toBe('SPX call wall')
  expect([...carried.of]).toEqual([7000, 7000, 7050])
  expect([...carried.values]).toEqual([(7000 * 690) / 6900, (7000 * 700) / 7100, (7050 * 695) / 6950])
})

test('there is a gap wherever either symbol or the level is missing', () => {
  const own = answered('SPY', [690, 691, 692, 693], [])
  const from = answered('SPX', [6910, null, 6930, 6940], [7000, 7000, null, 7000], { first: 1, asOf: own.asOf })
  expect([...wall(own, from)!.values].map(Number.isNaN)).toEqual([true, false, true, true])
  expect(wall(own, answered('SPX', [6900], [null]))).toBeUndefined()
})

test('a bar that is not over is carried only if both answers are of one moment', () => {
  const own = answered('SPY', [690, 691], [], { asOf: OPEN + STEP + 300_000 })
  const closes = [6900, 6910]
  const at = (asOf: number) => [...wall(own, answered('SPX', closes, [7000, 7000], { asOf }))!.values].map(Number.isNaN)
  expect(at(own.asOf - 20_000)).toEqual([false, false])
  expect(at(own.asOf - 120_000)).toEqual([false, true])
  expect(at(own.asOf + 120_000)).toEqual([false, true])
})

test('no bar shows anything that was known only later', () => {
  const closes = fc.array(fc.double({ min: 1, max: 1e4, noNaN: true }), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(closes, closes, closes, fc.integer({ min: 1, max: 7 }), (a, b, walls, kept) => {
      const until = OPEN + STEP * kept
      const whole = wall(answered('SPY', a, []), answered('SPX', b, walls))!
      const past = wall(answered('SPY', a, [], { until }), answered('SPX', b, walls, { until }))!
      expect([...past.values]).toEqual([...whole.values].slice(0, kept))
      const poisoned = b.map((close, i) => (i < kept ? close : 1e9))
      const other = wall(answered('SPY', a, []), answered('SPX', poisoned, walls))!
      expect([...other.values].slice(0, kept)).toEqual([...whole.values].slice(0, kept))
    })
  )
})

test('a fund is offered its index, and an index its fund', () => {
  expect(['SPY', 'ES', 'SPX', 'QQQ', 'IWM', 'AAPL'].map(sourceFor)).toEqual([
    'SPX',
    'SPX',
    'SPY',
    'NDX',
    'RUT',
    undefined
  ])
})
