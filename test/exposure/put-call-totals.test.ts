import { expect, test } from 'vitest'
import { putCallTotals, volumeConcentration } from '../../src/exposure/put-call-totals.ts'
import { givenScope } from './given.ts'

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
