import { expect, test } from 'vitest'
import { SeenPages } from '../../../../src/connectors/port/http/seen-pages.ts'

test('a cursor that comes again, and more pages than a list has, are noticed', () => {
  const seen = new SeenPages(3)
  expect(['a', 'b', 'a', 'c', 'd'].map((cursor) => seen.follow(cursor))).toEqual([true, true, false, true, false])
})

test('rows that come again are noticed, whether they are a list or have names; pages without any are not', () => {
  const seen = new SeenPages(3)
  const pages = [[], [{ a: 1 }, { a: 2 }], [], { x: [1], y: [2] }, [{ a: 2 }, { a: 1 }], [{ a: 1 }, { a: 2 }]]
  expect(pages.map((page) => seen.take(page))).toEqual([true, true, true, true, true, false])
  expect(
    [
      { x: [1], y: [2] },
      { x: [1], y: [3] }
    ].map((page) => seen.take(page))
  ).toEqual([false, true])
})
