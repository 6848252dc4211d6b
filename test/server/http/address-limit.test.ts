import { describe, expect, test } from 'vitest'
import { AddressLimit } from '../../../src/server/http/address-limit.ts'
import { clockAt } from '../../support/scripted-source.ts'

const rate = { burst: 3, perMinute: 6 }

function limit() {
  const clock = clockAt(1e12)
  const limited = new AddressLimit({ ...rate, now: clock.now })
  return { clock, take: (address = '10.0.0.1') => limited.take(address) }
}

describe('an address', () => {
  test('may ask a few times at once, then as often as its bucket fills, and is told how long to wait', () => {
    const { clock, take } = limit()
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 10])
    clock.pass(4_000)
    expect(take()).toBe(6)
    clock.pass(6_000)
    expect([take(), take()]).toEqual([0, 10])
    clock.pass(3_600_000)
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 10])
  })

  test('does not use up what another has', () => {
    const { take } = limit()
    for (let k = 0; k < 4; k++) take()
    expect([take(), take('10.0.0.2')]).toEqual([10, 0])
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:0db8:0001:0002:1:2:3:4', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['fe80::1%eth0', 'fe80::2', true],
    ['::1', '::2', true],
    ['::ffff:10.0.0.7', '10.0.0.7', true],
    ['::ffff:10.0.0.7', '::ffff:10.0.0.8', false]
  ])('%s and %s: the same client is %s', (one, other, same) => {
    const { take } = limit()
    for (let k = 0; k < 3; k++) take(one)
    expect(take(other) > 0).toBe(same)
  })

  test('is not held up by a clock that goes back', () => {
    const { clock, take } = limit()
    take()
    clock.pass(-60_000)
    expect([take(), take(), take()]).toEqual([0, 0, 10])
  })

  test('costs no memory for ever, however many there are', () => {
    const { take } = limit()
    for (let k = 0; k < 50_000; k++) expect(take(`10.${k >> 16}.${(k >> 8) & 255}.${k & 255}`)).toBe(0)
  })
})
