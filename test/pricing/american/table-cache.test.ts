import { expect, test } from 'vitest'
import { TableCache } from '../../../src/pricing/american/table-cache.ts'

/** Keeps ten values of ten bytes each, and counts how often one is made. */
function counted() {
  const clock = { minutes: 1, now: () => 60_000 * clock.minutes }
  const held = new TableCache<{ readonly name: string }>(100, () => 10, clock)
  const made: string[] = []
  const get = (name: string) =>
    held.get(name, () => {
      made.push(name)
      return { name }
    })
  return { clock, made, get }
}

test('a value is made once, and the longest idle goes where there is no room', () => {
  const { made, get } = counted()
  const first = get('0')
  expect(get('0')).toBe(first)
  for (let k = 1; k < 10; k++) get(`${k}`)
  get('0')
  get('10')
  expect(get('0')).toBe(first)
  expect(made).toHaveLength(11)
  get('1')
  expect(made).toHaveLength(12)
})

test('what was not used for half an hour is made again', () => {
  const { clock, made, get } = counted()
  get('used')
  get('idle')
  for (let quarter = 0; quarter < 3; quarter++) {
    clock.minutes += 15
    get('used')
  }
  get('idle')
  expect(made).toEqual(['used', 'idle', 'idle'])
})
