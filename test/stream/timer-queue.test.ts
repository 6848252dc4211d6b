import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TimerQueue } from '../../src/stream/delivery/timer-queue.ts'

test('tasks run when they are due, in the order of their moments and then in which they were scheduled', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 0, max: 50 }), (moments, now) => {
      const ran: number[] = []
      const timers = new TimerQueue(
        () => now,
        () => {}
      )
      for (const [k, at] of moments.entries()) timers.schedule(at, () => ran.push(k))
      timers.run()
      const due = moments.map((at, k) => ({ at, k })).filter(({ at }) => at <= now)
      expect(ran).toEqual(due.sort((a, b) => a.at - b.at || a.k - b.k).map(({ k }) => k))
      expect(timers.size).toBe(moments.length - due.length)
    })
  )
})

test('the timer is armed for whatever is earliest', () => {
  const armed: number[] = []
  const timers = new TimerQueue(
    () => 35,
    (at) => armed.push(at)
  )
  for (const at of [50, 70, 30, 40]) timers.schedule(at, () => {})
  expect(armed).toEqual([50, 30])
  timers.run()
  expect(armed).toEqual([50, 30, 40])
})

test('what becomes due while tasks run is done in the same run', () => {
  const ran: string[] = []
  const timers = new TimerQueue(
    () => 2,
    () => {}
  )
  timers.schedule(1, () => {
    ran.push('first')
    timers.schedule(2, () => ran.push('second'))
  })
  timers.run()
  expect(ran).toEqual(['first', 'second'])
})
