import { expect, test } from 'vitest'
import { createMassive } from '../../../src/connectors/massive/massive-connector.ts'
import { AFTER_GAP } from '../../../src/market/print.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { keepTapes } from '../keep-tapes.ts'
import { noon, SPY } from './listening.ts'
import { KEY, snapshotRow, tradeEvent, tradeRow, Vendor } from './vendor.ts'

const soon = { interval: 20 }
const contract = 'SPY260731C00600000'

/** Tapes over a vendor whose market began at noon when the test did. */
async function tapesOf(key = KEY) {
  const vendor = await new Vendor().start()
  const limits = { firstPause: 300, longestPause: 300 }
  const settings = { key, stream: vendor.stream, url: vendor.url, delay: 0, quotes: 0, requestsPerSecond: 100, limits }
  return { vendor, ...keepTapes(createMassive(settings).prints, noon) }
}

/** A session with a break in the middle, repeated trades, and frames in the wrong order. */
async function sessionOfBreaks() {
  const { vendor, keeper, now, troubles, shown, sizes } = await tapesOf()
  /** Everything that was traded; the past of the vendor has it all. */
  const traded: { readonly t: number; readonly s: number; readonly c: readonly number[] }[] = []
  const trade = (s: number, c = [209]) => {
    const event = { t: now(), s, c }
    traded.push(event)
    vendor.tell([tradeEvent({ ...event, q: traded.length })])
  }
  const again = (k: number) => vendor.tell([tradeEvent({ ...traded[k], q: k + 1 })])
  vendor.rest.set('/v3/snapshot/options/SPY', () => ({
    body: { results: [snapshotRow(contract, traded.at(-1)?.t ?? noon - 1e6)] }
  }))
  vendor.rest.set('/v3/trades', (path) => {
    const [, from, to] = /gte=(\d+)000000&timestamp\.lt=(\d+)000000/.exec(path)!.map(Number)
    const within = traded.filter(({ t }) => t >= from && t < to)
    return { body: { results: within.map(({ t, s, c }) => tradeRow(t, { size: s, conditions: c })) } }
  })
  trade(1) // before anybody listens
  keeper.keep(SPY)
  await expect.poll(() => vendor.received[0]?.length, soon).toBe(2)
  trade(2)
  trade(2)
  await expect.poll(sizes, soon).toEqual([1, 2, 2])
  vendor.cut()
  trade(3)
  trade(4, [219])
  await expect.poll(() => vendor.received.length, soon).toBe(2)
  await expect.poll(() => vendor.received[1].length, soon).toBe(2)
  trade(5)
  again(1)
  again(traded.length - 1)
  await expect.poll(sizes, soon).toEqual([1, 2, 2, 3, 4, 5])
  trade(4, [201])
  // The one that was traded later comes first: a tape has them as they became known.
  const [earlier, later] = [now(), now() + 1].map((t, k) => ({ t, s: 6 + k, c: [209] }))
  traded.push(earlier, later)
  vendor.tell([tradeEvent({ ...later, q: traded.length })])
  vendor.tell([tradeEvent({ ...earlier, q: traded.length - 1 })])
  await expect.poll(sizes, soon).toEqual([1, 2, 2, 3, 5, 7, 6]) // the cancel takes the sweep of 4 back
  const { flags, known, sizes: shownSizes } = await shown()
  expect(flags).toEqual([0, 0, 0, 0, 0, 0, 0]) // and there is no gap
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  await keeper.close()
  return { sizes: shownSizes, troubles: troubles.map(({ kind }) => kind) }
}

test('a tape has every print once, whatever becomes of the line, and is the same the second time', {
  timeout: 180_000
}, async () => {
  const first = await sessionOfBreaks()
  expect(first).toEqual({ sizes: [1, 2, 2, 3, 5, 7, 6], troubles: ['feed_interrupted'] })
  expect(await sessionOfBreaks()).toEqual(first)
})

test('a hole that cannot be closed is a gap on the tape, and the operator hears of it', async () => {
  const { vendor, keeper, now, troubles, shown } = await tapesOf()
  vendor.rest.set('/v3/snapshot/options/SPY', () => ({ status: 403, body: { status: 'NOT_AUTHORIZED' } }))
  keeper.keep(SPY)
  await expect.poll(() => vendor.received[0]?.length, soon).toBe(2)
  vendor.tell([tradeEvent({ t: now() })])
  await expect.poll(async () => (await shown()).flags, soon).toEqual([AFTER_GAP])
  const failed = troubles.filter(({ kind }) => kind === 'past_failed')
  expect(failed[0]).toEqual({
    kind: 'past_failed',
    symbol: SPY,
    message: expect.stringMatching(/^Massive refuses with status 403: /)
  })
})

test('a key that is refused is told once for each attempt, and the past is left alone meanwhile', async () => {
  const { vendor, keeper, troubles } = await tapesOf('sk-wrong-8080')
  vendor.rest.set('/v3', () => ({ status: 401, body: '' }))
  keeper.keep(SPY)
  keeper.keep('QQQ' as Ticker)
  await expect.poll(() => troubles.filter(({ kind }) => kind === 'feed_failed').length, soon).toBeGreaterThan(2)
  const asked = vendor.asked.length
  expect(asked).toBeLessThanOrEqual(4) // at the beginning of each tape, and for what came before its feed
  expect(JSON.stringify(troubles)).not.toContain('sk-wrong-8080')
  expect(JSON.stringify(troubles)).toContain('GAMMAWALL_MASSIVE_KEY')
})

test('what is not understood is counted for the operator', async () => {
  const { vendor, keeper, troubles } = await tapesOf()
  keeper.keep(SPY)
  await expect.poll(() => vendor.received[0]?.length, soon).toBe(2)
  vendor.tell([tradeEvent({ c: [250] }), tradeEvent({ c: [250], q: 2 }), tradeEvent({ p: 0 })])
  vendor.tell('garbage')
  await new Promise((resolve) => setTimeout(resolve, 200))
  await keeper.close()
  expect(troubles).toEqual([
    { kind: 'refused', symbol: SPY, reason: 'the unknown sale condition 250', count: 2 },
    { kind: 'refused', symbol: undefined, reason: 'a trade without a price (p)', count: 1 },
    { kind: 'refused', symbol: undefined, reason: 'a frame that is no list', count: 1 }
  ])
})
