import { expect, test } from 'vitest'
import { netTheta, thetaPerHour } from '../../src/exposure/time-decay.ts'
import { givenScope } from './given.ts'

test('a day of theta is spread over the hours of session that are left', () => {
  expect([thetaPerHour(-13, 6.5), thetaPerHour(-13, 0), thetaPerHour(undefined, 6.5)]).toEqual([
    -2,
    undefined,
    undefined
  ])
})

test('contracts without greeks have no theta', () => {
  const silent = { oi: 10, sigma: Number.NaN }
  expect(netTheta(givenScope([{ strike: 100, call: silent, put: silent }]))).toBeUndefined()
})
