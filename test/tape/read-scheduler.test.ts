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

test('reads of sessions begin one after the other, save those that callers wait for', async () => {
  const scheduler = new ReadScheduler()
  const begun: string[] = []
  const read = (name: string) => ({ name, isWaitedFor: false })
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(read)
  for (const each of [a, b, c, d, e]) void scheduler.begin(each).then(() => begun.push(each.name))
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  expect(begun).toEqual(['a', 'b'])
  e.isWaitedFor = true
  scheduler.beginReads()
  await settled()
  expect(begun).toEqual(['a', 'b', 'e'])
  scheduler.end(a)
  scheduler.end(c) // is given up
  scheduler.end(b)
  await settled()
  expect(begun).toEqual(['a', 'b', 'e', 'c', 'd'])
})

test('reads of scanned symbols begin once there is room, others at once', async () => {
  let hasRoom = false
  const scheduler = new ReadScheduler(() => hasRoom)
  const begun: string[] = []
  const begin = (name: string, isScanned: boolean, isWaitedFor = false) => {
    const read = { isWaitedFor, isScanned }
    void scheduler.begin(read).then(() => begun.push(name))
    return read
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  begin('one of many', true)
  begin('recorded', false)
  const asked = begin('asked for', true, true)
  await settled()
  expect(begun).toEqual(['recorded', 'asked for'])
  scheduler.end(asked)
  await settled()
  expect(begun).toEqual(['recorded', 'asked for'])
  hasRoom = true
  scheduler.beginReads()
  await settled()
  expect(begun).toEqual(['recorded', 'asked for', 'one of many'])
})

test('no more than eight sessions are read at once, even if callers wait for more', async () => {
  const scheduler = new ReadScheduler()
  const begun: number[] = []
  const reads = Array.from({ length: 10 }, (_, k) => {
    const read = { isWaitedFor: true }
    void scheduler.begin(read).then(() => begun.push(k))
    return read
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  scheduler.end(reads[3])
  await settled()
  expect(begun.at(-1)).toBe(8)
  for (const read of reads) scheduler.end(read)
})
