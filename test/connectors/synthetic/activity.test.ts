import { expect, test } from 'vitest'
import { tradingDays } from '../../../src/market/calendar.ts'
import { CALL, type Chain } from '../../../src/market/chain.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { priceChain } from '../../../src/pricing/price-chain.ts'
import { madeUpAssumptions } from '../../support/made-up.ts'
import { contractNames, market, total } from './ask.ts'

const { chain, close } = market()
const symbols = ['SPX', 'SPY', 'AAPL', 'KO']

test.each(symbols)('volume of %s starts at 0 and only grows through the day', async (symbol) => {
  let before = (await chain(symbol, '2026-11-18', '09:30')).volume
  expect(total(before)).toBe(0)
  for (const time of ['09:31', '10:00', '11:26', '11:28', '12:30', '13:44', '14:00', '15:59', '16:00']) {
    const { volume } = await chain(symbol, '2026-11-18', time)
    for (let i = 0; i < volume.length; i++) expect(volume[i]).toBeGreaterThanOrEqual(before[i])
    expect(total(volume)).toBeGreaterThan(total(before))
    before = volume
  }
})

test('the first and the last hour trade more than the hour of noon', async () => {
  const at = async (time: string) => total((await chain('SPY', '2026-11-18', time)).volume)
  const noon = (await at('13:00')) - (await at('12:00'))
  expect((await at('10:30')) - (await at('09:30'))).toBeGreaterThan(1.5 * noon)
  expect((await at('16:00')) - (await at('15:00'))).toBeGreaterThan(1.5 * noon)
})

test('most of the trading is short-dated and near the money', async () => {
  const { expirations, volume, strike, spot } = await close('SPX', '2026-11-18')
  const today = expirations[0]
  const share = total(volume.slice(today.start, today.end)) / total(volume)
  expect(share).toBeGreaterThan(0.25)
  expect(share).toBeLessThan(0.7)
  let near = 0
  for (let i = today.start; i < today.end; i++) if (Math.abs(strike[i] / spot - 1) < 0.015) near += volume[i]
  expect(near / total(volume.slice(today.start, today.end))).toBeGreaterThan(0.6)
})

test.each(
  symbols
)('open interest of %s stays through the day and moves by no more than what traded', async (symbol) => {
  const [today, tomorrow] = [await close(symbol, '2026-11-17'), await chain(symbol, '2026-11-18', '10:00')]
  expect((await chain(symbol, '2026-11-17', '09:30')).openInterest).toEqual(today.openInterest)
  const held = new Map(contractNames(today).map((name, i) => [name, i]))
  let moved = 0
  contractNames(tomorrow).forEach((name, i) => {
    const before = held.get(name)
    expect(tomorrow.openInterest[i]).toBeGreaterThanOrEqual(0)
    const change = Math.abs(tomorrow.openInterest[i] - (before === undefined ? 0 : today.openInterest[before]))
    expect(change, name).toBeLessThanOrEqual(before === undefined ? 0 : today.volume[before])
    moved += change
  })
  expect(moved / total(today.openInterest)).toBeGreaterThan(0.005)
  expect(moved / total(today.openInterest)).toBeLessThan(0.25)
})

test('open interest gathers at round strikes and monthly expirations', async () => {
  const { expirations, strike, openInterest } = await close('SPX', '2026-11-17')
  const monthly = expirations.find(({ date, root }) => date === '2026-12-18' && root === 'SPX')!
  const weekly = expirations.find(({ date }) => date === '2026-12-11')!
  const sum = ({ start, end }: { start: number; end: number }) => total(openInterest.slice(start, end))
  expect(sum(monthly)).toBeGreaterThan(3 * sum(weekly))
  const mean = (wanted: (strike: number) => boolean) => {
    const figures: number[] = []
    for (let i = monthly.start; i < monthly.end; i++) if (wanted(strike[i])) figures.push(openInterest[i])
    return total(figures) / figures.length
  }
  const nearby = (k: number) => k > 6500 && k < 7300
  expect(mean((k) => nearby(k) && k % 100 === 0)).toBeGreaterThan(3 * mean((k) => nearby(k) && k % 25 !== 0))
})

test('puts are held below the spot and calls above', async () => {
  const { strike, right, openInterest, spot } = await close('SPY', '2026-11-17')
  const sums = { below: [0, 0], above: [0, 0] }
  for (let i = 0; i < strike.length; i++) sums[strike[i] < spot ? 'below' : 'above'][right[i]] += openInterest[i]
  expect(sums.below[1]).toBeGreaterThan(1.2 * sums.below[0])
  expect(sums.above[0]).toBeGreaterThan(1.2 * sums.above[1])
})

test('dealers are long gamma on some days and short on others, and more long the higher the spot', async () => {
  const days = tradingDays('2024-01-02' as IsoDate, '2026-11-18' as IsoDate).filter((_, at) => at % 45 === 0)
  let long = 0
  for (const date of days) {
    const spy = await close('SPY', date)
    if (netGamma(spy, 1) > 0) long++
    expect(netGamma(spy, 1.03)).toBeGreaterThan(netGamma(spy, 0.97))
  }
  expect(long).toBeGreaterThan(0.15 * days.length)
  expect(long).toBeLessThan(0.85 * days.length)
})

/** Call less put gamma with the spot moved by a factor, volatilities and positions kept; in no particular unit. */
function netGamma(chain: Chain, factor: number): number {
  const { sigma, strike, right, openInterest, carries, expirations, spot } = priceChain(chain, madeUpAssumptions)
  let net = 0
  expirations.forEach(({ start, end }, at) => {
    const { t, rate, dividendYield, days } = carries[at]
    if (days === 0) return
    const moved = spot * factor
    for (let i = start; i < end; i++) {
      const deviation = sigma[i] * Math.sqrt(t)
      if (!(deviation > 0)) continue
      const d1 = (Math.log(moved / strike[i]) + (rate - dividendYield) * t) / deviation + deviation / 2
      net += ((right[i] === CALL ? 1 : -1) * openInterest[i] * moved * Math.exp(-0.5 * d1 * d1)) / deviation
    }
  })
  return net
}
