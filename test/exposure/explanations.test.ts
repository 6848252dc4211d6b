import { describe, expect, test } from 'vitest'
import { contributions } from '../../src/exposure/breakdown/contributions.ts'
import { exposureBasis } from '../../src/exposure/breakdown/exposure-basis.ts'
import { keyLevels, sameDayMagnet } from '../../src/exposure/levels/key-levels.ts'
import { leadOf, levelCandidates, movedOvernight } from '../../src/exposure/levels/level-candidates.ts'
import { netExposures } from '../../src/exposure/net.ts'
import { maxPain } from '../../src/exposure/pin/max-pain.ts'
import { expiringScope, liveScope } from '../../src/exposure/scope.ts'
import { flipCrossings, whyNoFlip } from '../../src/exposure/spot-ladder/flip-crossings.ts'
import { gammaFlip, netGammaAt } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { quantile } from '../../src/math/statistics.ts'
import { OWN_MID } from '../../src/pricing/sources.ts'
import { handMade, handMadeNames } from '../support/markets.ts'
import { givenScope } from './given.ts'

describe('the parts of a net exposure', () => {
  const scope = liveScope(handMade('several expirations on a day of expiry').chain)

  test.each(['gex', 'dex', 'vex', 'chex'] as const)('of %s add up to it, in every list', (measure) => {
    const { gross, byRight, byExpiration, byStrike, byContract } = contributions(scope, measure)
    const net = netExposures(scope)[measure]
    const sum = (parts: readonly { readonly value: number }[]) => parts.reduce((total, { value }) => total + value, 0)
    for (const total of [byRight[0] + byRight[1], sum(byExpiration), sum(byStrike), sum(byContract)]) {
      expect(Math.abs(total - net)).toBeLessThan(1e-9 * gross)
    }
    expect(gross).toBeCloseTo(sum(byContract.map(({ value }) => ({ value: Math.abs(value) }))), 6)
  })

  test('of one size stand by expiration, strike and call before put', () => {
    const side = { oi: 10, gamma: 0.02, sigma: 0.2 }
    const same = givenScope([
      { strike: 100, call: side, put: side },
      { strike: 90, call: side, put: side }
    ])
    const { byContract, byStrike } = contributions(same, 'gex')
    expect(byContract.map(({ key }) => [same.chain.strike[key], same.chain.right[key]])).toEqual([
      [90, 0],
      [90, 1],
      [100, 0],
      [100, 1]
    ])
    expect(byStrike.map(({ key }) => key)).toEqual([90, 100])
  })
})

describe('the candidates of a level', () => {
  test('begin with the level', () => {
    for (const { chain } of handMadeNames.map(handMade)) {
      for (const scope of [liveScope(chain), expiringScope(chain, chain.expirations[0].date)]) {
        const first = (level: Parameters<typeof levelCandidates>[1]) => levelCandidates(scope, level)[0]?.strike
        const { callWall, putWall } = keyLevels(scope)
        expect(first('call_wall')).toBe(callWall?.strike)
        expect(first('put_wall')).toBe(putWall?.strike)
        expect(first('magnet')).toBe(sameDayMagnet(chain)?.strike)
        expect(first('max_pain')).toBe(maxPain(scope))
      }
    }
  })

  test('lead by a margin, whatever their sign', () => {
    const rows = (...values: readonly number[]) => values.map((value, k) => ({ strike: 100 + k, value }))
    expect(leadOf(rows(30, 20), 'call_wall')).toBe(1.5)
    expect(leadOf(rows(-30, 20), 'magnet')).toBe(1.5)
    expect(leadOf(rows(20, 30), 'max_pain')).toBe(1.5)
    expect(leadOf(rows(0, 30), 'max_pain')).toBeUndefined()
    expect(leadOf(rows(30), 'call_wall')).toBeUndefined()
  })

  test('have moved as often as was measured, lower bounds included', () => {
    expect([1, 1.0499, 1.05, 1.15, 1.3, 1.6, 9].map(movedOvernight)).toEqual([0.46, 0.46, 0.29, 0.08, 0.05, 0.02, 0.02])
  })
})

describe('the crossings of net gamma', () => {
  const scope = liveScope(handMade('several expirations on a day of expiry').chain)

  test('have the slope of the profile for one percent of spot, the flip among them', () => {
    const crossings = flipCrossings(scope)
    expect(crossings.length).toBeGreaterThan(0)
    for (const { spot, slope, chosen } of crossings) {
      const rise = netGammaAt(scope, spot * 1.0005) - netGammaAt(scope, spot * 0.9995)
      expect(Math.abs(slope / (10 * rise) - 1)).toBeLessThan(1e-3)
      expect(chosen).toBe(spot === gammaFlip(scope))
    }
  })

  test('are missing for a reason', () => {
    expect(whyNoFlip(liveScope(handMade('no open interest').chain))).toBe('no_exposure')
    expect(whyNoFlip(liveScope(handMade('all puts').chain))).toBe('one_sided')
  })
})

test('a scope rests on the contracts that carry its exposure', () => {
  const side = { gamma: 0.02, sigma: 0.2 }
  const scope = givenScope([
    { strike: 95, call: { ...side, oi: 10, quote: [1, 1.1] }, put: { oi: 7, sigma: Number.NaN } },
    { strike: 100, call: { ...side, oi: 10, quote: [2, 2.1] }, put: { ...side, oi: 0, quote: [2, 4] } }
  ])
  const { bySource, medianSpread, highSpread, leftOut } = exposureBasis(scope, 'gex')
  expect([...bySource]).toEqual([[OWN_MID, 2 * 0.02 * 10 * 100 * 100 * 100 * 0.01]])
  const spreads = [10 / 1.05, 10 / 2.05]
  expect(medianSpread).toBeCloseTo((spreads[0] + spreads[1]) / 2, 10)
  expect(highSpread).toBeCloseTo(spreads[1] + 0.95 * (spreads[0] - spreads[1]), 10)
  expect(leftOut).toEqual([
    { reason: 'no_open_interest', contracts: 1, openInterest: 0 },
    { reason: 'no_volatility', contracts: 1, openInterest: 7 }
  ])
  const over = expiringScope(handMade('nothing left after the close').chain, '2026-07-29' as IsoDate)
  expect(exposureBasis(over, 'gex').leftOut.map(({ reason }) => reason)).toEqual(['not_live'])
})

test('a quantile lies between the values around its place', () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2)
  expect(quantile([1, 2, 3, 4, 5], 0.95)).toBeCloseTo(4.8, 12)
  expect([quantile([7], 0.95), quantile([1, 9], 0), quantile([1, 9], 1), quantile([], 0.5)]).toEqual([
    7,
    1,
    9,
    undefined
  ])
})
