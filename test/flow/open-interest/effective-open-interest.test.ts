import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effectiveOpenInterest, simulatorTotals } from '../../../src/flow/open-interest/effective-open-interest.ts'
import { openInterestDelta } from '../../../src/flow/open-interest/simulator.ts'
import { NOT_LISTED, slotsOfSeries } from '../../../src/flow/open-interest/slots-of-series.ts'
import { CALL, UNKNOWN } from '../../../src/market/chain.ts'
import { sketched } from '../../support/hand-made.ts'
import { listedAt, madeUpPositions, nameOf, positionsOf, tapeHeader } from '../../support/made-up-flow.ts'
import { handMade, handMadeNames } from '../../support/markets.ts'

/** The rule in whole numbers of any size. */
function exactDelta(net: number, millionths: number): number {
  const twice = 2n * BigInt(millionths) * BigInt(Math.abs(net)) + 1_000_000n
  return Math.sign(net) * Number(twice / 2_000_000n) || 0
}

describe('the delta of open interest', () => {
  test.each([
    [100, 0, 0.43, 43],
    [0, 100, 0.43, -43],
    [50, 50, 0.43, 0],
    [1, 0, 0.43, 0],
    [1, 0, 0.5, 1], // a half goes away from zero
    [0, 1, 0.5, -1],
    [10, 0, 0.35, 4], // 3.5 exactly
    [0, 50, 0.57, -29] // 28.5
  ])('of %d bought and %d sold at %d is %d', (bought, sold, confidence, delta) => {
    expect(openInterestDelta(bought, sold, confidence)).toBe(delta)
  })

  test('is rounded as a decimal, half away from zero', () => {
    const volume = fc.integer({ min: 0, max: 2 ** 31 - 1 })
    fc.assert(
      fc.property(volume, volume, fc.integer({ min: 1, max: 1_000_000 }), (bought, sold, millionths) => {
        expect(openInterestDelta(bought, sold, millionths / 1e6)).toBe(exactDelta(bought - sold, millionths))
      })
    )
  })
})

test.each(handMadeNames)('series find their slots in %s by root, date, strike and right', (name) => {
  const { chain } = handMade(name)
  const { series } = madeUpPositions(chain)
  const slots = new Map(Array.from({ length: chain.size }, (_, slot) => [nameAt(chain, slot), slot]))
  const found = slotsOfSeries(chain, series)
  for (let k = 0; k < series.length; k++) {
    const expected = series.adjusted[k] === 1 ? undefined : slots.get(nameOf(series, k))
    expect(found[k]).toBe(expected ?? NOT_LISTED)
  }
  expect(found).toContain(NOT_LISTED)
  expect(slotsOfSeries(chain, series)).toBe(found)
})

function nameAt(chain: Parameters<typeof listedAt>[0], slot: number): string {
  const { root, date, strike, right } = listedAt(chain, slot)
  return `${root} ${date} ${strike} ${right === CALL ? 'C' : 'P'}`
}

describe('effective open interest', () => {
  const oi = [40, UNKNOWN, 1000, 7]
  const chain = sketched({
    date: '2026-07-29',
    time: '11:00',
    spot: 100,
    series: [{ date: '2026-08-28', strikes: [95, 105], oi: (strike, right) => oi[(strike === 95 ? 0 : 2) + right] }]
  })
  const positions = positionsOf(tapeHeader(chain), [
    { series: listedAt(chain, 2), bought: 1000, sold: 0 },
    { series: listedAt(chain, 0), bought: 0, sold: 200 },
    { series: listedAt(chain, 1), bought: 10, sold: 0 },
    { series: listedAt(chain, 3), bought: 1, sold: 0 }
  ])
  const slots = Int32Array.of(0, 1, 2, 3)

  test('is the official one and the delta, 0 at least, an unknown one counting 0', () => {
    expect(effectiveOpenInterest(chain, positions)).toEqual({
      delta: Int32Array.of(-86, 4, 430, 0),
      openInterest: Int32Array.of(0, 4, 1430, 7),
      hasFlow: true
    })
  })
  test('adds up before and after the clamp', () => {
    expect(simulatorTotals(chain, slots, effectiveOpenInterest(chain, positions))).toEqual({
      official: 1047,
      delta: 348,
      simulated: 1395,
      effective: 1441,
      moved: 474,
      series: 4,
      seriesWithFlow: 3
    })
  })
  test('is the official one without a tape', () => {
    const totals = simulatorTotals(chain, slots, undefined)
    expect(totals).toMatchObject({
      official: 1047,
      delta: 0,
      simulated: 1047,
      effective: 1047,
      moved: 0,
      seriesWithFlow: 0
    })
  })
  test('is computed once for a chain and positions', () => {
    expect(effectiveOpenInterest(chain, positions)).toBe(effectiveOpenInterest(chain, positions))
  })
})
