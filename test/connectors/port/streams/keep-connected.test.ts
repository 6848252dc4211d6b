import { expect, test } from 'vitest'
import { SerialQueue } from '../../../../src/connectors/port/prints/serial-queue.ts'
import { SourceError } from '../../../../src/connectors/port/source-error.ts'
import { keepConnected } from '../../../../src/connectors/port/streams/keep-connected.ts'

const pauses = { firstPause: 10, longestPause: 60 }

test('a stream is connected again with growing pauses, which begin anew once something was heard', async () => {
  const stop = new AbortController()
  const reasons: string[] = []
  const begun: number[] = []
  await keepConnected(
    async (succeeded) => {
      begun.push(performance.now())
      if (begun.length === 4) succeeded()
      if (begun.length === 6) return stop.abort()
      throw new SourceError('unavailable', `failure ${begun.length}`)
    },
    { pauses, onInterrupted: (reason) => void reasons.push(reason) },
    stop.signal
  )
  expect(reasons).toEqual([1, 2, 3, 4, 5].map((k) => `failure ${k}`))
  const waits = begun.slice(1).map((at, k) => at - begun[k])
  for (const [k, least] of [10, 20, 40, 10, 20].entries()) expect(waits[k]).toBeGreaterThan(least - 2)
})

test('a stream that is asked to rest waits the longest, and a refusal or a fault of our own ends it', async () => {
  const begun = performance.now()
  const faults = [new SourceError('rate_limited', 'rest'), new SourceError('refused', 'no')]
  const run = keepConnected(
    async () => {
      throw faults.shift()!
    },
    { pauses, onInterrupted: () => {} },
    new AbortController().signal
  )
  await expect(run).rejects.toMatchObject({ fault: 'refused' })
  expect(performance.now() - begun).toBeGreaterThan(58)
  const broken = keepConnected(
    () => Promise.reject(new RangeError('ours')),
    { pauses, onInterrupted: () => {} },
    new AbortController().signal
  )
  await expect(broken).rejects.toThrow(RangeError)
})

test('work goes one after the other, and one who waits no longer holds nobody up', async () => {
  const queue = new SerialQueue()
  const { signal } = new AbortController()
  const given: number[] = []
  const end = await queue.next(signal)
  const leaves = new AbortController()
  const second = queue.next(leaves.signal)
  const third = queue.next(signal).then((done) => {
    given.push(3)
    done()
  })
  leaves.abort(new Error('too long'))
  await expect(second).rejects.toThrow('too long')
  expect(given).toEqual([])
  end()
  await third
  expect(given).toEqual([3])
})
