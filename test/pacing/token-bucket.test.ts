import { expect, test } from 'vitest'
import { TokenBucket, TokenBuckets } from '../../src/pacing/token-bucket.ts'

test('a bucket gives its burst at once and then its rate, and says how long to wait', () => {
  const bucket = new TokenBucket({ burst: 200, perMinute: 3000 }, 0)
  expect(Array.from({ length: 200 }, () => bucket.take(0)).filter((wait) => wait > 0)).toEqual([])
  expect(bucket.take(0)).toBe(20)
  expect(bucket.take(10)).toBe(10)
  expect(bucket.take(20)).toBe(0)
  expect(bucket.take(-1000)).toBe(20) // a clock that is set back gives nothing
})

test('asking how long to wait takes nothing', () => {
  const bucket = new TokenBucket({ burst: 1, perMinute: 60 }, 0)
  expect([bucket.wait(0), bucket.wait(0), bucket.take(0), bucket.wait(0), bucket.wait(400)]).toEqual([
    0, 0, 0, 1000, 600
  ])
})

test('each client has a bucket of its own, and one that is dropped begins anew', () => {
  const buckets = new TokenBuckets(2)
  const take = (client: string) => buckets.take(client, { burst: 1, perMinute: 60 }, 0)
  expect(buckets.isEmpty).toBe(true)
  expect([take('a'), take('a'), take('b'), take('b')]).toEqual([0, 1000, 0, 1000])
  buckets.drop('a')
  expect([take('a'), take('b')]).toEqual([0, 1000])
  take('c') // there is room for two: a, idle longest, is dropped
  expect([take('b'), take('a')]).toEqual([1000, 0])
})
