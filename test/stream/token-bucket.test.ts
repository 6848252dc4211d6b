import { expect, test } from 'vitest'
import { TokenBucket } from '../../src/stream/session/token-bucket.ts'

test('a bucket gives its burst at once and then its rate, and says how long to wait', () => {
  const rate = new TokenBucket(50, 200, 0)
  expect(Array.from({ length: 200 }, () => rate.take(0)).filter((wait) => wait !== undefined)).toEqual([])
  expect(rate.take(0)).toBe(20)
  expect(rate.take(10)).toBe(10)
  expect(rate.take(20)).toBeUndefined()
  expect(rate.take(-1000)).toBe(20) // a clock that is set back gives nothing
})
