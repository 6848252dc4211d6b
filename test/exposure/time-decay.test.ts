import { expect, test } from 'vitest'
import { netTheta, perHourLeft } from '../../src/exposure/time-decay.ts'
import { givenScope } from './given.ts'

test('decay is spread over the hours of session that are left, never over less than a minute', () => {
  expect([perHourLeft(-13, 6.5), perHourLeft(-13, 0), perHourLeft(undefined, 6.5)]).toEqual([-2, undefined, undefined])
  expect(perHourLeft(-13, 1 / 3600)).toBe(-13 * 60)
})

test('contracts without greeks have no theta', () => {
  const silent = { oi: 10, sigma: Number.NaN }
  expect(netTheta(givenScope([{ strike: 100, call: silent, put: silent }]))).toBeUndefined()
})
