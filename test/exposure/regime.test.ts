import { expect, test } from 'vitest'
import { netExposures } from '../../src/exposure/net.ts'
import { gammaRegime, gammaSign, regimeOfNet, regimeOfSums, regimeOrPositive } from '../../src/exposure/regime.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { gammaFlip } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { handMade, handMadeNames } from '../support/markets.ts'

test.each(handMadeNames)('%s has the regime that its sums alone give', (name) => {
  const scope = liveScope(handMade(name).chain)
  expect(regimeOfSums(netExposures(scope).gex, gammaFlip(scope))).toBe(gammaRegime(scope))
})

test('a sum of 0 is positive at a flip and undetermined without one', () => {
  expect([regimeOfSums(0, 100), regimeOfSums(0, undefined)]).toEqual(['positive_gamma', 'undetermined'])
})

test('answers without a third word call 0 and undetermined positive', () => {
  expect([1, 0, -1].map(regimeOfNet)).toEqual(['positive_gamma', 'positive_gamma', 'negative_gamma'])
  expect((['undetermined', 'negative_gamma'] as const).map(regimeOrPositive)).toEqual([
    'positive_gamma',
    'negative_gamma'
  ])
})

test('net gamma has a sign', () => {
  expect([1, 0, -1].map(gammaSign)).toEqual(['positive', 'neutral', 'negative'])
})
