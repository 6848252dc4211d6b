import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from '../../../../src/connectors/port/pause.ts'
import { boundedPast } from '../../../../src/connectors/port/prints/bounded-past.ts'
import { SerialQueue } from '../../../../src/connectors/port/prints/serial-queue.ts'
import type { Ticker } from '../../../../src/market/units.ts'

const SPY = 'SPY' as Ticker
const { signal } = new AbortController()

/** Everything that is read in a time, one symbol after the other. */
async function readings(count: number, each: number, within: number) {
  const queue = new SerialQueue()
  const one = async () => {
    const batches: number[] = []
    async function* read(either: AbortSignal) {
      await pause(each, either)
      either.throwIfAborted()
      yield 1
    }
    for await (const batch of boundedPast(read, { symbol: SPY, within, queue, signal })) batches.push(batch)
    return batches.length
  }
  return Promise.allSettled(Array.from({ length: count }, one))
}

test('the time of a reading begins with its turn, and not with the wait for those before it', async () => {
  const settled = await readings(4, 250, 600)
  expect(settled.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
})

test('a reading that takes too long is a timeout, and the next one has its turn', async () => {
  const settled = await readings(2, 2000, 20)
  for (const outcome of settled) expect(outcome).toMatchObject({ reason: { fault: 'timeout' } })
})

test('the end of the caller ends a reading that waits for its turn, and not those after it', async () => {
  const queue = new SerialQueue()
  const end = await queue.next(signal)
  const stop = new AbortController()
  async function* read() {
    yield 1
  }
  const ended = boundedPast(read, { symbol: SPY, within: 1000, queue, signal: stop.signal }).next()
  const after = boundedPast(read, { symbol: SPY, within: 1000, queue, signal }).next()
  stop.abort(new Error('stopped'))
  await expect(ended).rejects.toThrow('stopped')
  end()
  expect(await after).toEqual({ done: false, value: 1 })
})

test('a turn that came leaves nothing at the signal of its caller', async () => {
  const { signal } = new AbortController()
  const end = await new SerialQueue().next(signal)
  end()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a reading whose turn does not come in time is given up, and those after it have theirs', async () => {
  const queue = new SerialQueue()
  const end = await queue.next(signal)
  let readings = 0
  async function* read() {
    readings++
    yield 1
  }
  const reading = (longestWait: number) => boundedPast(read, { symbol: SPY, within: 1000, queue, longestWait, signal })
  await expect(reading(20).next()).rejects.toMatchObject({
    fault: 'rate_limited',
    message: expect.stringMatching(/SPY/)
  })
  const patient = reading(60_000).next()
  expect(readings).toBe(0)
  end()
  expect(await patient).toEqual({ done: false, value: 1 })
})
