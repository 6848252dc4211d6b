import { expect, test } from 'vitest'
import { budgetMemory } from '../../../../src/connectors/port/http/request-budget.ts'
import { StreamBudget } from '../../../../src/connectors/port/streams/stream-budget.ts'
import type { Ticker } from '../../../../src/market/units.ts'

const symbols = (count: number) => Array.from({ length: count }, (_, k) => `S${k}` as Ticker)
const budgetOf = (prints: number) => new StreamBudget({ connections: 1, prints, quotes: undefined })

function shared(budget: StreamBudget, wanted: readonly Ticker[], streamed: readonly Ticker[] = []) {
  const without: Ticker[] = []
  const shares = budget.share(
    wanted,
    (symbol) => streamed.includes(symbol),
    (symbol) => void without.push(symbol)
  )
  return { ...shares, without }
}

test('every symbol has as many contracts while there is room', () => {
  const budget = budgetOf(500)
  expect(shared(budget, symbols(3))).toEqual({ served: symbols(3), each: 166, without: [] })
  expect([budget.maxContracts, budget.without]).toEqual([500, 0])
})

test('what is least important has none rather than all too few, and that is counted', () => {
  const budget = budgetOf(100)
  const [first, second, ...others] = symbols(5)
  expect(shared(budget, symbols(5))).toEqual({ served: [first, second], each: 40, without: others })
  expect(budget.without).toBe(3)
})

test('a symbol that is streamed keeps its place, however important others become', () => {
  const [a, b, c, d, e] = symbols(5)
  const { served, without } = shared(budgetOf(100), [a, b, c, d, e], [d, c])
  expect([served, without]).toEqual([
    [c, d],
    [a, b, e]
  ])
})

test('no share is larger than the whole, and none has none', () => {
  expect(shared(budgetOf(10), symbols(2))).toMatchObject({ served: symbols(1), each: 10 })
  expect(shared(budgetOf(0), symbols(2))).toEqual({ served: [], each: 0, without: symbols(2) })
})

test('quotes of prints that come from the whole market are counted instead', () => {
  const budget = new StreamBudget({ connections: 1, prints: undefined, quotes: 200 })
  budget.subscribed(7)
  expect([budget.maxContracts, budget.contracts]).toEqual([200, 7])
})

test('what a stream has is known wherever the memory of its source is', () => {
  const memory = budgetMemory()
  const limit = { connections: 1, prints: 100, quotes: undefined }
  const [here, there] = [new StreamBudget(limit, memory), new StreamBudget(limit, memory)]
  shared(there, symbols(5))
  there.subscribed(80)
  expect([here.contracts, here.without]).toEqual([80, 3])
})
