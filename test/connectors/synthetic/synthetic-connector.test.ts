import { expect, test } from 'vitest'
import { daysBetween } from '../../../src/market/calendar.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { eastern, market, ticker } from './ask.ts'

const { signal } = new AbortController()
const { connector, bars, close, chain } = market()

test('in market hours the newest moment is the current whole second', () => {
  const now = eastern('2026-11-18', '11:15:07') + 123
  expect(connector.latest(now)).toBe(now - 123)
})

test('outside market hours the newest moment is the close of the last session', () => {
  expect(connector.latest(eastern('2026-11-18', '16:00'))).toBe(eastern('2026-11-18', '16:00'))
  expect(connector.latest(eastern('2026-11-18', '23:00'))).toBe(eastern('2026-11-18', '16:00'))
  expect(connector.latest(eastern('2026-11-19', '09:29:59'))).toBe(eastern('2026-11-18', '16:00'))
  expect(connector.latest(eastern('2026-11-22', '12:00'))).toBe(eastern('2026-11-20', '16:00'))
  expect(connector.latest(eastern('2026-11-27', '15:00'))).toBe(eastern('2026-11-27', '13:00')) // a half day
})

test('a chain describes the newest moment without delay', async () => {
  const { asOf, delay, symbol, quote } = await chain('AAPL', '2026-11-18', '11:15:07')
  expect({ asOf, delay, symbol, time: quote.time }).toEqual({
    asOf: eastern('2026-11-18', '11:15:07'),
    delay: 0,
    symbol: 'AAPL',
    time: eastern('2026-11-18', '11:15:07')
  })
})

test('strangers and weekly roots have no chain and no bars', async () => {
  for (const symbol of ['ZZZZ', 'SPXW', 'NDXP', 'VIXW']) {
    expect(await connector.chain(ticker(symbol), eastern('2026-11-18', '12:00'), signal)).toBeUndefined()
    expect(await connector.closingChain(ticker(symbol), '2026-11-17' as IsoDate, signal)).toBeUndefined()
    expect(await bars(symbol, '2026-11-18')).toEqual([])
  }
})

test('a day without a session and a day before the first have no closing chain', async () => {
  for (const date of ['2026-11-22', '2026-11-26', '2016-12-30']) {
    expect(await connector.closingChain(ticker('SPY'), date as IsoDate, signal)).toBeUndefined()
  }
})

test('indexes without options answer an empty chain with a level', async () => {
  for (const symbol of ['VIX9D', 'VIX3M', 'VVIX', 'SKEW', 'DJI']) {
    const { size, expirations, spot, quote } = await chain(symbol, '2026-11-18', '12:00')
    expect({ size, expirations, bid: quote.bid }).toEqual({ size: 0, expirations: [], bid: undefined })
    expect(spot).toBeGreaterThan(5)
  }
})

test('spot is the middle of the quote in session and the official close after it', async () => {
  const open = await chain('SPY', '2026-11-18', '12:00')
  expect(open.spot).toBeCloseTo((open.quote.bid! + open.quote.ask!) / 2, 9)
  const closed = await chain('SPY', '2026-11-18', '18:00')
  expect(closed.spot).toBe((await bars('SPY', '2026-11-18')).at(-1)!.close)
  expect(closed).toEqual(await close('SPY', '2026-11-18'))
})

test('the whole range from 2017 to 2030 has chains', async () => {
  for (const date of ['2017-01-03', '2018-12-24', '2020-03-16', '2023-06-30', '2028-02-29', '2030-12-31']) {
    for (const symbol of ['SPX', 'VIX', 'TSLA', 'GLD']) {
      const { size, asOf } = await chain(symbol, date, '12:30')
      expect(size).toBeGreaterThan(100)
      expect(easternDate(asOf)).toBe(date)
    }
  }
})

test('after its last session the market stands still', async () => {
  const end = connector.latest(eastern('2040-01-03', '12:00'))
  expect(easternDate(end) > '2030-12-31').toBe(true)
  expect((await connector.chain(ticker('SPX'), eastern('2040-01-03', '12:00'), signal))!.asOf).toBe(end)
})

test('some 250 symbols are known, forty of them first in line', () => {
  expect(connector.tickers.length).toBeGreaterThan(240)
  expect(connector.tickers).toEqual([...connector.tickers].sort())
  expect(new Set(connector.tickers).size).toBe(connector.tickers.length)
  expect(connector.universe.filter(({ tier }) => tier === 1).length).toBe(40)
  expect(connector.universe.map(({ tier }) => tier)).toEqual(connector.universe.map(({ tier }) => tier).sort())
})

test('companies report in every two weeks of the year', async () => {
  const end = Date.parse('2027-06-01T00:00:00Z')
  const asked = { symbol: undefined, from: '2026-01-01' as IsoDate }
  const stated = await connector.earnings!(asked, end, signal)
  const dates = stated.flatMap(({ date, epsActual }) => (epsActual === undefined ? [] : [date])).sort()
  for (const [k, date] of dates.slice(1).entries()) expect(daysBetween(dates[k], date), date).toBeLessThan(14)
})

test.each([
  ['2026-07-06', '2026-07-29T12:00:00Z'],
  ['2017-01-03', '2017-04-20T20:15:00Z'],
  ['2030-12-31', '2030-12-31T21:00:00Z'],
  ['1900-01-01', '2031-12-31T00:00:00Z'],
  ['2026-09-01', '2026-07-29T12:00:00Z']
])('what is said of reports from %s on, by %s, is what of all that is ever said fits', async (from, now) => {
  const end = Date.parse('2032-01-01T00:00:00Z')
  const ever = await connector.earnings!({ symbol: undefined, from: '1900-01-01' as IsoDate }, end, signal)
  const asked = { symbol: undefined, from: from as IsoDate }
  const moment = Date.parse(now)
  const fitting = ever.filter(({ date, knownFrom }) => date >= from && knownFrom <= moment)
  expect(await connector.earnings!(asked, moment, signal)).toEqual(fitting)
})
