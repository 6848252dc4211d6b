import { expect, test } from 'vitest'
import { ReadScheduler } from '../../src/tape/read-scheduler.ts'

test('readings go on by turns, those that callers wait for first, and everything else in between', async () => {
  const scheduler = new ReadScheduler()
  const done: string[] = []
  const read = async (name: string, isWaitedFor: boolean) => {
    for (let piece = 0; piece < 2; piece++) {
      await scheduler.next({ isWaitedFor })
      done.push(name)
    }
  }
  const readings = [read('a', false), read('b', true), read('c', true), read('d', false)]
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual(['b'])
  await Promise.all(readings)
  expect(done).toEqual(['b', 'c', 'b', 'c', 'a', 'd', 'a', 'd'])
})

test('a short reading goes before all others', async () => {
  const scheduler = new ReadScheduler()
  const done: string[] = []
  const read = async (name: string, isShort: boolean) => {
    for (let piece = 0; piece < 2; piece++) {
      await scheduler.next({ isWaitedFor: true, isShort })
      done.push(name)
    }
  }
  await Promise.all([read('day', false), read('minutes', true)])
  expect(done).toEqual(['minutes', 'minutes', 'day', 'day'])
})
