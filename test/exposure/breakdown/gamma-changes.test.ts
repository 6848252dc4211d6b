import { beforeAll, expect, test } from 'vitest'
import { gammaChanges, largestChanges } from '../../../src/exposure/breakdown/gamma-changes.ts'
import { strikeSums } from '../../../src/exposure/by-strike.ts'
import { netExposures } from '../../../src/exposure/net.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { exposureProfile } from '../../../src/exposure/spot-ladder/exposure-profile.ts'
import { atSpot, movedChain, movedGreeks } from '../../../src/pricing/moved-chain.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { allMarkets, type Market } from '../../support/markets.ts'

let markets: readonly Market[]
beforeAll(async () => {
  markets = (await allMarkets()).filter(({ chain }) => liveScope(chain).slots.length > 0)
})

const recordOf = (chain: PricedChain) => {
  const { strikes, gex } = strikeSums(chain)
  return { strikes, values: gex, underlying: chain.spot }
}
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
/** The net is a sum of many, so its last digits depend on their order. */
const isNear = (a: number, b: number, gross: number) => Math.abs(a - b) <= 1e-9 * gross + 1e-9

test('nothing changed since a moment that is the same', () => {
  for (const { chain } of markets) {
    const changes = gammaChanges(liveScope(chain), recordOf(chain))
    for (const { from, to, change, spot, rest } of changes) {
      expect({ change, spot, rest }).toEqual({ change: 0, spot: 0, rest: 0 })
      expect(from).toBe(to)
    }
    expect(largestChanges(changes, 5)).toEqual([])
  }
})

test('where only spot moved, all is of spot', () => {
  for (const { chain, name } of markets) {
    const scope = liveScope(chain)
    const columns = movedGreeks(chain.size)
    const then = atSpot(movedChain(chain, chain.asOf), 0.99 * chain.spot, scope.expirations, columns)
    const changes = gammaChanges(scope, recordOf({ ...then }))
    const gross = sumOf(changes.map(({ from, to }) => Math.abs(from) + Math.abs(to)))
    for (const { rest } of changes) expect(isNear(rest, 0, gross), `${name} ${rest}`).toBe(true)
    const { gex, spots } = exposureProfile(scope, { reach: 0.01, points: 3, asOf: chain.asOf, shift: 0 })
    expect(spots[0]).toBeCloseTo(then.spot, 9)
    expect(isNear(sumOf(changes.map(({ spot }) => spot)), gex[1] - gex[0], gross)).toBe(true)
  }
})

test('against the day before, parts sum to the change and changes to that of the net', () => {
  let compared = 0
  for (const { chain, prior } of markets) {
    if (prior === undefined) continue
    const changes = gammaChanges(liveScope(chain), recordOf(prior))
    const gross = sumOf(changes.map(({ from, to }) => Math.abs(from) + Math.abs(to)))
    for (const { from, to, change, spot, rest } of changes) {
      expect(change).toBe(to - from)
      expect(isNear(spot + rest, change, gross)).toBe(true)
    }
    const net = netExposures(liveScope(chain)).gex - netExposures(liveScope(prior)).gex
    expect(isNear(sumOf(changes.map(({ change }) => change)), net, gross)).toBe(true)
    const top = largestChanges(changes, 3)
    const sizes = changes.map(({ change }) => Math.abs(change)).sort((a, b) => b - a)
    expect(top.map(({ change }) => Math.abs(change))).toEqual(sizes.slice(0, 3).filter((size) => size > 0))
    compared++
  }
  expect(compared).toBeGreaterThan(2)
})
