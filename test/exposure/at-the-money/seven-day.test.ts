import { expect, test } from 'vitest'
import { volatilityContext } from '../../../src/exposure/at-the-money/seven-day.ts'
import { givenScope } from '../given.ts'

const strikes = [{ strike: 100, call: { sigma: 0.2 }, put: { sigma: 0.3 } }]

test('the seven-day expiration compares with itself at 1', () => {
  expect(volatilityContext(givenScope(strikes, { expiration: '2026-08-05' }))).toEqual({
    here: 0.25,
    week: 0.25,
    ratio: 1
  })
})

test('without an expiration about a week out there is nothing to compare with', () => {
  expect(volatilityContext(givenScope(strikes, { expiration: '2026-08-28' }))).toEqual({
    here: 0.25,
    week: undefined,
    ratio: undefined
  })
})
