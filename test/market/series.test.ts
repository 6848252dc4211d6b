import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ListedSeries, listedSeries, SeriesList, stockSeries } from '../../src/market/series.ts'

const anySeries = fc.record({
  root: fc.constantFrom('SPX', 'SPXW', 'SPX1'),
  date: fc.constantFrom('2026-07-29', '2026-08-21', '2027-01-15'),
  strike: fc.integer({ min: 1, max: 60 }).map((half) => half / 2),
  right: fc.nat(1)
})
const listed = ({ root, ...series }: { readonly root: string }) =>
  ({ root, settlement: root === 'SPX' ? 'am' : 'pm', adjusted: root === 'SPX1', ...series }) as ListedSeries

test('series are numbered in the order in which they come, and keep their number and what they are', () => {
  fc.assert(
    fc.property(fc.array(anySeries, { maxLength: 300 }), (given) => {
      const list = new SeriesList()
      const numbers = new Map<string, number>()
      for (const series of given.map(listed)) {
        const name = JSON.stringify(series)
        const number = list.numberOf(series)
        expect(number).toBe(numbers.get(name) ?? numbers.size)
        numbers.set(name, number)
      }
      const { columns } = list
      expect(columns.length).toBe(numbers.size)
      for (const [name, number] of numbers) expect(listedSeries(columns, number)).toEqual(JSON.parse(name))
      const expirations = columns.expirations.map(({ root, date }) => `${root} ${date}`)
      expect(new Set(expirations).size).toBe(expirations.length)
    })
  )
})

test('the columns are the same object until there is another series, and never change', () => {
  const list = new SeriesList()
  const one = listed({ root: 'SPX', date: '2026-07-29', strike: 100, right: 0 } as never)
  list.numberOf(one)
  const before = list.columns
  list.numberOf(one)
  expect(list.columns).toBe(before)
  for (let strike = 1; strike < 200; strike++) list.numberOf({ ...one, strike })
  expect(before.length).toBe(1)
  expect(before.strike).toEqual(Float64Array.of(100))
  expect(list.columns.strike.length).toBe(list.length)
  expect(list.columns.strike.buffer).toBeInstanceOf(SharedArrayBuffer)
})

test('a tape of stock prints has one series, of no expiration', () => {
  expect(stockSeries).toMatchObject({ length: 1, expirations: [] })
  expect([...stockSeries.expiration]).toEqual([-1])
})
