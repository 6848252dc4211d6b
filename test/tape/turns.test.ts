import { expect, test } from 'vitest'
import { Turns } from '../../src/tape/turns.ts'

/** Work that ends when it is told to, and the order in which it began. */
function scripted(atOnce: number) {
  const turns = new Turns(atOnce)
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string) =>
    turns.run(name, () => {
      began.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  return { turns, began, run, end: (name: string) => ends.get(name)!() }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

test('so many at a time, in the order in which they came', async () => {
  const { began, run, end } = scripted(2)
  const first = run('a')
  for (const name of ['b', 'c', 'd']) void run(name)
  expect(began).toEqual(['a', 'b'])
  end('a')
  expect(await first).toBe('a')
  await soon()
  expect(began).toEqual(['a', 'b', 'c'])
  end('b')
  await soon()
  expect(began).toEqual(['a', 'b', 'c', 'd'])
})

test('what somebody waits for is next', async () => {
  const { turns, began, run, end } = scripted(1)
  for (const name of ['a', 'b', 'c', 'd']) void run(name)
  turns.hurry('d')
  turns.hurry('a') // runs already
  turns.hurry('unknown')
  end('a')
  await soon()
  end('d')
  await soon()
  expect(began).toEqual(['a', 'd', 'b'])
})

test('work that fails makes room, too', async () => {
  const turns = new Turns(1)
  const failing = turns.run('a', () => Promise.reject(new Error('gone')))
  const after = turns.run('b', async () => 'done')
  await expect(failing).rejects.toThrow('gone')
  expect(await after).toBe('done')
})
