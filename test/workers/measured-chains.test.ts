import { expect, test } from 'vitest'
import { forgetMeasures, memoize, memoizeBy, memoizePair } from '../../src/market/memoize.ts'
import { MeasuredChains } from '../../src/workers/measured-chains.ts'
import { handMade } from '../support/markets.ts'

const { chain } = handMade('one expiration')

test('measures of the chains that were used last are kept, of the others they are computed again', () => {
  let computed = 0
  const measure = memoize((_: typeof chain) => ++computed)
  const [first, second, third] = [{ ...chain }, { ...chain }, { ...chain }]
  const measured = new MeasuredChains(2 * (chain.size + 1))
  for (const each of [first, second]) {
    measured.use(each)
    measure(each)
  }
  measured.use(first)
  measured.use(third)
  expect([measure(first), computed]).toEqual([1, 2])
  expect(measure(second)).toBe(3)
  measured.forget(first)
  expect(measure(first)).toBe(4)
})

test('what was computed from a snapshot is dropped from every memory, and from no other snapshot', () => {
  let computed = 0
  const next = () => ++computed
  const alone = memoize((_: object) => next())
  const byKey = memoizeBy((_: object, _key: number) => next())
  const pair = memoizePair((_: object, _other: object) => next())
  const [one, other] = [{}, {}]
  const all = (of: object) => [alone(of), byKey(of, 1), byKey(of, 2), pair(of, other)]
  expect(all(one)).toEqual([1, 2, 3, 4])
  expect(all(other)).toEqual([5, 6, 7, 8])
  forgetMeasures(one)
  expect(all(one)).toEqual([9, 10, 11, 12])
  expect(all(other)).toEqual([5, 6, 7, 8])
})
