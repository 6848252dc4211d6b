import { expect, test } from 'vitest'
import { bookOfModel, chainModels, dealerDelta, tapeBook } from '../../src/exposure/dealer-models.ts'
import { keyLevels } from '../../src/exposure/levels/key-levels.ts'
import { netExposures } from '../../src/exposure/net.ts'
import { gammaRegime } from '../../src/exposure/regime.ts'
import { liveScope, withBook } from '../../src/exposure/scope.ts'
import { gammaFlip } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { CALL, UNKNOWN } from '../../src/market/chain.ts'
import { handMade } from '../support/markets.ts'
import { scalarGreeks } from '../support/scalar.ts'
import { given } from './given.ts'

const side = (oi: number) => ({ oi, gamma: 0.02, delta: 0.5, sigma: 0.2 })
const chain = given([
  { strike: 95, call: side(10), put: side(20) },
  { strike: 100, call: side(30), put: side(40) },
  { strike: 105, call: side(50), put: side(60) }
])

test('each model has its own position in calls and puts below, at and above spot', () => {
  const positions = chainModels.map((model) => Array.from(bookOfModel(chain, model).position))
  expect(positions).toEqual([
    [10, -20, 30, -40, 50, -60],
    [-10, -20, -30, -40, -50, -60],
    [-10, -20, 30, -40, 50, 60]
  ])
})

test('the tape gives dealers the other side of what customers did, no more than is open', () => {
  expect(Array.from(tapeBook(chain, Int32Array.from([4, -5, 0, 90, -90, 60])).position)).toEqual([
    -4, 5, 0, -40, 50, -60
  ])
})

test('the tape gives dealers what traded of contracts that were listed this morning', () => {
  const openInterest = chain.openInterest.map((oi, slot) => (slot < 3 ? 0 : oi))
  const listed = { ...chain, openInterest, volume: Int32Array.from([9, 3, UNKNOWN, 0, 0, 0]) }
  const { position } = tapeBook(listed, Int32Array.from([4, -5, 7, 90, -90, 60]))
  expect(Array.from(position)).toEqual([-4, 3, 0, -40, 50, -60])
})

test('unknown open interest is held by nobody', () => {
  const unknown = { ...chain, openInterest: chain.openInterest.map(() => UNKNOWN) }
  for (const model of chainModels)
    expect(Array.from(bookOfModel(unknown, model).position).every((n) => n === 0)).toBe(true)
  expect(Array.from(tapeBook(unknown, new Int32Array(6).fill(7)).position)).toEqual([0, 0, 0, 0, 0, 0])
})

test('a dealer who is short every option has a put wall and no call wall, and the delta of what he is short', () => {
  const short = withBook(liveScope(chain), bookOfModel(chain, 'all_short'))
  expect(keyLevels(short).callWall).toBeUndefined()
  expect(keyLevels(short).putWall?.strike).toBe(105)
  expect(gammaRegime(short)).toBe('negative_gamma')
  expect(dealerDelta(short)).toBe(-210 * 0.5 * 100 * 100)
})

test('the flip of each model is where a scan of plain gammas changes its sign', () => {
  const { chain: whole } = handMade('several expirations on a day of expiry')
  for (const model of chainModels) {
    const book = bookOfModel(whole, model)
    const scope = withBook(liveScope(whole), book)
    const netAt = (spot: number) => {
      let net = 0
      whole.expirations.forEach(({ start, end }, at) => {
        const { t, rate, dividendYield } = whole.carries[at]
        for (let i = start; i < end; i++) {
          if (Number.isNaN(whole.sigma[i])) continue
          const terms = { spot, strike: whole.strike[i], t, rate, dividendYield, sigma: whole.sigma[i] }
          net += book.position[i] * scalarGreeks({ call: whole.right[i] === CALL, ...terms }).gamma * spot * spot
        }
      })
      return net
    }
    expect(Math.abs(netAt(whole.spot) / netExposures(scope).gex - 1)).toBeLessThan(1e-6)
    const flip = gammaFlip(scope)
    const sign = Math.sign(netAt(whole.spot))
    const scanned = Array.from({ length: 500 }, (_, j) => whole.spot * (1 - sign * 0.001 * (j + 1))).find(
      (x) => netAt(x) * sign < 0
    )
    expect(flip === undefined).toBe(scanned === undefined)
    if (flip !== undefined) expect(Math.abs(flip - scanned!)).toBeLessThanOrEqual(0.001 * whole.spot)
  }
})
