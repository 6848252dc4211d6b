import { expect, test } from 'vitest'
import { flipDistance, impliedMove } from '../../../src/exposure/at-the-money/implied-move.ts'
import { liveScope, sameDayScope } from '../../../src/exposure/scope.ts'
import { gammaFlip } from '../../../src/exposure/spot-ladder/gamma-flip.ts'
import { handMade } from '../../support/markets.ts'
import { givenScope } from '../given.ts'

const side = { oi: 10, sigma: 0.2 }

test('half way through its last session an option has the root of one half of the day left to move', () => {
  const move = impliedMove(givenScope([{ strike: 100, call: side, put: side }], { expiration: '2026-07-29' }))!
  expect(move.fullDay).toBeCloseTo(20 / Math.sqrt(252), 12)
  expect(move.remaining).toBeCloseTo(20 / Math.sqrt(252) / Math.SQRT2, 12)
})

test('the flip lies as far from spot as its moves and percentages say', () => {
  const scope = sameDayScope(handMade('several expirations on a day of expiry').chain)
  const flip = gammaFlip(scope)!
  const { side, percent, dollars, sigmas } = flipDistance(scope)!
  const { spot } = scope.chain
  expect(side).toBe(spot >= flip ? 'above' : 'below')
  expect(dollars).toBe(Math.abs(spot - flip))
  expect(percent).toBeCloseTo(100 * (1 - flip / spot), 10)
  expect(sigmas).toBeCloseTo(dollars / impliedMove(scope)!.remaining, 12)
})

test('after the close the distance counts in moves of a whole day', () => {
  const scope = liveScope(handMade('after the close').chain)
  const distance = flipDistance(scope)!
  expect(distance.sigmas).toBeCloseTo(distance.dollars / impliedMove(scope)!.fullDay, 12)
})

test('without a flip there is no distance', () => {
  expect(flipDistance(liveScope(handMade('no open interest').chain))).toBeUndefined()
})
