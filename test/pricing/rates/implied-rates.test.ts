import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addDays } from '../../../src/market/calendar.ts'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { yearsToExpiry } from '../../../src/market/clock.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { rateAt } from '../../../src/pricing/assumptions.ts'
import { impliedRates } from '../../../src/pricing/rates/implied-rates.ts'
import { recordedPayloads } from '../../support/cboe-payload.ts'
import { eastern, ladder, sketched } from '../../support/hand-made.ts'
import { recordedChain } from '../../support/markets.ts'
import { scalarGreeks } from '../../support/scalar.ts'

const [date, time] = ['2026-07-29', '11:00']

/** An index of 5,000 with European options, one expiration for each number of days, at the rate of that tenor. */
function quotedAt(rateOf: (days: number) => number, tenors: readonly number[], noise = 0) {
  return sketched({
    symbol: 'SPX',
    date,
    time,
    spot: 5000,
    series: tenors.map((days) => {
      const expiration = addDays(date as IsoDate, days)
      const t = yearsToExpiry(eastern(date, time), expiration, 'pm')
      return {
        date: expiration,
        strikes: ladder(3000, 7000, 25),
        quote: (strike: number, right: number) => {
          const terms = { spot: 5000, strike, t, rate: rateOf(days), dividendYield: 0.012, sigma: 0.2 }
          const { price } = scalarGreeks({ call: right === CALL, ...terms })
          const off = noise * Math.sin(strike * 12.9898 + right * 78.233 + days)
          return price < 1 ? ([0, 1] as const) : ([price - 0.4 + off, price + 0.4 + off] as const)
        }
      }
    })
  })
}

const tenors = [7, 31, 45, 66, 94, 156, 247, 338, 520]

test('the curve is the one that the options were made with, from 30 days on', () => {
  const flat = impliedRates(quotedAt(() => 0.0412, tenors))!
  expect(flat.points.map(({ days }) => days)).toEqual(tenors.slice(1))
  for (const { rate } of flat.points) expect(rate).toBeCloseTo(0.0412, 4)
  const rising = (days: number) => 0.04 + 0.01 * (days / 520)
  for (const { days, rate } of impliedRates(quotedAt(rising, tenors))!.points) {
    expect(Math.abs(rate - rising(days))).toBeLessThan(0.0015)
  }
})

test('quotes that are off by half their spread move it by a few hundredths of a percent', () => {
  const found = impliedRates(quotedAt(() => 0.0412, tenors, 0.4))!
  for (const { days, rate } of found.points) expect(Math.abs(rate - 0.0412)).toBeLessThan(days < 60 ? 0.001 : 0.0003)
})

test('there is none without options far enough away, or on both sides', () => {
  expect(impliedRates(quotedAt(() => 0.04, [1, 7, 29]))).toBeUndefined()
  const calls = sketched({
    symbol: 'SPX',
    date,
    time,
    spot: 100,
    series: [
      { date: '2026-12-18', strikes: ladder(80, 120, 1), quote: (_, right) => (right === PUT ? [0, 1] : undefined) }
    ]
  })
  expect(impliedRates(calls)).toBeUndefined()
})

const folder = recordedPayloads()
test.skipIf(folder === undefined)(
  'recorded SPX implies what money cost: 4.5 % at half a year, 4.6 to 4.7 % beyond one',
  async () => {
    for (const [where, day] of [
      [folder!, '2026-07-30'],
      [folder!, '2026-07-31'],
      [join(folder!, '../more'), '2026-07-22']
    ] as const) {
      const curve = impliedRates(await recordedChain(where, 'SPX', day))!
      expect(Math.abs(rateAt(curve, 180) - 0.0465)).toBeLessThan(0.003)
      expect(Math.abs(rateAt(curve, 730) - 0.0465)).toBeLessThan(0.001)
      // Single expirations of a month say anything from 2.8 to 10 %, those of 07-22 together 6 %.
      for (const { rate } of curve.points) expect(Math.abs(rate - 0.0465)).toBeLessThan(0.016)
    }
  }
)
