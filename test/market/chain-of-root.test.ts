import { expect, test } from 'vitest'
import { exposureByExpiration } from '../../src/exposure/breakdown/exposure-term-structure.ts'
import { netExposures } from '../../src/exposure/net.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { gammaFlip } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { chainOfRoot } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'
import { handMade, priced } from '../support/markets.ts'

const weekly = 'SPXW' as Ticker

test('the weekly part of a priced chain is the chain that its contracts alone would make', () => {
  const { chain } = handMade('AM and PM series on one date')
  const part = chainOfRoot(chain, weekly)!
  const alone = priced(chainOfRoot({ ...chain, carries: undefined }, weekly)!)
  expect(part.symbol).toBe('SPXW')
  expect(part.size).toBe(alone.size)
  expect(part.expirations).toEqual(alone.expirations)
  expect(part.carries).toEqual(alone.carries)
  expect(part.delta).toEqual(alone.delta)
  expect(netExposures(liveScope(part))).toEqual(netExposures(liveScope(alone)))
  expect(gammaFlip(liveScope(part))).toBe(gammaFlip(liveScope(alone)))
  expect(exposureByExpiration(part).map(({ days }) => days)).toEqual([3, 10])
})

test('a root that a chain does not list has no part of it', () => {
  expect(chainOfRoot(handMade('one expiration').chain, weekly)).toBeUndefined()
})
