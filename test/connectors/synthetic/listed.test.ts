import { expect, test } from 'vitest'
import { tradingDays } from '../../../src/market/calendar.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { contractNames, market } from './ask.ts'

const { chain, close } = market()
const days = (from: string, to: string) => tradingDays(from as IsoDate, to as IsoDate)
const dates = async (symbol: string, date: string) =>
  (await close(symbol, date)).expirations.map((expiration) => expiration.date as string)

test.each(['SPX', 'SPY', 'AAPL', 'GME', 'VIX'])('strikes of %s once listed stay listed', async (symbol) => {
  const dates = days('2026-10-01', symbol === 'SPX' ? '2026-10-08' : '2026-11-10')
  let before = contractNames(await close(symbol, dates[0]))
  for (const date of dates.slice(1)) {
    const now = contractNames(await close(symbol, date))
    const listed = new Set(now)
    expect(before.filter((name) => name.slice(0, 10) >= date && !listed.has(name))).toEqual([])
    before = now
  }
})

test('the listing does not change within a day', async () => {
  const morning = await chain('SPX', '2026-11-18', '09:30')
  expect(contractNames(await chain('SPX', '2026-11-18', '16:00'))).toEqual(contractNames(morning))
})

test('contracts stand in the order of the chain, a call and a put at each strike', async () => {
  const { strike, right, expirations, size } = await close('SPX', '2026-11-20')
  let end = 0
  for (const { start, end: next } of expirations) {
    expect(start).toBe(end)
    for (let i = start; i < next; i += 2) {
      expect([right[i], right[i + 1], strike[i + 1]]).toEqual([0, 1, strike[i]])
      if (i > start) expect(strike[i]).toBeGreaterThan(strike[i - 1])
    }
    end = next
  }
  expect(end).toBe(size)
  const order = expirations.map(({ date, root }) => `${date} ${root}`)
  expect(order).toEqual([...order].sort())
})

test('indexes and the large funds have an expiration every day', async () => {
  for (const symbol of ['SPX', 'SPY', 'QQQ', 'IWM', 'NDX', 'XSP']) {
    for (const date of days('2026-11-02', '2026-11-30')) expect((await dates(symbol, date))[0], symbol).toBe(date)
  }
})

test('before 2022 the SPX had none on Tuesdays and Thursdays', async () => {
  expect((await dates('SPX', '2021-11-09'))[0]).toBe('2021-11-10')
  expect((await dates('SPX', '2021-11-10'))[0]).toBe('2021-11-10')
})

test('the largest names expire Monday, Wednesday and Friday, others on Fridays', async () => {
  expect((await dates('NVDA', '2026-11-10')).slice(0, 3)).toEqual(['2026-11-11', '2026-11-13', '2026-11-16'])
  expect((await dates('JPM', '2026-11-10')).slice(0, 3)).toEqual(['2026-11-13', '2026-11-20', '2026-11-27'])
  expect((await dates('EWJ', '2026-11-10')).slice(0, 2)).toEqual(['2026-11-20', '2026-12-18'])
})

test('an expiration on a holiday moves to the day before', async () => {
  const good = await dates('JPM', '2026-03-20') // Good Friday is 2026-04-03
  expect(good).toContain('2026-04-02')
  expect(good).not.toContain('2026-04-03')
  expect(await dates('AAPL', '2027-06-01')).toContain('2027-06-17') // Juneteenth is kept on the third Friday
})

test('the SPX lists monthly series in the morning, others in the afternoon, years ahead', async () => {
  const { expirations } = await close('SPX', '2026-11-10')
  const third = expirations.filter(({ date }) => date === '2026-12-18')
  expect(third.map(({ root, settlement }) => [root, settlement])).toEqual([
    ['SPX', 'am'],
    ['SPXW', 'pm']
  ])
  expect(expirations.filter(({ root }) => root === 'SPXW').every(({ settlement }) => settlement === 'pm')).toBe(true)
  expect(expirations.at(-1)!.date > '2030').toBe(true)
  expect((await dates('AAPL', '2026-11-10')).some((date) => date === '2028-01-21')).toBe(true)
})

test('VIX options expire on Wednesdays, thirty days before an SPX expiration', async () => {
  const { expirations } = await close('VIX', '2026-11-10')
  expect(expirations.map(({ date, root }) => `${root} ${date}`).slice(0, 3)).toEqual([
    'VIXW 2026-11-11',
    'VIX 2026-11-18',
    'VIXW 2026-11-25'
  ])
  expect(expirations.every(({ settlement }) => settlement === 'am')).toBe(true)
})

test('what expires today is listed until midnight and gone the day after', async () => {
  expect((await chain('SPX', '2026-11-20', '23:00')).expirations[0].date).toBe('2026-11-20')
  expect((await chain('SPX', '2026-11-23', '09:30')).expirations[0].date).toBe('2026-11-23')
})

test('chains are as large as the real ones', async () => {
  const size = async (symbol: string) => (await close(symbol, '2026-11-10')).size
  expect(await size('SPX')).toBeGreaterThan(20_000)
  expect(await size('SPX')).toBeLessThan(32_000)
  expect(await size('SPY')).toBeGreaterThan(7_000)
  expect(await size('SPY')).toBeLessThan(15_000)
  for (const symbol of ['NVDA', 'AMZN', 'TSLA']) expect(await size(symbol)).toBeGreaterThan(1_500)
  expect(await size('KO')).toBeGreaterThan(200)
  expect(await size('KO')).toBeLessThan(1_500)
})

test('a holiday on the third Friday moves the VIX expiration before it, and no weekly one takes its place', async () => {
  const { expirations } = await close('VIX', '2026-05-04') // Juneteenth 2026 is the third Friday of June
  const may = expirations.filter(({ date }) => date >= '2026-05-13' && date <= '2026-05-27')
  expect(may.map(({ date, root }) => `${root} ${date}`)).toEqual([
    'VIXW 2026-05-13',
    'VIX 2026-05-19',
    'VIXW 2026-05-27'
  ])
})

test('the OCC root of a symbol with a dot has none', async () => {
  const { symbol, expirations } = await close('BRK.B', '2026-11-10')
  expect(symbol).toBe('BRK.B')
  expect(new Set(expirations.map(({ root }) => root))).toEqual(new Set(['BRKB']))
})
