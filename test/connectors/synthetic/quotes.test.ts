import { describe, expect, test } from 'vitest'
import { securityOf } from '../../../src/connectors/synthetic/securities/securities.ts'
import { yearsToExpiry } from '../../../src/market/clock.ts'
import { market } from './ask.ts'

const { chain } = market()

describe.each([
  ['SPX', '2026-11-18', '12:00'],
  ['SPY', '2026-11-18', '15:59:58'],
  ['AAPL', '2026-11-18', '09:30'],
  ['VIX', '2024-08-05', '10:00'],
  ['BKNG', '2026-11-20', '16:00'],
  ['TLRY', '2021-03-10', '12:00']
])('quotes of %s at %s %s', (symbol, date, time) => {
  test('are never negative, locked or crossed, and stand on ticks', async () => {
    const { size, bid, ask, bidSize, askSize, last } = await chain(symbol, date, time)
    for (let i = 0; i < size; i++) {
      if (Number.isNaN(bid[i])) continue
      expect(bid[i]).toBeGreaterThanOrEqual(0)
      expect(ask[i]).toBeGreaterThan(bid[i])
      for (const price of [bid[i], ask[i]]) expect(Math.abs(100 * price - Math.round(100 * price))).toBeLessThan(1e-6)
      expect(bidSize[i] > 0).toBe(bid[i] > 0)
      expect(askSize[i]).toBeGreaterThan(0)
      if (!Number.isNaN(last[i])) expect(last[i]).toBeGreaterThan(0)
    }
  })

  test('keep put-call parity within their spreads', async () => {
    const { asOf, spot, bid, ask, strike, expirations } = await chain(symbol, date, time)
    const { dividendYield } = securityOf(symbol)!
    for (const { date: expiration, settlement, start, end } of expirations) {
      const t = yearsToExpiry(asOf, expiration, settlement)
      for (let call = start; call < end; call += 2) {
        if (Number.isNaN(bid[call])) continue
        const parity = spot * Math.exp(-dividendYield * t) - strike[call] * Math.exp(-0.045 * t)
        const middle = (bid[call] + ask[call] - bid[call + 1] - ask[call + 1]) / 2
        const spread = (ask[call] - bid[call] + ask[call + 1] - bid[call + 1]) / 2
        expect(Math.abs(middle - parity)).toBeLessThanOrEqual(spread + 1e-9)
      }
    }
  })
})

test('far wings have no bid and deep in-the-money quotes are wide', async () => {
  const { bid, ask, strike, spot, expirations } = await chain('SPX', '2026-11-18', '12:00')
  const { start, end } = expirations.find(({ date }) => date === '2026-12-04')!
  expect(bid[end - 2]).toBe(0)
  let nearest = start
  for (let i = start; i < end; i += 2) if (Math.abs(strike[i] - spot) < Math.abs(strike[nearest] - spot)) nearest = i
  expect(ask[start] - bid[start]).toBeGreaterThan(3 * (ask[nearest] - bid[nearest]))
})

test('more traded names are tighter', async () => {
  const width = async (symbol: string) => {
    const { bid, ask, strike, spot, expirations } = await chain(symbol, '2026-11-18', '12:00')
    const { start, end } = expirations.find(({ date }) => date === '2026-12-18')!
    let nearest = start
    for (let i = start; i < end; i += 2) if (Math.abs(strike[i] - spot) < Math.abs(strike[nearest] - spot)) nearest = i
    return (ask[nearest] - bid[nearest]) / spot
  }
  expect(await width('SPY')).toBeLessThan(await width('GS'))
  expect(await width('GS')).toBeLessThan(await width('REGN'))
})

test('an AM-settled series is listed without quotes once it has settled', async () => {
  const { expirations, bid, volume, openInterest } = await chain('SPX', '2026-11-20', '12:00')
  const [am, pm] = expirations.filter(({ date }) => date === '2026-11-20')
  expect([am.root, am.settlement, pm.root, pm.settlement]).toEqual(['SPX', 'am', 'SPXW', 'pm'])
  expect(bid.slice(am.start, am.end).every(Number.isNaN)).toBe(true)
  expect(Math.max(...volume.slice(am.start, am.end))).toBe(0)
  expect(Math.max(...openInterest.slice(am.start, am.end))).toBeGreaterThan(1000)
  expect(bid.slice(pm.start, pm.end).some(Number.isNaN)).toBe(false)
})
