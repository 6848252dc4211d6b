import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import { recordsAsOf, type Split, sharesForOne, splitBar } from '../../src/market/split.ts'
import type { IsoDate } from '../../src/market/units.ts'

const day = (date: string) => date as IsoDate
const split = (date: string, ratio: number): Split => ({ date: day(date), ratio })
const splits = [split('2021-07-20', 4), split('2024-06-10', 10)]

test.each([
  ['from before both to after both', '2021-07-19', '2024-06-10', 40],
  ['up to the eve of the second', '2021-07-19', '2024-06-07', 4],
  ['from the day of the first', '2021-07-20', '2024-06-10', 10],
  ['of one day', '2021-07-20', '2021-07-20', 1],
  ['back over the second', '2024-06-10', '2024-06-07', 0.1]
])('shares for one %s', (_, from, to, shares) => {
  expect(sharesForOne(splits, day(from), day(to))).toBe(shares)
})

test('a bar has lower prices and more volume after a split, and the other way round after a reverse one', () => {
  const bar = {
    date: day('2024-06-07'),
    open: 1197.7,
    high: Number.NaN,
    low: 1180.22,
    close: 1208.88,
    volume: 41238600
  }
  expect(splitBar(bar, 10)).toEqual({
    date: '2024-06-07',
    open: 119.77,
    high: Number.NaN,
    low: 118.022,
    close: 120.888,
    volume: 412386000
  })
  expect(splitBar(bar, 0.1)).toMatchObject({ close: 12088.8, volume: 4123860 })
})

test('a bar survives the way to another scale and back', () => {
  const cents = fc.integer({ min: 1, max: 1e8 }).map((units) => units / 100)
  const ratio = fc.constantFrom(1.5, 2, 3, 4, 7, 10, 20, 1 / 8, 0.1, 0.05)
  fc.assert(
    fc.property(cents, ratio, (close, shares) => {
      const bar = { date: day('2024-06-07'), open: close, high: close, low: close, close, volume: 1000 }
      const back = splitBar(splitBar(bar, shares), 1 / shares)
      expect(Math.abs(back.close / close - 1)).toBeLessThan(2e-11)
    })
  )
})

test('the prices of a record follow a split, its volatilities and exposures do not', () => {
  const [record] = recordsAsOf(
    [
      {
        date: day('2024-06-07'),
        close: 1208.88,
        straddle: 80,
        callWall: 1250,
        gammaFlip: undefined,
        rv30: 50,
        netGex: 7
      }
    ].map((each) => each as DailyRecord),
    splits,
    day('2024-06-11')
  )
  expect(record).toEqual({
    date: '2024-06-07',
    close: 120.888,
    straddle: 8,
    callWall: 125,
    gammaFlip: undefined,
    rv30: 50,
    netGex: 7
  })
})
