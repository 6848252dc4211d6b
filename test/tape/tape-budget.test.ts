import { expect, test } from 'vitest'
import { IDLE_AFTER } from '../../src/facts/freshness.ts'
import type { Ticker } from '../../src/market/units.ts'
import { symbolsToDrop, type TapeUse } from '../../src/tape/tape-budget.ts'

const now = 1_000_000_000

function use(symbol: string, secondsAgo: number, more: Partial<TapeUse> = {}): TapeUse {
  const askedAt = now - 1000 * secondsAgo
  return { symbol: symbol as Ticker, bytes: 10, isScanned: false, askedAt, mayGo: true, expiresToday: false, ...more }
}

test('tapes that nobody asked for lately are dropped, whatever room there is', () => {
  const idle = IDLE_AFTER / 1000
  expect(symbolsToDrop([use('A', idle), use('B', idle - 1)], 1000, now)).toEqual(['A'])
})

test('beyond the budget those unasked for the longest time go first, until the rest fits', () => {
  const uses = [use('A', 10), use('B', 30), use('C', 20), use('D', 0, { bytes: 5 })]
  expect(symbolsToDrop(uses, 35, now)).toEqual([])
  expect(symbolsToDrop(uses, 34, now)).toEqual(['B'])
  expect(symbolsToDrop(uses, 15, now)).toEqual(['B', 'C'])
  expect(symbolsToDrop(uses, 0, now)).toEqual(['B', 'C', 'A', 'D'])
})

test('what expires today goes last and is never idle, what could not come back stays', () => {
  const old = IDLE_AFTER / 1000
  const uses = [use('SPY', old, { expiresToday: true }), use('KEPT', old, { mayGo: false }), use('KO', 1)]
  expect(symbolsToDrop(uses, 30, now)).toEqual([])
  expect(symbolsToDrop(uses, 29, now)).toEqual(['KO'])
  expect(symbolsToDrop(uses, 0, now)).toEqual(['KO', 'SPY'])
})

test('what was asked for only as one of many goes first, and what takes nothing need not go', () => {
  const uses = [use('A', 20), use('B', 10, { isScanned: true }), use('C', 30, { bytes: 0 })]
  expect(symbolsToDrop(uses, 19, now)).toEqual(['B'])
  expect(symbolsToDrop(uses, 0, now)).toEqual(['B', 'A'])
})
