import { describe, expect, test } from 'vitest'
import { netExposures } from '../../../src/exposure/net.ts'
import { expiringScope, liveScope, type Scope } from '../../../src/exposure/scope.ts'
import {
  exposureProfile,
  type ProfileTerms,
  profileBuckets
} from '../../../src/exposure/spot-ladder/exposure-profile.ts'
import { gammaFlip } from '../../../src/exposure/spot-ladder/gamma-flip.ts'
import { nextClose, nextOpen } from '../../../src/market/calendar.ts'
import { CALL } from '../../../src/market/chain.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { americanGreeks } from '../../../src/pricing/american/american-option.ts'
import { defaultAssumptions } from '../../../src/pricing/assumptions.ts'
import { priceChain } from '../../../src/pricing/price-chain.ts'
import { eastern, ladder, sketched } from '../../support/hand-made.ts'
import { handMade } from '../../support/markets.ts'
import { scalarGreeks } from '../../support/scalar.ts'

const scope = liveScope(handMade('several expirations on a day of expiry').chain)
const here: ProfileTerms = { reach: 0.1, points: 41, asOf: scope.chain.asOf, shift: 0 }
const dayOf = (date: string) => Date.parse(date) / 86_400_000

/** Years to expiry by the words of the contract: `u` of the session of `today` is left. */
function years(today: string, u: number, date: string): number {
  const days = dayOf(date) - dayOf(today)
  return days === 0 ? Math.max(u, 1 / 390) / 252 : (days - 1 + u) / 365 + 1 / 252
}

interface Sums {
  gex: number
  dex: number
  vex: number
  chex: number
  gross: number
}

/** The exposures at another spot in the plainest way: one formula for one contract at a time. */
function sumsAt({ chain, slots }: Scope, x: number, [today, u]: readonly [string, number], shift: number): Sums {
  const sums = { gex: 0, dex: 0, vex: 0, chex: 0, gross: 0 }
  chain.expirations.forEach(({ date, start, end }, at) => {
    if (date < today) return
    const { rate, dividendYield, clockYield, spot } = chain.carries[at]
    for (const i of slots) {
      if (i < start || i >= end || !(chain.openInterest[i] > 0) || Number.isNaN(chain.sigma[i])) continue
      const sigma = shift === 0 ? chain.sigma[i] : Math.min(Math.max(chain.sigma[i] + shift, 0.01), 5)
      const call = chain.right[i] === CALL
      const t = years(today, u, date)
      const option = { call, spot: (x * spot) / chain.spot, strike: chain.strike[i], t, rate, dividendYield, sigma }
      const greeks = scalarGreeks(option)
      const signed = (call ? 1 : -1) * chain.openInterest[i] * 100 * x
      sums.gex += signed * greeks.gamma * x * 0.01
      sums.gross += Math.abs(signed * greeks.gamma * x * 0.01)
      sums.dex += Math.abs(signed) * greeks.delta
      sums.vex += signed * greeks.vanna
      const { charm } = scalarGreeks({ ...option, dividendYield: clockYield })
      sums.chex += signed * (date === today ? deltaAtClose(option) - greeks.delta : charm)
    }
  })
  return sums
}

/** What expires today runs to the close: with the spot as it stands, delta is whole in the money, and half at the strike. */
function deltaAtClose({
  call,
  spot,
  strike
}: {
  readonly call: boolean
  readonly spot: number
  readonly strike: number
}) {
  const side = call ? 1 : -1
  return side * (spot === strike ? 0.5 : side * (spot - strike) > 0 ? 1 : 0)
}

describe('the profile of a chain', () => {
  const { asOf } = scope.chain
  const cases = [
    ['now', { ...here }, ['2026-07-29', 5 / 6.5]],
    ['at the close', { ...here, asOf: nextClose(asOf) - 1 }, ['2026-07-29', 1 / 23_400_000]],
    ['at the next open', { ...here, asOf: nextOpen(asOf) }, ['2026-07-30', 1]],
    ['four vol points higher', { ...here, shift: 0.04 }, ['2026-07-29', 5 / 6.5]],
    ['with volatilities at their least', { ...here, reach: 0.04, shift: -0.3 }, ['2026-07-29', 5 / 6.5]]
  ] as const

  test.each(cases)('%s is the sum over contracts at every spot', (_, terms, moment) => {
    const found = exposureProfile(scope, terms)
    found.spots.forEach((x, k) => {
      const plain = sumsAt(scope, x, moment, terms.shift)
      const near = (value: number, wanted: number, size: number) =>
        expect(Math.abs(value - wanted) / size, `at ${x}`).toBeLessThan(1e-9)
      near(found.gex[k], plain.gex, Math.max(plain.gross, 1))
      near(found.dex[k], plain.dex, Math.abs(plain.dex) + 1)
      near(found.vex[k], plain.vex, Math.abs(plain.vex) + plain.gross + 1)
      near(found.chex[k], plain.chex, Math.abs(plain.chex) + plain.gross + 1)
    })
  })

  test('leaves out at the next open what has expired by then', () => {
    const { byBucket } = exposureProfile(scope, { ...here, asOf: nextOpen(asOf) })
    expect(profileBuckets.map(({ bucket }) => bucket)[0]).toBe('0')
    expect(byBucket[0].every((gex) => gex === 0)).toBe(true)
    expect(exposureProfile(scope, here).byBucket[0].some((gex) => gex !== 0)).toBe(true)
  })

  test('shows in its middle the greeks of the chain to the last bit', () => {
    const { gex, dex, vex, chex, spots } = exposureProfile(scope, here)
    expect(spots[20]).toBe(scope.chain.spot)
    const net = netExposures(scope)
    for (const [list, sum] of [
      [gex, net.gex],
      [dex, net.dex],
      [vex, net.vex],
      [chex, net.chex]
    ] as const) {
      expect(Math.abs(list[20] / sum - 1)).toBeLessThan(1e-13)
    }
  })

  test('crosses zero where a fine grid changes its sign, and at the flip', () => {
    for (const part of [scope, expiringScope(scope.chain, '2026-08-28' as IsoDate)]) {
      const { crossings } = exposureProfile(part, { ...here, reach: 0.3 })
      const fine = exposureProfile(part, { ...here, reach: 0.3, points: 6001 })
      const seen = fine.gex.flatMap((gex, k) => (k > 0 && gex * fine.gex[k - 1] < 0 ? [fine.spots[k]] : []))
      expect(crossings.length).toBe(seen.length)
      for (const [k, x] of crossings.entries()) expect(Math.abs(x - seen[k])).toBeLessThan(0.0101)
      const flip = gammaFlip(part)
      if (flip !== undefined) expect(crossings).toContain(flip)
    }
  })

  test('of nothing that carries exposure is flat', () => {
    const empty = liveScope(handMade('no open interest').chain)
    const { gex, crossings } = exposureProfile(empty, { ...here, points: 11 })
    expect(gex).toEqual(Array.from({ length: 11 }, () => 0))
    expect(crossings).toEqual([])
  })
})

describe('the profile of American options with dividends', () => {
  const [date, time] = ['2026-07-29', '11:00']
  const assumptions = { ...defaultAssumptions, dividendYield: 0 }
  const raw = sketched({
    symbol: 'KO',
    date,
    time,
    spot: 100,
    series: [{ date: '2026-08-28', strikes: ladder(85, 115, 2.5), oi: (strike, right) => strike + 20 * right }]
  })
  const knownFrom = eastern('2026-07-01', '09:30')

  test('has the gamma of exact options at every spot where none is paid', () => {
    const chain = priceChain(raw, assumptions)
    const { spots, gex } = exposureProfile(liveScope(chain), { reach: 0.1, points: 11, asOf: chain.asOf, shift: 0.05 })
    const { t, rate, dividendYield } = chain.carries[0]
    spots.forEach((spot, k) => {
      let [sum, gross] = [0, 0]
      for (let i = 0; i < chain.size; i++) {
        const sign = chain.right[i] === CALL ? 1 : -1
        const right = sign > 0 ? ('call' as const) : ('put' as const)
        const sigma = chain.sigma[i] + 0.05
        const greeks = americanGreeks({ right, spot, strike: chain.strike[i], t, rate, dividendYield, sigma })!
        sum += sign * chain.openInterest[i] * greeks.gamma * spot * spot
        gross += chain.openInterest[i] * greeks.gamma * spot * spot
      }
      expect(Math.abs(gex[k] - sum) / gross, `at ${spot}`).toBeLessThan(2e-3)
    })
  })

  test('keeps a dividend on its day: once it is paid the yield that stood for it is gone', () => {
    const dividends = [{ exDate: '2026-07-30' as IsoDate, amount: 0.8, knownFrom }]
    const chain = priceChain({ ...raw, dividends }, assumptions)
    const [carry] = chain.carries
    expect(carry.dividends).toHaveLength(1)
    const tomorrow = nextOpen(chain.asOf)
    const paid = exposureProfile(liveScope(chain), { reach: 0.1, points: 11, asOf: tomorrow, shift: 0 })
    // Yield that remains beside the discrete dividend of the same options.
    const beside = carry.dividendYield + Math.log(1 - 0.8 / 100) / carry.t
    const bare = { ...carry, dividends: [], dividendYield: beside, clockYield: beside }
    const without = { ...chain, dividends: [], carries: [bare] }
    const same = exposureProfile(liveScope(without), { reach: 0.1, points: 11, asOf: tomorrow, shift: 0 })
    for (const [k, dex] of paid.dex.entries()) expect(dex / same.dex[k]).toBeCloseTo(1, 9)
    for (const [k, gex] of paid.gex.entries()) expect(gex / same.gex[k]).toBeCloseTo(1, 9)
  })
})
