import { expect, test, vi } from 'vitest'
import { memoize, memoizeBy, memoizePair } from '../../src/market/memoize.ts'

interface Snapshot {
  readonly spot: number
}

test('a snapshot is computed from once, an equal one anew', () => {
  const compute = vi.fn(({ spot }: Snapshot) => ({ double: 2 * spot }))
  const double = memoize(compute)
  const [one, other] = [{ spot: 3 }, { spot: 3 }]
  expect(double(one)).toBe(double(one))
  expect(double(other)).toEqual(double(one))
  expect(double(other)).not.toBe(double(one))
  expect(compute).toHaveBeenCalledTimes(2)
})

test('an absent result is remembered as well', () => {
  const compute = vi.fn((_: Snapshot): number | undefined => undefined)
  const [plain, keyed] = [memoize(compute), memoizeBy((of: Snapshot, _: string) => compute(of))]
  const snapshot = { spot: 1 }
  expect([plain(snapshot), plain(snapshot), keyed(snapshot, 'a'), keyed(snapshot, 'a')]).toEqual(
    Array(4).fill(undefined)
  )
  expect(compute).toHaveBeenCalledTimes(2)
})

test('two functions never share a result, though they read one snapshot by one key', () => {
  const [up, down] = [1, -1].map((by) => memoizeBy(({ spot }: Snapshot, times: number) => spot + by * times))
  const snapshot = { spot: 10 }
  expect([up(snapshot, 2), down(snapshot, 2), up(snapshot, 3), up(snapshot, 2)]).toEqual([12, 8, 13, 12])
})

test('each key of a snapshot has a result of its own', () => {
  const compute = vi.fn(({ spot }: Snapshot, key: string) => `${key} ${spot}`)
  const named = memoizeBy(compute)
  const [one, other] = [{ spot: 1 }, { spot: 2 }]
  expect([named(one, 'a'), named(one, 'b'), named(other, 'a'), named(one, 'a')]).toEqual(['a 1', 'b 1', 'a 2', 'a 1'])
  expect(compute).toHaveBeenCalledTimes(3)
})

test('two snapshots are computed from once in each order', () => {
  const compute = vi.fn((today: Snapshot, before: Snapshot) => today.spot - before.spot)
  const change = memoizePair(compute)
  const [one, other] = [{ spot: 5 }, { spot: 3 }]
  expect([change(one, other), change(one, other), change(other, one)]).toEqual([2, 2, -2])
  expect(compute).toHaveBeenCalledTimes(2)
})

test('a failure is not remembered', () => {
  let calls = 0
  const flaky = memoize((_: Snapshot) => {
    if (calls++ === 0) throw new Error('first')
    return calls
  })
  const snapshot = { spot: 1 }
  expect(() => flaky(snapshot)).toThrow('first')
  expect(flaky(snapshot)).toBe(2)
})
