import { expect, it } from 'vitest'
import { type NumberedTrade, RecentTrades } from '../../../../src/connectors/port/prints/recent-trades.ts'

const trade: NumberedTrade = {
  contract: 'SPY260821C00630000',
  sequence: 8_589_934_593,
  time: 1_785_000_000_123,
  price: 4.05,
  size: 10,
  exchange: 302
}

it('knows a trade by all its figures', () => {
  const trades = new RecentTrades(100)
  expect(trades.isNew(trade)).toBe(true)
  expect(trades.isNew({ ...trade })).toBe(false)
  const others: readonly Partial<NumberedTrade>[] = [
    { contract: 'SPY260821P00630000' },
    { sequence: 8_589_934_594 },
    { sequence: 1 },
    { time: trade.time + 1 },
    { price: 4.06 },
    { size: 11 },
    { size: 10.5 },
    { exchange: 303 },
    { exchange: 302 + 2 ** 32 }
  ]
  for (const other of others) {
    expect(trades.isNew({ ...trade, ...other }), JSON.stringify(other)).toBe(true)
    expect(trades.isNew({ ...trade, ...other }), JSON.stringify(other)).toBe(false)
  }
})

it('takes every trade without a number for new', () => {
  const trades = new RecentTrades(100)
  const unnumbered = { ...trade, sequence: undefined }
  expect([trades.isNew(unnumbered), trades.isNew(unnumbered)]).toEqual([true, true])
})

it('remembers at least as many as it was told to, and at most twice as many', () => {
  const least = 1000
  const trades = new RecentTrades(least)
  const numbered = (sequence: number) => ({ ...trade, sequence })
  for (let k = 0; k < 10 * least + 500; k++) expect(trades.isNew(numbered(k))).toBe(true)
  const newest = 10 * least + 499
  for (let k = newest - least + 1; k <= newest; k++) expect(trades.isNew(numbered(k))).toBe(false)
  expect(trades.isNew(numbered(newest - 2 * least))).toBe(true)
})
