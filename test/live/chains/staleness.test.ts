import { describe, expect, test } from 'vitest'
import type { Chain } from '../../../src/market/chain.ts'
import type { Instant } from '../../../src/market/units.ts'
import { eastern } from '../../support/hand-made.ts'
import { alpha, free, minute, standing, ticker } from '../standing-market.ts'

const AAPL = ticker('AAPL')
const day = 24 * 60 * minute

/** A market over a source whose payloads are of another moment than now, as seen by somebody who asks every second. */
async function seen(moment: (now: Instant) => Instant, at: Instant, more: { delay?: number; states?: number } = {}) {
  const all = standing()
  const { live, source, clock } = all
  const { chain } = source
  Object.assign(source, { latest: (now: Instant) => now, ...('delay' in more && { delay: more.delay }) })
  source.chain = async (symbol, now, signal) => {
    const found = (await chain(symbol, now, signal)) as Chain
    return { ...found, asOf: moment(now), delay: more.states ?? 0 }
  }
  clock.at = at
  const loaded = await live.chain(AAPL, alpha)
  return { ...all, loaded: loaded!, isStale: live.isStale(loaded!) }
}

const noon = eastern('2026-07-29', '12:00')
const evening = eastern('2026-07-29', '18:00')
const close = eastern('2026-07-29', '16:00')

describe('the first chain of a symbol, just loaded,', () => {
  test.each<[string, boolean, Promise<{ isStale: boolean }>]>([
    ['of now is not stale', false, seen((now) => now, noon)],
    ['of half a minute ago is not', false, seen((now) => now - minute / 2, noon)],
    ['of an hour ago is', true, seen((now) => now - 60 * minute, noon)],
    ['of yesterday is', true, seen((now) => now - day, noon)],
    ['that is behind as far as it states is not', false, seen((now) => now - 15 * minute, noon, { states: 900 })],
    ['that states half a day is', true, seen((now) => now - 4 * 60 * minute, noon, { states: 4 * 3600 })],
    [
      'of a source that promises twenty minutes is not',
      false,
      seen((now) => now - 18 * minute, noon, { delay: 20 * minute })
    ],
    ['of the close is not, in the evening', false, seen(() => close, evening)],
    ['of noon is, in the evening', true, seen(() => noon, evening)],
    ['of the close is not, before the next opening', false, seen(() => close, eastern('2026-07-30', '09:29:59'))],
    ['of the close is, once the next session runs', true, seen(() => close, eastern('2026-07-30', '09:31'))],
    ['of Friday is not, on a Sunday', false, seen(() => eastern('2026-07-31', '16:00'), eastern('2026-08-02', '12:00'))]
  ])('%s', async (_, expected, found) => {
    expect((await found).isStale).toBe(expected)
  })
})

test('a chain that nobody asked for may be as old as nobody asks', async () => {
  const { live, clock, loaded } = await seen((now) => now, noon)
  clock.pass(2 * minute)
  expect(live.isStale(loaded)).toBe(false) // no request within the last minute
  clock.pass(13 * minute + 3000)
  expect(live.isStale(loaded)).toBe(false)
  clock.pass(1)
  expect(live.isStale(loaded)).toBe(true)
})

test('it is stale for who asks often, and not for who asks seldom', async () => {
  const { live, clock, loaded, source } = await seen((now) => now, noon)
  source.hold()
  clock.pass(minute)
  void Promise.resolve(live.chain(AAPL, free)).catch(() => {})
  clock.pass(1)
  expect(live.isStale(loaded)).toBe(false)
  void Promise.resolve(live.chain(AAPL, alpha)).catch(() => {})
  expect(live.isStale(loaded)).toBe(true)
})

test('the last good chain is never stale for a failure after the close', async () => {
  const { live, clock, loaded, source } = await seen(() => close, evening)
  source.faults.set('AAPL', new Error('down'))
  for (let k = 0; k < 5; k++) {
    clock.pass(minute)
    live.poll()
    await Promise.resolve(live.chain(AAPL, alpha)).catch(() => {})
  }
  expect(live.isStale(loaded)).toBe(false)
})
