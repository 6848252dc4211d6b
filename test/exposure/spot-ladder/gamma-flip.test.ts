import { beforeAll, expect, test } from 'vitest'
import { netExposures } from '../../../src/exposure/net.ts'
import { gammaRegime } from '../../../src/exposure/regime.ts'
import { expiringScope, liveScope, type Scope } from '../../../src/exposure/scope.ts'
import { whyNoFlip } from '../../../src/exposure/spot-ladder/flip-crossings.ts'
import { gammaFlip, nearestCrossing, netGammaAt } from '../../../src/exposure/spot-ladder/gamma-flip.ts'
import { sketched } from '../../support/hand-made.ts'
import { allMarkets, type Market, priced } from '../../support/markets.ts'
import { scalarGreeks } from '../../support/scalar.ts'
import { given, givenScope } from '../given.ts'

let scopes: readonly { readonly name: string; readonly scope: Scope; readonly profile: Profile }[]

interface Profile {
  readonly at: (x: number) => number
  readonly gross: number
  readonly size: number
}

/** Net gamma exposure at another spot in the plainest way: one formula for one contract at a time. */
function profileOf({ chain, slots }: Scope): Profile {
  const held: { strike: number; width: number; centre: number; weight: number }[] = []
  let gross = 0
  chain.expirations.forEach(({ start, end }, at) => {
    const { t, rate, dividendYield, spot, exposureSpot } = chain.carries[at]
    for (const i of slots) {
      if (i < start || i >= end || !(chain.openInterest[i] > 0) || Number.isNaN(chain.sigma[i])) continue
      const sigma = chain.sigma[i]
      const sign = chain.right[i] === 0 ? 1 : -1
      const width = sigma * Math.sqrt(t)
      // The underlying that the options were quoted at moves by the percentage that spot moves by.
      const centre = Math.log(spot / chain.spot) + (rate - dividendYield + (sigma * sigma) / 2) * t
      const perSpot = (exposureSpot / chain.spot) ** 2 * (chain.spot / spot)
      const weight =
        (sign * chain.openInterest[i] * 100 * 0.01 * perSpot * Math.exp(-dividendYield * t)) /
        (width * Math.sqrt(2 * Math.PI))
      held.push({ strike: chain.strike[i], width, centre, weight })
      const here = { call: sign > 0, spot, strike: chain.strike[i], t, rate, dividendYield, sigma }
      gross += scalarGreeks(here).gamma * chain.openInterest[i] * exposureSpot ** 2
    }
  })
  const at = (x: number) => {
    let sum = 0
    for (const { strike, width, centre, weight } of held) {
      const d1 = (Math.log(x / strike) + centre) / width
      sum += weight * Math.exp((-d1 * d1) / 2)
    }
    return sum * x
  }
  return { at, gross, size: held.length }
}

/** The contract's rule word by word: every node of the grid on both sides, then the nearest root on the right side. */
function flipByFullGrid({ at, size }: Profile, spot: number): number | null {
  if (size === 0) return null
  const here = at(spot)
  if (here === 0) return spot
  const fine = [0]
  for (let j = 1; j <= 50; j++) fine.push(0.001 * j, -0.001 * j, 0.05 + 0.005 * j, -0.05 - 0.005 * j)
  const coarse = Array.from({ length: 101 }, (_, j) => (j - 50) / 100)
  for (const grid of [fine, coarse]) {
    const nodes = grid.toSorted((a, b) => a - b).map((step) => spot * (1 + step))
    const values = nodes.map(at)
    const roots: number[] = []
    for (let k = 0; k < nodes.length; k++) {
      if (k > 0 && values[k - 1] * values[k] < 0) roots.push(bisected(at, nodes[k - 1], nodes[k], 1e-9 * spot))
    }
    const onSide = roots.filter((root) => (here > 0 ? root <= spot : root >= spot))
    if (onSide.length > 0)
      return onSide.reduce((best, root) => (Math.abs(root - spot) < Math.abs(best - spot) ? root : best))
  }
  return null
}

function bisected(at: (x: number) => number, from: number, to: number, width: number): number {
  let [low, high] = [from, to]
  const rising = at(low) < 0
  while (high - low > width) {
    const middle = (low + high) / 2
    if (at(middle) < 0 === rising) low = middle
    else high = middle
  }
  return (low + high) / 2
}

beforeAll(async () => {
  // Early exercise has a test of its own; here Black's formula is taken for every contract.
  const european = (await allMarkets()).filter(({ chain }) =>
    chain.carries.every(({ american }) => american === undefined)
  )
  scopes = european.flatMap(({ name, chain }: Market) => {
    const { expirations } = chain
    const dates = new Set([expirations[0].date, expirations[expirations.length >> 1].date])
    const parts = [liveScope(chain), ...[...dates].map((date) => expiringScope(chain, date))]
    return parts.map((scope, k) => ({ name: `${name} ${k}`, scope, profile: profileOf(scope) }))
  })
})

test('net gamma at spot is the sum over contracts', () => {
  for (const { name, scope, profile } of scopes) {
    const off = Math.abs(profile.at(scope.chain.spot) - netExposures(scope).gex)
    expect(off, name).toBeLessThanOrEqual(1e-9 * profile.gross)
    expect(Math.abs(netGammaAt(scope, scope.chain.spot) - netExposures(scope).gex), name).toBeLessThanOrEqual(
      1e-9 * profile.gross
    )
  }
})

test('at the flip net gamma, repriced contract by contract, vanishes to a millionth of the gross', () => {
  let flips = 0
  for (const { name, scope, profile } of scopes) {
    const flip = gammaFlip(scope)
    if (flip === undefined) continue
    flips++
    expect(Math.abs(profile.at(flip)), name).toBeLessThanOrEqual(1e-6 * profile.gross)
  }
  expect(flips).toBeGreaterThan(30)
})

// A known difference from the contract: a root beyond all listed strikes is no flip.
test('the flip is the root that the full grid of the contract finds, if it lies among the listed strikes', () => {
  let outside = 0
  for (const { name, scope, profile } of scopes) {
    const mine = flipByFullGrid(profile, scope.chain.spot)
    const flip = gammaFlip(scope)
    const strikes = Array.from(scope.slots, (i) => scope.chain.strike[i])
    const isOutside = mine !== null && (mine < Math.min(...strikes) || mine > Math.max(...strikes))
    if (isOutside) {
      outside++
      expect(flip, name).toBeUndefined()
      expect(whyNoFlip(scope), name).toBe('outside_strikes')
    } else if (mine === null) expect(flip, name).toBeUndefined()
    else expect(Math.abs(flip! / mine - 1), name).toBeLessThan(1e-6)
  }
  expect(outside).toBeGreaterThan(0)
})

test('a chain whose gamma changes sign only beyond its strikes has no flip, and says so', () => {
  const calls = { call: { oi: 400 }, put: { oi: 0 } }
  const scope = givenScope([
    { strike: 104, call: { oi: 0 }, put: { oi: 500 } },
    { strike: 106, ...calls },
    { strike: 108, ...calls }
  ])
  const crossing = nearestCrossing(scope)!
  expect(crossing < 104 || crossing > 108).toBe(true)
  expect([gammaFlip(scope), whyNoFlip(scope)]).toEqual([undefined, 'outside_strikes'])
  expect(gammaRegime(scope)).toBe(netExposures(scope).gex > 0 ? 'positive_gamma' : 'negative_gamma')
})

test('a ten-millionth to either side of the flip net gamma has opposite signs', () => {
  for (const { name, scope, profile } of scopes) {
    const flip = gammaFlip(scope)
    if (flip === undefined || profile.at(scope.chain.spot) === 0) continue
    expect(profile.at(flip * (1 - 1e-7)) * profile.at(flip * (1 + 1e-7)), name).toBeLessThan(0)
  }
})

test('spot stands above the flip exactly when net gamma is positive', () => {
  for (const { name, scope } of scopes) {
    const flip = gammaFlip(scope)
    const { gex } = netExposures(scope)
    if (flip === undefined || gex === 0) continue
    expect(scope.chain.spot > flip, name).toBe(gex > 0)
  }
})

test('a chain of one sign has no flip and takes its regime from that sign', () => {
  const strikes = [90, 95, 100, 105, 110].map((strike) => ({ strike, put: { oi: 500 } }))
  const scope = givenScope(strikes)
  expect(gammaFlip(scope)).toBeUndefined()
  expect(gammaRegime(scope)).toBe('negative_gamma')
  const calls = givenScope(strikes.map(({ strike, put }) => ({ strike, call: put })))
  expect(gammaFlip(calls)).toBeUndefined()
  expect(gammaRegime(calls)).toBe('positive_gamma')
})

test('gamma that nets to nothing everywhere puts the flip at spot, in positive gamma', () => {
  const same = { oi: 70, sigma: 0.2, gamma: 0.05 }
  const scope = givenScope([{ strike: 100, call: same, put: same }])
  expect(netExposures(scope).gex).toBe(0)
  expect(gammaFlip(scope)).toBe(100)
  expect(gammaRegime(scope)).toBe('positive_gamma')
})

test('without a contract that has both open interest and greeks there is neither flip nor regime', () => {
  const none = Number.NaN
  for (const strikes of [
    [{ strike: 100, call: { oi: 0 }, put: { oi: 0 } }],
    [{ strike: 100, call: { oi: 5, sigma: none }, put: { oi: 0 } }],
    [{ strike: 100, call: { oi: -1 }, put: { oi: 9, sigma: none } }]
  ]) {
    const scope = givenScope(strikes)
    expect(gammaFlip(scope)).toBeUndefined()
    expect(gammaRegime(scope)).toBe('undetermined')
    expect(netExposures(scope)).toEqual({ gex: 0, dex: 0, vex: 0, chex: 0 })
  }
})

test('a flip beyond 30 % of spot is found on the coarse nodes, one beyond 50 % is not', () => {
  const wide = { sigma: 0.3, oi: 100 }
  const far = (strike: number) => [
    { strike: 100, call: wide },
    { strike, put: { sigma: 0.3, oi: 20_000 } }
  ]
  const flips = [15, 40, 62].map((strike) => gammaFlip(liveScope(given(far(strike), { expiration: '2026-09-18' }))))
  expect(flips[0]).toBeUndefined()
  expect(flips[1]).toBeGreaterThan(50)
  expect(flips[1]).toBeLessThan(70)
  expect(flips[2]).toBeGreaterThan(70)
})

test('a dip of net gamma a tenth of a percent wide is not stepped over', () => {
  const call = { date: '2026-08-28', strikes: [100], rights: [0], oi: 1000 }
  const put = { date: '2026-07-29', strikes: [99.9], rights: [1], oi: 30 }
  const chain = priced(sketched({ date: '2026-07-29', time: '15:59', spot: 100, series: [put, call] }))
  // The put dies within a minute: its gamma is a spike at its strike, and outside it the call's gamma wins.
  chain.sigma.set([0.125, 0.2])
  chain.sigmaSource.fill(1)
  const scope = liveScope(chain)
  const flip = gammaFlip(scope)!
  expect(flip).toBeGreaterThan(99.9)
  expect(flip).toBeLessThan(100)
  expect(Math.abs(flip / flipByFullGrid(profileOf(scope), 100)! - 1)).toBeLessThan(1e-6)
})

test('a flip between contracts in their last minute is exact where the grid is wide', () => {
  const call = { date: '2026-08-28', strikes: [100], rights: [0], oi: 1000 }
  const put = { date: '2026-07-29', strikes: [88], rights: [1], oi: 3000 }
  const chain = priced(sketched({ date: '2026-07-29', time: '15:59', spot: 100, series: [put, call] }))
  for (const sigma of [0.3, 0.6, 0.8, 1, 1.3, 2]) {
    chain.sigma.set([sigma, 0.2])
    chain.sigmaSource.fill(1)
    const scope = liveScope({ ...chain })
    const flip = gammaFlip(scope)!
    const profile = profileOf(scope)
    expect(flip).toBeGreaterThan(88)
    expect(flip).toBeLessThan(95)
    expect(Math.abs(flip / flipByFullGrid(profile, 100)! - 1)).toBeLessThan(1e-9)
    expect(Math.abs(profile.at(flip))).toBeLessThan(1e-6 * profile.gross)
  }
})
