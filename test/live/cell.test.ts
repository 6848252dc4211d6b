import { describe, expect, test } from 'vitest'
import { Cell, type CellOptions } from '../../src/live/cell.ts'
import { Cells } from '../../src/live/cells.ts'
import { minute } from './standing-market.ts'

/** A cell over a source that counts, gives what the test puts there, and fails where the test says so. */
function counted<Value>(value: Value, more: Partial<CellOptions<Value>> = {}) {
  const source = { value, goodFor: minute, loads: 0, failure: undefined as Error | undefined, now: 1000 }
  const load = async () => {
    source.loads++
    if (source.failure !== undefined) throw source.failure
    return { value: source.value, goodFor: source.goodFor }
  }
  return { source, cell: new Cell<Value>({ load, steadyNow: () => source.now, ...more }) }
}

/** The value as its readers get it: at once, or from a load. */
const valueIn = <Value>(cell: Cell<Value>) => (cell.isGood ? cell.read() : cell.load())

describe('a cell', () => {
  test('loads once for all that wait, and is read at once as long as the value is good', async () => {
    const { cell, source } = counted('a')
    expect(await Promise.all([valueIn(cell), valueIn(cell), cell.load()])).toEqual(['a', 'a', 'a'])
    source.now += minute - 1
    expect([cell.isGood, cell.read(), source.loads]).toEqual([true, 'a', 1])
    source.value = 'b'
    source.now++
    expect([cell.isGood, cell.read(), await cell.load(), source.loads]).toEqual([false, 'a', 'b', 2])
  })

  test('is loaded anew though it is good where its reader asks for that', async () => {
    const { cell, source } = counted('a')
    await cell.load()
    source.value = 'b'
    expect(await cell.load()).toBe('b')
  })

  test('loads in the background what has expired, and serves the old value meanwhile', async () => {
    const { cell, source } = counted('a')
    expect(cell.isServable).toBe(false)
    await cell.load()
    cell.renew()
    expect([cell.isLoading, source.loads]).toEqual([false, 1])
    source.now += minute
    source.failure = new Error('down')
    cell.renew()
    cell.renew()
    expect([cell.isLoading, cell.isGood, cell.isServable, cell.read(), source.loads]).toEqual([
      true,
      false,
      true,
      'a',
      2
    ])
    await cell.load()
    expect([cell.failures, cell.read()]).toEqual([1, 'a'])
  })

  test('serves what it holds where a load fails, and asks again after a pause that its maker chooses', async () => {
    const { cell, source } = counted('a', { pauseAfter: (failures) => failures * 500 })
    await cell.load()
    source.failure = new Error('down')
    for (const [failures, pause] of [
      [1, 500],
      [2, 1000]
    ]) {
      source.now += minute
      expect([await valueIn(cell), cell.failures, cell.isDue]).toEqual(['a', failures, false])
      source.now += pause - 1
      expect(cell.isDue).toBe(false)
      source.now++
      expect(cell.isDue).toBe(true)
    }
    source.failure = undefined
    await valueIn(cell)
    expect(cell.failures).toBe(0)
  })

  test('says why where nothing is held, without asking again before the pause is over', async () => {
    const { cell, source } = counted('a')
    source.failure = new Error('down')
    await expect(cell.load()).rejects.toThrow('down')
    expect([cell.isGood, cell.isServable]).toEqual([true, true])
    expect(() => cell.read()).toThrow('down')
    expect(source.loads).toBe(1)
    source.now += minute
    source.failure = undefined
    expect(await valueIn(cell)).toBe('a')
  })

  test('holds its first value before anything is loaded, and after a first load that fails', async () => {
    const { cell, source } = counted<readonly number[]>([1], { initial: { value: [] } })
    source.failure = new Error('down')
    expect(cell.value).toEqual([])
    expect(await valueIn(cell)).toEqual([])
  })

  test('keeps the very object it holds where a fresh one says the same', async () => {
    const { cell, source } = counted([1], { isSame: (held, fresh) => held[0] === fresh[0] })
    const first = await cell.load()
    source.value = [1]
    expect(await cell.load()).toBe(first)
    source.value = [2]
    expect(await cell.load()).toBe(source.value)
  })
})

describe('cells by key', () => {
  const clock = { now: 0 }
  const cells = () => {
    const dropped: string[] = []
    const make = (key: string) => ({ key, cell: { isLoading: key.startsWith('loading') } })
    const held = new Cells({
      make,
      onDrop: ({ key }) => dropped.push(key),
      isPinned: ({ key }) => key === 'pinned',
      steadyNow: () => clock.now
    })
    return { held, dropped }
  }

  test('drop what nobody asked for lately, but nothing that loads or is pinned', () => {
    const { held, dropped } = cells()
    for (const key of ['a', 'b', 'loading', 'pinned']) held.get(key)
    clock.now += 15 * minute
    held.get('b')
    clock.now++
    held.dropIdle()
    expect([dropped, [...held.values()].map(({ key }) => key)]).toEqual([['a'], ['b', 'loading', 'pinned']])
  })

  test('drop the longest idle first, where asked even one that loads', () => {
    const { held, dropped } = cells()
    for (const key of ['loading', 'a', 'b']) held.get(key)
    held.get('a')
    expect([held.dropLongestIdle(), held.dropLongestIdle(() => true, true)]).toEqual([true, true])
    expect(dropped).toEqual(['b', 'loading'])
    expect(held.dropLongestIdle(({ key }) => key === 'z')).toBe(false)
  })

  test('know whether a cell is still the one of its key', () => {
    const { held } = cells()
    const first = held.get('a')
    expect(held.holds('a', first)).toBe(true)
    held.drop('a')
    held.get('a')
    expect(held.holds('a', first)).toBe(false)
  })
})
