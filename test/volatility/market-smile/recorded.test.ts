import { beforeAll, describe, expect, test } from 'vitest'
import { daysBetween } from '../../../src/market/calendar.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { densityAt } from '../../../src/volatility/market-smile/distribution.ts'
import { marketSurface } from '../../../src/volatility/market-smile/market-surface.ts'
import { type MarketSmile, totalVarianceAt } from '../../../src/volatility/market-smile/smile-curve.ts'
import { replicatedVariance } from '../../../src/volatility/market-smile/whole-variance.ts'
import { constantMaturity } from '../../../src/volatility/variance/vix.ts'
import { fault, modes } from './made-quotes.ts'
import { fitted, hasSession, listingsOf, misses, only, session, sessions, Tally } from './sessions.ts'

/** The least share of liquid quotes within a tick, and the tenors it is asked of one by one. */
const least = { SPX: 0.995, SPY: 0.995 }
const tenors = [
  [1, '0-1'],
  [7, '2-7'],
  [30, '8-30'],
  [90, '31-90'],
  [365, '91-365'],
  [Number.POSITIVE_INFINITY, 'beyond']
] as const

describe.each(sessions)('%s of %s', (symbol, date) => {
  let chain: PricedChain
  let smiles: readonly MarketSmile[]
  beforeAll(async () => {
    chain = await session(symbol, date)
    smiles = marketSurface(chain).smiles.filter((smile) => smile !== undefined)
  })

  test('has a smile through the quotes of every listing, in every tenor', () => {
    expect(marketSurface(chain).refusals.filter((refusal) => refusal !== undefined)).toEqual([])
    const all = new Tally()
    const byTenor = new Map<string, Tally>(tenors.map(([, name]) => [name, new Tally()]))
    for (const smile of smiles) {
      const { days } = chain.carries[smile.at]
      const tally = byTenor.get(tenors.find(([most]) => days <= most)![1])!
      for (const ticks of misses(chain, smile.at, smile)) {
        all.add(ticks)
        tally.add(ticks)
      }
    }
    const humps = smiles.map((smile) => modes((k) => densityAt(smile, k), smile.scale))
    const mean = humps.reduce((sum, count) => sum + count, 0) / humps.length
    console.log(
      `${symbol} ${date}: ${smiles.length} smiles, ${all.count} liquid quotes, ${all} % inside / within a tick, worst ` +
        `${all.worst.toFixed(1)} ticks, modes ${mean.toFixed(2)}; days ${[...byTenor].map(([name, t]) => `${name}: ${t}`).join(', ')}`
    )
    expect(all.share).toBeGreaterThanOrEqual(least[symbol])
    for (const [name, { count, share }] of byTenor) if (count > 0) expect(share, name).toBeGreaterThanOrEqual(0.95)
    expect(Math.max(...humps)).toBe(1)
  })

  test('is free of butterfly arbitrage everywhere and of calendar arbitrage between all its smiles', () => {
    for (const smile of smiles) expect(fault(smile), smile.date).toBeUndefined()
    const inTime = smiles.toSorted((a, b) => a.t - b.t)
    for (let n = 1; n < inTime.length; n++) {
      const [earlier, later] = [inTime[n - 1], inTime[n]]
      const places = Array.from({ length: 400 }, (_, p) => later.scale * (-8 + (16 * p) / 399)).concat(-3, 3)
      for (const k of places) {
        // The check has places, 0.03 deviations apart; between them a rounding of the line through both is left.
        expect(totalVarianceAt(later, k) / totalVarianceAt(earlier, k), `${later.date} at ${k}`).toBeGreaterThan(
          1 - 1e-6
        )
      }
    }
  })

  if (symbol === 'SPX')
    test('foretells strikes that it was not shown', () => {
      const shown = listingsOf(chain).map((listing) => ({
        ...listing,
        quotes: only(listing.quotes, (i) => i % 2 === 0)
      }))
      const tally = new Tally()
      fitted(shown).forEach((curve, at) => {
        if (curve === undefined) return
        for (const ticks of misses(chain, at, curve, (i) => i % 2 === 1)) tally.add(ticks)
      })
      console.log(`${symbol} ${date}: left-out strikes ${tally} %`)
      expect(tally.share).toBeGreaterThanOrEqual(0.99)
    })
})

const isFriday = (date: IsoDate) => new Date(date).getUTCDay() === 5
const isThird = (date: IsoDate) => Math.ceil(Number(date.slice(8)) / 7) === 3

/** Minutes from the end of trading at 16:15 until a listing settles. */
function minutesTo({ asOf, expirations }: PricedChain, { at, date }: MarketSmile): number {
  const untilClose = 1440 * daysBetween(easternDate(asOf), date) - 15
  return expirations[at].settlement === 'am' ? untilClose - 6.5 * 60 : untilClose
}

describe.runIf(hasSession('SPX', '2026-07-22'))('variance of SPX on 2026-07-22, the VIX closing at 16.64', () => {
  let chain: PricedChain
  let smiles: readonly MarketSmile[]
  beforeAll(async () => {
    chain = await session('SPX', '2026-07-22')
    smiles = marketSurface(chain).smiles.filter((smile) => smile !== undefined)
  })

  test('30 days lie within 0.1 points of the index', () => {
    // The index reads the Fridays on both sides of 30 days: the monthly listing, which settles in the morning, on a third
    // Friday, the weekly one on others.
    const fridays = smiles
      .filter(({ at, date }) => isFriday(date) && chain.expirations[at].root === (isThird(date) ? 'SPX' : 'SPXW'))
      .map((smile) => ({ minutes: minutesTo(chain, smile), total: replicatedVariance(smile).total }))
      .toSorted((one, other) => one.minutes - other.minutes)
    const after = fridays.findIndex(({ minutes }) => minutes >= 30 * 1440)
    const index = constantMaturity(fridays[after - 1], fridays[after], 30)!
    console.log(`30 days: ${index.toFixed(3)}`)
    expect(Math.abs(index - 16.64)).toBeLessThan(0.1)
  })

  test('AM and PM listings of one date agree within 0.1 points', () => {
    for (const am of smiles) {
      const pm = smiles.find(({ at, date }) => date === am.date && at !== am.at)
      if (pm === undefined || chain.expirations[am.at].settlement !== 'am') continue
      const [a, p] = [am, pm].map((smile) => 100 * Math.sqrt(replicatedVariance(smile).total / smile.t))
      expect(Math.abs(a - p), am.date).toBeLessThan(0.1)
    }
  })
})
