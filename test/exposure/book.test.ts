import { describe, expect, test } from 'vitest'
import { type Book, signConvention } from '../../src/exposure/book.ts'
import { exposureByExpiration } from '../../src/exposure/breakdown/exposure-term-structure.ts'
import { tenorBuckets } from '../../src/exposure/breakdown/tenor-buckets.ts'
import { activeStrikes, byStrike, type StrikeRow } from '../../src/exposure/by-strike.ts'
import { keyLevels, sameDayMagnet, topGammaStrikes } from '../../src/exposure/levels/key-levels.ts'
import { executionQuality } from '../../src/exposure/liquidity/execution.ts'
import { liquidity } from '../../src/exposure/liquidity/liquidity.ts'
import { netExposures, sameDayShare } from '../../src/exposure/net.ts'
import {
  herfindahl,
  openInterestByMoneyness,
  openInterestDays,
  putCallByExpiration
} from '../../src/exposure/open-interest/open-interest-profile.ts'
import { heldStrikes, maxPain, painCurve, totalOpenInterest } from '../../src/exposure/pin/max-pain.ts'
import { pinRisk, topStrikesShare } from '../../src/exposure/pin/pin-risk.ts'
import { gammaRegime } from '../../src/exposure/regime.ts'
import { atLeastOpenInterest, hasExposure, liveScope, type Scope, withBook } from '../../src/exposure/scope.ts'
import { gammaFlip, netGammaAt } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { netTheta } from '../../src/exposure/time-decay.ts'
import { CALL, UNKNOWN } from '../../src/market/chain.ts'
import { jumbled, ladder, sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'
import { given } from './given.ts'

/** Three expirations, one of them today, with uneven open interest: a flip, two walls, a max pain. */
const chain = priced(
  sketched({
    date: '2026-07-29',
    time: '11:00',
    spot: 100,
    series: ['2026-07-29', '2026-08-07', '2026-09-18'].map((date) => ({
      date,
      strikes: ladder(80, 120, 2.5),
      sigma: (strike: number) => 0.2 + 0.002 * Math.abs(strike - 100),
      oi: (strike: number, right: number) =>
        jumbled(strike, right, 400) + (right === CALL && strike > 104 ? 2000 : right !== CALL && strike < 98 ? 1500 : 0)
    }))
  })
)
const scope = liveScope(chain)
const convention = signConvention(chain)

/** A book over the columns of another. */
const bookOf = (openInterest: (held: number) => number, position: (held: number, i: number) => number): Book => ({
  openInterest: Float64Array.from(convention.openInterest, openInterest),
  position: Float64Array.from(convention.position, position)
})
const empty = bookOf(
  () => 0,
  () => 0
)
const doubled = bookOf(
  (held) => 2 * held,
  (held) => 2 * held
)
const swapped = bookOf(
  (held) => held,
  (held) => -held
)

/** Every figure of rows: they are read where they were summed up, so a row by itself compares as its strike alone. */
function withFigures(found: unknown): unknown {
  if (Array.isArray(found)) return found.map(withFigures)
  if (found === null || typeof found !== 'object' || ArrayBuffer.isView(found) || found instanceof Map) return found
  if ('callGex' in found) return figuresOf(found as StrikeRow)
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, withFigures(value)]))
}

function figuresOf(row: StrikeRow) {
  const { strike, callGex, putGex, callDex, putDex, callVex, putVex, callChex, putChex, dag } = row
  const { callOi, putOi, callVolume, putVolume } = row
  const exposures = { callGex, putGex, callDex, putDex, callVex, putVex, callChex, putChex, dag }
  return { strike, ...exposures, callOi, putOi, callVolume, putVolume }
}

/** Everything that depends on who holds what. */
const measures: Readonly<Record<string, (scope: Scope) => unknown>> = {
  byStrike,
  activeStrikes,
  netExposures,
  keyLevels,
  gammaFlip,
  'net gamma at another spot': (held) => netGammaAt(held, 97),
  gammaRegime,
  hasExposure,
  netTheta,
  tenorBuckets,
  topGammaStrikes: (held) => topGammaStrikes(held, 5),
  maxPain,
  painCurve,
  heldStrikes,
  totalOpenInterest,
  openInterestDays,
  putCallByExpiration,
  openInterestByMoneyness,
  herfindahl,
  topStrikesShare: (held) => topStrikesShare(held, 3),
  pinRisk: (held) => pinRisk(held, { strike: 100, reach: 0.05, elapsed: 50 }),
  liquidity: (held) => liquidity(held, 0.05),
  executionQuality,
  'strikes that hold enough': (held) => atLeastOpenInterest(held, 3000).slots,
  exposureByExpiration: (held) => exposureByExpiration(held.chain, held.book),
  sameDayShare: (held) => sameDayShare(held.chain, held.book),
  sameDayMagnet: (held) => sameDayMagnet(held.chain, held.book)
}

describe('the sign convention', () => {
  test('holds the published open interest, long calls and short puts', () => {
    for (let i = 0; i < chain.size; i++) {
      expect(convention.openInterest[i]).toBe(chain.openInterest[i])
      expect(convention.position[i]).toBe((chain.right[i] === CALL ? 1 : -1) * chain.openInterest[i] + 0)
    }
  })

  test('holds nothing where open interest is not known, which is not the same as none', () => {
    const { openInterest, position } = signConvention(given([{ strike: 100, call: { oi: UNKNOWN }, put: { oi: 0 } }]))
    expect([...openInterest]).toEqual([UNKNOWN, 0])
    expect([...position]).toEqual([0, 0])
  })

  test('is the book of a scope that was given no other', () => {
    expect(scope.book).toBe(convention)
    expect(withBook(scope, convention)).toBe(scope)
  })
})

test('a scope with another book keeps its contracts, is the same whenever asked for and leaves the first as it was', () => {
  const held = withBook(scope, doubled)
  expect(withBook(scope, doubled)).toBe(held)
  expect(withBook(held, convention)).not.toBe(held)
  expect({ ...held, book: undefined }).toEqual({ ...scope, book: undefined })
  const before = netExposures(scope)
  expect(netExposures(held).gex).not.toBe(before.gex)
  expect(netExposures(scope)).toBe(before)
})

test.each(Object.entries(measures))('%s reads the book and never the published column', (_, measure) => {
  const unpublished = { ...chain, openInterest: new Int32Array(chain.size).fill(UNKNOWN) }
  const measured = (of: Scope) => withFigures(measure(of))
  expect(measured(withBook(liveScope(unpublished), convention))).toEqual(measured(scope))
  expect(measured(liveScope(unpublished))).not.toEqual(measured(scope))
})

test('an empty book exposes nothing: no flip, no regime, no level, no max pain', () => {
  const held = withBook(scope, empty)
  expect(netExposures(held)).toEqual({ gex: 0, dex: 0, vex: 0, chex: 0 })
  expect(hasExposure(held)).toBe(false)
  expect([gammaFlip(held), maxPain(held), herfindahl(held), topStrikesShare(held, 3)]).toEqual(Array(4).fill(undefined))
  expect(gammaRegime(held)).toBe('undetermined')
  expect(Object.values(keyLevels(held))).toEqual(Array(8).fill(undefined))
  expect(netTheta(held)! + 0).toBe(0)
  expect(exposureByExpiration(chain, empty)).toEqual([])
  expect(sameDayShare(chain, empty)).toEqual({
    netGex: 0,
    percentOfTotal: undefined,
    percentOfGross: undefined,
    expires: true,
    expired: false
  })
  expect(byStrike(held).map(({ strike, callVolume }) => [strike, callVolume])).toEqual(
    byStrike(scope).map(({ strike, callVolume }) => [strike, callVolume])
  )
})

test('twice the book doubles every exposure and leaves the flip, the walls and max pain where they are', () => {
  const held = withBook(scope, doubled)
  const [once, twice] = [netExposures(scope), netExposures(held)]
  expect(once.gex).not.toBe(0)
  for (const figure of ['gex', 'dex', 'vex', 'chex'] as const) expect(twice[figure]).toBe(2 * once[figure])
  expect(netTheta(held)).toBe(2 * netTheta(scope)!)
  expect(byStrike(held).map(({ dag }) => dag)).toEqual(byStrike(scope).map(({ dag }) => 2 * dag))
  expect(totalOpenInterest(held)).toBe(2 * totalOpenInterest(scope))
  expect(gammaFlip(scope)).toBeDefined()
  expect(gammaFlip(held)).toBe(gammaFlip(scope))
  expect(maxPain(held)).toBe(maxPain(scope))
  const strikes = (of: Scope) => Object.values(keyLevels(of)).map((row?: StrikeRow) => row?.strike)
  expect(strikes(held)).toEqual(strikes(scope))
  expect([herfindahl(held), topStrikesShare(held, 3)]).toEqual([herfindahl(scope), topStrikesShare(scope, 3)])
})

test('dealers on the other side turn gamma, vanna and charm around, and leave what holders have and what is open', () => {
  const held = withBook(scope, swapped)
  const [one, other] = [netExposures(scope), netExposures(held)]
  expect([other.gex, other.vex, other.chex]).toEqual([-one.gex, -one.vex, -one.chex])
  expect(other.dex).toBe(one.dex)
  expect(netTheta(held)).toBe(netTheta(scope))
  expect(netGammaAt(held, 93)).toBe(-netGammaAt(scope, 93))
  for (const count of ['maxPain', 'herfindahl', 'putCallByExpiration', 'heldStrikes', 'executionQuality']) {
    expect(measures[count](held), count).toEqual(measures[count](scope))
  }
})

test('effective open interest of one contract changes its strike and no other', () => {
  const slot = Array.from(scope.slots).findIndex((i) => chain.strike[i] === 105 && chain.right[i] === CALL)
  const i = scope.slots[slot]
  const openInterest = Float64Array.from(convention.openInterest)
  const position = Float64Array.from(convention.position)
  openInterest[i] = position[i] = convention.openInterest[i] + 120.5
  const held = withBook(scope, { openInterest, position })
  const [before, after] = [scope, held].map((of) => byStrike(of).map(figuresOf))
  const changed = after.filter((row, k) => JSON.stringify(row) !== JSON.stringify(before[k]))
  expect(changed.map(({ strike }) => strike)).toEqual([105])
  const was = before.find(({ strike }) => strike === 105)!
  const [now] = changed
  expect(now.callOi).toBe(was.callOi + 120.5)
  expect(now.callGex - was.callGex).toBeCloseTo(chain.gamma[i] * 120.5 * 100 * 100 * 100 * 0.01, 6)
  expect(now.callDex - was.callDex).toBeCloseTo(chain.delta[i] * 120.5 * 100 * 100, 6)
  expect([now.putOi, now.putGex, now.putDex]).toEqual([was.putOi, was.putGex, was.putDex])
  expect(totalOpenInterest(held)).toBe(totalOpenInterest(scope) + 120.5)
})
