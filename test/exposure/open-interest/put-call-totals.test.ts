import { expect, test } from 'vitest'
import {
  putCallTotals,
  tradedPremium,
  volumeConcentration
} from '../../../src/exposure/open-interest/put-call-totals.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { chainOf, series } from '../../volatility/chains.ts'
import { givenScope } from '../given.ts'

test('open interest and volume add up, with puts over calls', () => {
  const scope = givenScope([
    { strike: 95, call: { oi: 10, volume: 5 }, put: { oi: 30, volume: 1 } },
    { strike: 105, call: { oi: 30, volume: 15 }, put: { oi: 0, volume: 4 } }
  ])
  expect(putCallTotals(scope)).toEqual({
    callOi: 40,
    putOi: 30,
    callVolume: 20,
    putVolume: 5,
    oiRatio: 0.75,
    volumeRatio: 0.25
  })
})

test('puts over no calls are no ratio', () => {
  const { oiRatio, volumeRatio } = putCallTotals(givenScope([{ strike: 95, put: { oi: 30, volume: 1 } }]))
  expect([oiRatio, volumeRatio]).toEqual([undefined, undefined])
})

test('volume concentrates within half a percent of spot and at the three busiest strikes', () => {
  const volumes = [
    [95, 10],
    [100, 40],
    [100.4, 20],
    [105, 30]
  ]
  const scope = givenScope(volumes.map(([strike, volume]) => ({ strike, call: { volume }, put: {} })))
  expect(volumeConcentration(scope)).toEqual({ atTheMoney: 60, busiestThree: 90 })
  expect(volumeConcentration(givenScope([{ strike: 100, call: {} }]))).toEqual({
    atTheMoney: undefined,
    busiestThree: undefined
  })
})

test('is volume times mid by side, and nothing where a side of the quote is missing', () => {
  const quotes = [
    [95, 1, [1, 1.2]],
    [100, 0, [2, 3]],
    [100, 1, [0, 5]]
  ] as const
  const listed = series('2026-08-28', {
    strikes: [95, 100],
    volume: (strike, right) => strike - 90 + right,
    quote: (strike, right) => quotes.find(([k, side]) => k === strike && side === right)?.[2] ?? [Number.NaN, 1]
  })
  const { calls, puts } = tradedPremium(liveScope(chainOf([listed])))
  expect(calls).toBeCloseTo(10 * 2.5 * 100, 8) // the call at 100
  expect(puts).toBeCloseTo(6 * 1.1 * 100, 8) // the put at 95; nobody bids for that at 100
})
