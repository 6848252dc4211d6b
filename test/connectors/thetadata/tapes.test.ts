import { expect, test } from 'vitest'
import { createThetaData } from '../../../src/connectors/thetadata/thetadata-connector.ts'
import { AFTER_GAP } from '../../../src/market/print.ts'
import type { Instant } from '../../../src/market/units.ts'
import { RestVendor, type VendorAnswer } from '../../support/rest-vendor.ts'
import { keepTapes } from '../keep-tapes.ts'
import { SPY, TerminalSocket, tradeFrame } from './terminal.ts'
import { noon, tradesIn } from './vendor.ts'

const soon = { interval: 20 }

/** Tapes over a terminal whose market began at noon when the test did; its past has everything that was traded. */
async function tapesOf(past?: () => VendorAnswer | undefined, plan: 'standard' | 'pro' = 'pro') {
  const traded: { readonly time: Instant; readonly size: number; readonly condition: number }[] = []
  const vendor = await RestVendor.start((request) => past?.() ?? tradesIn(traded, request))
  const terminal = await new TerminalSocket().start()
  const { prints } = createThetaData({
    url: `${vendor.url}/v3`,
    plan,
    stream: terminal.address,
    limits: { firstPause: 300, longestPause: 300, poll: 200 },
    times: { again: 10 }
  })
  const tapes = keepTapes(prints, noon)
  /** Trades something; `tell`: in the stream, too, as often as that. */
  const trade = (size: number, condition = 18, tell = 1) => {
    const time = tapes.now()
    traded.push({ time, size, condition })
    const frame = tradeFrame(time, { size, condition, sequence: traded.length })
    for (let k = 0; k < tell; k++) terminal.tell(frame)
    return frame
  }
  return { vendor, terminal, ...tapes, trade }
}

async function session() {
  const { terminal, keeper, troubles, shown, sizes, trade } = await tapesOf()
  trade(1, 18, 0) // before anybody listens
  keeper.keep(SPY)
  await expect.poll(() => terminal.received[0]?.length, soon).toBe(1)
  await expect.poll(sizes, soon).toEqual([1])
  trade(2)
  trade(2, 18, 3) // the same frame three times
  const late = trade(7, 18, 0)
  trade(8)
  terminal.tell(late) // out of order
  await expect.poll(async () => (await sizes()).length, soon).toBe(5)
  terminal.cut()
  trade(3)
  trade(4, 95)
  await expect.poll(() => terminal.received.length, soon).toBe(2)
  trade(5)
  await expect.poll(async () => (await sizes()).length, soon).toBe(8)
  trade(4, 40) // takes the sweep of 4 back
  trade(6)
  await expect.poll(async () => (await sizes()).at(-1), soon).toBe(6)
  const { sizes: shownSizes, flags } = await shown()
  return {
    // A frame that comes late is where it came, or at its time where the past was read after it.
    sizes: shownSizes.sort(),
    hasGap: flags.some((flag) => (flag & AFTER_GAP) !== 0),
    kinds: troubles.map(({ kind }) => kind)
  }
}

test('a tape has every print once, whatever becomes of the line, and is the same the second time', {
  timeout: 120_000
}, async () => {
  const first = await session()
  expect(first).toEqual({ sizes: [1, 2, 2, 3, 5, 6, 7, 8], hasGap: false, kinds: ['feed_interrupted'] })
  expect(await session()).toEqual(first)
})

test('a hole that cannot be closed is a gap on the tape, and the operator hears of it', {
  timeout: 180_000
}, async () => {
  const { terminal, keeper, troubles, shown, trade } = await tapesOf(() => ({ status: 471 }))
  keeper.keep(SPY)
  await expect.poll(() => terminal.received[0]?.length, soon).toBe(1)
  trade(5)
  await expect.poll(shown, soon).toMatchObject({ sizes: [5], flags: [AFTER_GAP] })
  expect(troubles.find(({ kind }) => kind === 'past_failed')).toMatchObject({
    symbol: SPY,
    message: expect.stringMatching(/471: the account has no plan with it/)
  })
})

test('with a plan without the stream every print is read once, each with its quote, also after the terminal was down', async () => {
  let isDown = false
  const { vendor, terminal, keeper, troubles, shown, sizes, trade } = await tapesOf(
    () => (isDown ? { status: 571 } : undefined),
    'standard'
  )
  trade(1) // before anybody asks
  keeper.keep(SPY)
  await expect.poll(sizes, soon).toEqual([1])
  trade(2)
  trade(3)
  await expect.poll(sizes, soon).toEqual([1, 2, 3])
  isDown = true
  await expect.poll(() => troubles.length, soon).toBeGreaterThan(0)
  trade(4)
  isDown = false
  await expect.poll(sizes, soon).toEqual([1, 2, 3, 4])
  trade(3, 40) // takes the 3 back
  trade(5)
  await expect.poll(sizes, soon).toEqual([1, 2, 4, 5])
  const asked = vendor.asked.length
  await expect.poll(() => vendor.asked.length - asked, soon).toBeGreaterThan(6) // the same trades again and again
  const { sizes: shownSizes, flags } = await shown()
  expect(shownSizes).toEqual([1, 2, 4, 5])
  expect(flags.every((flag) => (flag & AFTER_GAP) === 0)).toBe(true)
  expect(new Set(troubles.map(({ kind }) => kind))).toEqual(new Set(['feed_interrupted']))
  expect(terminal.received).toEqual([])
})

test('a plan that has no past prints after all is refused in plain words', async () => {
  const { keeper, troubles } = await tapesOf(() => ({ status: 471 }), 'standard')
  keeper.keep(SPY)
  await expect.poll(() => troubles.map(({ kind }) => kind), soon).toContain('feed_failed')
  const failed = troubles.find(({ kind }) => kind === 'feed_failed')
  expect(failed).toMatchObject({ message: expect.stringMatching(/471: the account has no plan with it/) })
})
