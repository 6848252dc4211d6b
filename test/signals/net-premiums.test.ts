import { expect, test } from 'vitest'
import { netPremiums } from '../../src/signals/risk-premium/net-premiums.ts'
import { premiumFigures } from '../../src/signals/risk-premium/premium-figures.ts'
import { burdensAmong, premiumAssessment } from '../../src/signals/risk-premium/premium-regime.ts'
import { usableBars } from '../../src/volatility/realized/realized.ts'
import { barsOfCloses } from '../volatility/made-up-bars.ts'

const implied = {
  atmIv: 20,
  atmIv30: 20,
  fairVol: 22,
  putWing25: 23,
  callWing25: 19,
  relativeSkew: 0.2,
  expiry: undefined,
  fitted: true,
  butterfly: false
}
const realized = { rv5: 15, rv10: 15.5, rv20: 16, rv30: 17, downside20: 17, upside20: 15 }

test('premiums are what options ask over what the underlying did', () => {
  const { variance, ...points } = netPremiums(implied, realized)
  expect(points).toEqual({ over5: 5, over10: 4.5, over20: 4, over30: 3, convexity: 2, downside: 6, upside: 4 })
  expect(variance).toBeCloseTo(0.04 - 0.0256, 15)
})

test('a premium without one of its sides does not exist', () => {
  const { over5, over20, variance, convexity } = netPremiums(implied, { ...realized, rv20: undefined })
  expect([over5, over20, variance, convexity]).toEqual([5, undefined, undefined, 2])
})

test('without a chain only the realized side is there', () => {
  const premiums = premiumFigures(undefined, usableBars(barsOfCloses(Array(25).fill(100))), 100)
  expect([premiums.realized.rv20, premiums.term, premiums.nearSlope]).toEqual([0, [], undefined])
  expect(premiums.dealers).toEqual({
    spot: 100,
    netGex: undefined,
    netVex: undefined,
    gammaFlip: undefined,
    dollarVolume: 100_000
  })
  expect(netPremiums(premiums.implied, premiums.realized).over20).toBeUndefined()
})

test('an assessment holds from its bound on', () => {
  expect([10, 9.9, 5, 2, 0, -0.1, -5, -5.1].map(premiumAssessment)).toEqual([
    'very_high_premium',
    'healthy_premium',
    'healthy_premium',
    'moderate_premium',
    'thin_premium',
    'negative_spread',
    'negative_spread',
    'danger_zone'
  ])
})

test('of the warnings an event, an inverted term structure and credit stress are burdens', () => {
  expect(burdensAmong(['event_risk', 'negative_gamma', 'term_inversion', 'credit_stress', 'extreme_vrp'])).toBe(3)
})
