import { expect, test } from 'vitest'
import { TaskQueue } from '../../src/workers/task-queue.ts'

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

test('tasks begin one in a turn of the event loop, the sooner ones first and each kind in its order', async () => {
  const queue = new TaskQueue()
  const begun: string[] = []
  const ask = (name: string, urgency: 'soon' | 'later') => queue.next(urgency).then(() => begun.push(name))
  ask('a record', 'later')
  ask('a chain', 'soon')
  ask('another record', 'later')
  ask('another chain', 'soon')
  expect(begun).toEqual([])
  const order = ['a chain', 'another chain', 'a record', 'another record']
  for (let k = 1; k <= order.length; k++) {
    await turnOfTheLoop()
    expect(begun).toEqual(order.slice(0, k))
  }
})

test('a short task that somebody waits for passes loads that have begun', async () => {
  const queue = new TaskQueue()
  const begun: string[] = []
  const ask = (name: string, urgency: 'first' | 'begun' | 'soon') => queue.next(urgency).then(() => begun.push(name))
  ask('a chain', 'soon')
  ask('the rest of a chain', 'begun')
  ask('prices', 'first')
  for (let k = 0; k < 3; k++) await turnOfTheLoop()
  expect(begun).toEqual(['prices', 'the rest of a chain', 'a chain'])
})

test('what comes while others wait takes its place among them, and what comes later is begun too', async () => {
  const queue = new TaskQueue()
  const begun: string[] = []
  const ask = (name: string, urgency: 'soon' | 'later') => queue.next(urgency).then(() => begun.push(name))
  ask('a record', 'later')
  ask('a chain', 'soon')
  await turnOfTheLoop()
  ask('another chain', 'soon')
  await turnOfTheLoop()
  await turnOfTheLoop()
  expect(begun).toEqual(['a chain', 'another chain', 'a record'])
  await turnOfTheLoop()
  ask('one more', 'later')
  await turnOfTheLoop()
  expect(begun.at(-1)).toBe('one more')
})

test('a task that paused goes on before another begins, one step in a turn of the event loop', async () => {
  const queue = new TaskQueue()
  const done: string[] = []
  const load = async (name: string) => {
    await queue.next('soon')
    done.push(`${name} begins`)
    await queue.next('begun')
    done.push(`${name} ends`)
  }
  const loads = Promise.all([load('SPY'), load('SPX')])
  const order = ['SPY begins', 'SPY ends', 'SPX begins', 'SPX ends']
  for (let k = 1; k <= order.length; k++) {
    await turnOfTheLoop()
    expect(done).toEqual(order.slice(0, k))
  }
  await loads
})
