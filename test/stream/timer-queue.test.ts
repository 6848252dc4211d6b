import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TimerQueue } from '../../src/stream/delivery/timer-queue.ts'
import { bytesOf, frameHead } from '../../src/stream/delivery/wire.ts'
import { TokenBucket } from '../../src/stream/session/token-bucket.ts'
import { framesIn } from './frames.ts'

test('tasks run when they are due, in the order of their moments and then in which they were scheduled', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 0, max: 50 }), (moments, now) => {
      const ran: number[] = []
      const timers = new TimerQueue(() => {})
      for (const [k, at] of moments.entries()) timers.schedule(at, () => ran.push(k))
      timers.run(now)
      const due = moments.map((at, k) => ({ at, k })).filter(({ at }) => at <= now)
      expect(ran).toEqual(due.sort((a, b) => a.at - b.at || a.k - b.k).map(({ k }) => k))
      expect(timers.size).toBe(moments.length - due.length)
    })
  )
})

test('the timer is armed for whatever is earliest', () => {
  const armed: number[] = []
  const timers = new TimerQueue((at) => armed.push(at))
  for (const at of [50, 70, 30, 40]) timers.schedule(at, () => {})
  expect(armed).toEqual([50, 30])
  timers.run(35)
  expect(armed).toEqual([50, 30, 40])
})

test('what becomes due while tasks run is done in the same run', () => {
  const ran: string[] = []
  const timers = new TimerQueue(() => {})
  timers.schedule(1, () => {
    ran.push('first')
    timers.schedule(2, () => ran.push('second'))
  })
  timers.run(2)
  expect(ran).toEqual(['first', 'second'])
})

test('a bucket gives its burst at once and then its rate, and says how long to wait', () => {
  const rate = new TokenBucket(50, 200, 0)
  expect(Array.from({ length: 200 }, () => rate.take(0)).filter((wait) => wait !== undefined)).toEqual([])
  expect(rate.take(0)).toBe(20)
  expect(rate.take(10)).toBe(10)
  expect(rate.take(20)).toBeUndefined()
  expect(rate.take(-1000)).toBe(20) // a clock that is set back gives nothing
})

test.each([0, 1, 125, 126, 65_535, 65_536, 300_000])('the head of a frame of %i bytes tells its length', (length) => {
  const payload = JSON.stringify('x'.repeat(Math.max(0, length - 2)))
  expect(framesIn(frameHead(payload.length) + payload)).toEqual([JSON.parse(payload)])
})

test('a text is turned into its UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(Buffer.from(bytesOf(text), 'latin1').toString('utf8')).toBe(text)
    })
  )
})
