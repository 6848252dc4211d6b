import { expect, test } from 'vitest'
import { emptyPrints } from '../../src/market/print.ts'
import { overlapFilter } from '../../src/tape/overlap.ts'
import { QuoteBook } from '../../src/tape/quote-book.ts'
import { RecentSequences } from '../../src/tape/recent-sequences.ts'

const minute = 60_000_000 // microseconds

test('a number is known for half an hour at least, by exchange, and is forgotten after an hour', () => {
  const sequences = new RecentSequences()
  expect(sequences.add(1, 7, 0)).toBe(true)
  expect(sequences.add(1, 7, 0)).toBe(false)
  expect(sequences.add(2, 7, 0)).toBe(true)
  for (let at = 1; at <= 30; at++) {
    expect(sequences.add(1, 7, at * minute)).toBe(false)
    sequences.add(1, 100 + at, at * minute)
  }
  expect(sequences.has(1, 7)).toBe(true)
  expect(sequences.has(3, 7)).toBe(false)
  for (let at = 31; at <= 62; at++) sequences.add(1, 100 + at, at * minute)
  expect(sequences.add(1, 7, 62 * minute)).toBe(true)
  expect(sequences.add(1, 150, 62 * minute)).toBe(false)
})

test('of equal prints without numbers only the surplus over what was told before is new', () => {
  const prints = emptyPrints(4)
  prints.ts.set([1000, 2000, 2000, 2000])
  prints.known.set([1000, 2000, 2000, 2000])
  prints.instrument.fill(3)
  prints.price.fill(10_500)
  prints.size.set([5, 5, 5, 6])
  const row = { instrument: 3, price: 10_500, size: 5, exchange: 0 }
  const isNew = overlapFilter({ prints, from: 0, to: 4 }, 2)
  expect([1, 2, 3].map(() => isNew(row, 2000))).toEqual([false, false, true])
  expect(isNew({ ...row, size: 6 }, 2000)).toBe(false)
  expect(isNew({ ...row, instrument: 4 }, 2000)).toBe(true)
  expect(isNew(row, 1000)).toBe(true) // before what is told again
})

test('a quote stands until the next one, and is found again where that has overtaken a print', () => {
  const book = new QuoteBook()
  expect(book.at('A', 1000)).toBeUndefined()
  const quote = (time: number) => ({ bid: 1, ask: 1 + time, time })
  for (const time of [1000, 2000]) book.set('A', quote(time))
  expect(book.at('A', 3000)).toEqual(quote(2000))
  expect(book.at('A', 2000)).toEqual(quote(2000))
  expect(book.at('A', 1999)).toEqual(quote(1000))
  expect(book.at('A', 999)).toBeUndefined()
  expect(book.at('B', 3000)).toBeUndefined()
  book.set('A', quote(1500)) // late
  expect(book.at('A', 3000)).toEqual(quote(2000))
  book.set('A', { ...quote(2000), bid: 0.5 }) // of one moment the last one stands, and the one before both before it
  expect(book.at('A', 2000)?.bid).toBe(0.5)
  expect(book.at('A', 1999)).toEqual(quote(1000))
  book.set(undefined, quote(1000))
  expect(book.at(undefined, 1000)).toEqual(quote(1000))
  book.clear()
  expect(book.at('A', 3000)).toBeUndefined()
})
