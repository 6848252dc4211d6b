import { describe, expect, test } from 'vitest'
import { sessions } from '../../../../src/connectors/synthetic/market-sessions.ts'
import { timeShare, varianceShare } from '../../../../src/connectors/synthetic/prices/bridge.ts'
import { bracketOf, reaches } from '../../../../src/connectors/synthetic/surface/index-terms.ts'
import { smileOf, ssviVariance, swapVariance } from '../../../../src/connectors/synthetic/surface/ssvi-smile.ts'
import { createWorld } from '../../../../src/connectors/synthetic/world.ts'
import { addDays, daysBetween, session, thirdFriday, weekday } from '../../../../src/market/calendar.ts'
import { CALL, type Chain } from '../../../../src/market/chain.ts'
import { easternDate } from '../../../../src/market/eastern.ts'
import { outOfTheMoneyValue } from '../../../../src/volatility/variance/variance-swap.ts'
import { type VixTerm, vix, vixVariance } from '../../../../src/volatility/variance/vix.ts'
import { type StrikeRow, strikeColumns } from '../../../volatility/strike-columns.ts'
import { market } from '../ask.ts'

const { bars, chain } = market()
const names = ['VIX9D', 'VIX', 'VIX3M', 'VIX6M'] as const

/** Moments from 2017 to 2030: opens, noons, closes, a half day, a holiday week, days of expiration. */
const moments = [
  ['2017-06-14', '10:05'],
  ['2018-12-24', '11:00'],
  ['2019-08-14', '10:30'],
  ['2020-03-16', '09:30'],
  ['2021-04-01', '15:59'],
  ['2022-09-16', '12:00'],
  ['2024-07-03', '12:59'],
  ['2026-06-18', '09:31'],
  ['2026-11-18', '12:00'],
  ['2026-11-20', '16:00'],
  ['2027-03-03', '16:00'],
  ['2030-10-31', '14:00']
] as const

describe.each(moments)('on %s at %s', (date, time) => {
  test('every volatility index is what the quotes of the SPX say by the method of the VIX', async () => {
    const spx = await chain('SPX', date, time)
    for (const name of names) {
      const quoted = (await chain(name, date, time)).spot
      const { days, weekly } = reaches[name]
      const [near, next] = bracketing(spx, days, weekly)
      const index = vix(termOf(spx, near), termOf(spx, next), days)!
      expect(Math.abs(quoted / index - 1), `${name} ${quoted} against ${index}`).toBeLessThan(0.002)
    }
  })
})

/** The listed expirations around so many days: those that end a week, or the AM-settled ones of the months only. */
function bracketing(spx: Chain, days: number, weekly: boolean) {
  const today = easternDate(spx.asOf)
  const read = spx.expirations.filter(({ date, settlement }) => {
    const friday = weekday(date) === 4 ? addDays(date, 1) : date
    const ends = weekday(friday) === 5 && (friday === date || session(friday) === undefined)
    const monthly = ends && friday === thirdFriday(Number(friday.slice(0, 4)), Number(friday.slice(5, 7)))
    return monthly ? settlement === 'am' : weekly && ends
  })
  const after = read.findIndex(({ date }) => daysBetween(today, date) > days)
  return [read[after - 1], read[after]]
}

function termOf(spx: Chain, { date, settlement, start, end }: Chain['expirations'][number]): VixTerm {
  const { open, close } = session(date)!
  const rows: StrikeRow[] = []
  for (let slot = start; slot < end; slot += 2) {
    expect(spx.right[slot]).toBe(CALL)
    const [callBid, callAsk, putBid, putAsk] = [spx.bid[slot], spx.ask[slot], spx.bid[slot + 1], spx.ask[slot + 1]]
    rows.push({ strike: spx.strike[slot], callBid, callAsk, putBid, putAsk })
  }
  return {
    minutes: ((settlement === 'am' ? open : close) - spx.asOf) / 60_000,
    rate: 0.045,
    quotes: strikeColumns(rows)
  }
}

test('the expirations an index reads lie around the days it looks ahead, at most a week or five apart', () => {
  const world = createWorld(1)
  for (const name of names) {
    const { days, weekly } = reaches[name]
    sessions.forEach((today, n) => {
      const { near, next } = bracketOf(world, name, n)
      const [before, after] = [near, next].map(({ date }) => daysBetween(today, date))
      expect(before).toBeGreaterThan(0)
      expect(before).toBeLessThanOrEqual(days)
      expect(after).toBeGreaterThan(days)
      expect(after - before).toBeLessThanOrEqual(weekly ? 8 : 36)
    })
  }
})

test('the variance swap an index reads is what a strip of theoretical prices adds up to', () => {
  for (const [sigma, days] of [
    [0.1, 3],
    [0.15, 30],
    [0.2, 180],
    [0.6, 30]
  ]) {
    const smile = smileOf({ rho: -0.66, eta: 1.02 }, (sigma * sigma * days) / 365)
    // Strikes 5 points apart on a forward of 7,000, bid where they are worth a nickel.
    const rows = Array.from({ length: 2000 }, (_, i): StrikeRow => {
      const strike = 1000 + 5 * i
      const k = Math.log(strike / 7000)
      const value = 7000 * outOfTheMoneyValue(k, ssviVariance(smile, k))
      const [call, put] = [value + Math.max(0, 7000 - strike), value + Math.max(0, strike - 7000)]
      return { strike, callBid: call < 0.05 ? 0 : call, callAsk: call, putBid: put < 0.05 ? 0 : put, putAsk: put }
    })
    const { variance, t } = vixVariance({ minutes: 1440 * days, rate: 0, quotes: strikeColumns(rows) })!
    expect(Math.abs(Math.sqrt((variance * t) / swapVariance(smile)) - 1)).toBeLessThan(0.003)
  }
})

test('the share of the time is the inverse of the share of the variance', () => {
  for (let elapsed = 0; elapsed <= 1; elapsed += 1 / 64) {
    expect(timeShare(varianceShare(elapsed))).toBeCloseTo(elapsed, 12)
  }
})

test('the longer an index looks ahead the less it moves', async () => {
  const deviations = await Promise.all(
    names.map(async (name) => {
      const closes = (await bars(name, '2030-12-31')).map(({ close }) => Math.log(close))
      const moves = closes.slice(1).map((close, i) => close - closes[i])
      return Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length)
    })
  )
  expect(deviations).toEqual(deviations.toSorted((a, b) => b - a))
})
