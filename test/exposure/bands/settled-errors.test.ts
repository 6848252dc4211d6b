import { describe, expect, test } from 'vitest'
import { netBands } from '../../../src/exposure/bands/net-bands.ts'
import { settledErrors } from '../../../src/exposure/bands/settled-errors.ts'
import { uncertainContracts } from '../../../src/exposure/bands/uncertain-contracts.ts'
import { netExposures } from '../../../src/exposure/net.ts'
import { liveScope, scopeOf } from '../../../src/exposure/scope.ts'
import { type BandTenor, bandErrorName, bandMeasures, bandTenors } from '../../../src/market/band-errors.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import type { PricedChain } from '../../../src/pricing/price-chain.ts'
import { recordedPayloads } from '../../support/cboe-payload.ts'
import { jumbled, sketched } from '../../support/hand-made.ts'
import { priced, recordedMarket } from '../../support/markets.ts'
import { normalStream } from '../../volatility/made-up-bars.ts'

const dates = ['2026-07-30', '2026-08-05', '2026-08-14', '2026-09-18', '2026-12-18']
const strikes = [85, 90, 95, 100, 105, 110, 115]
const volume = (strike: number, right: number) => 40 * jumbled(strike, right, 9)
const series = dates.map((date) => ({ date, strikes, oi: 40_000, volume }))
const sketch = { date: '2026-07-29', time: '16:00', spot: 100.3, series }

/** The same chain a session later, with other open interest. */
const settled = (evening: PricedChain, openInterest: Int32Array): PricedChain => ({
  ...evening,
  asOf: evening.asOf + 86_400_000,
  openInterest
})

describe('errors of bands', () => {
  const evening = priced(sketched(sketch))
  const after = evening.openInterest.map((open, i) => open + Math.round(0.4 * evening.volume[i]) - 7)

  test('are the settled exposure less the mean, in deviations, whole and by tenor', () => {
    const errors = settledErrors(evening, settled(evening, after))
    const then = { ...evening, openInterest: after }
    for (const measure of bandMeasures) {
      const { mean, deviation } = netBands(liveScope(evening), measure, 1).positions
      const whole = (netExposures(liveScope(then))[measure] - mean) / deviation
      expect(errors[bandErrorName(measure, 'all')]).toBeCloseTo(whole, 9)
      const on = '2026-08-14' as IsoDate // the only expiration of its tenor
      const month = netBands(scopeOf(evening, on), measure, 1).positions
      const sum = netExposures(scopeOf(then, on))[measure]
      expect(errors[bandErrorName(measure, 'month')]).toBeCloseTo((sum - month.mean) / month.deviation, 9)
    }
    expect(Object.keys(errors)).toHaveLength(bandMeasures.length * bandTenors.length)
  })

  test('do not exist before anything new is published, after a split, or without volume', () => {
    expect(settledErrors(evening, settled(evening, evening.openInterest))).toEqual({})
    expect(settledErrors(evening, priced(sketched({ ...sketch, series: series.slice(2) })))).toEqual({})
    const quiet = priced(sketched({ ...sketch, series: series.map((one) => ({ ...one, volume: 0 })) }))
    expect(settledErrors(quiet, settled(quiet, after))).toEqual({})
  })

  test('leave out contracts whose open interest is unknown', () => {
    const unknown = after.map((open, i) => (i === 3 ? -1 : open))
    const found = settledErrors(evening, settled(evening, unknown))
    const without = priced(sketched(sketch))
    without.volume[3] = 0
    without.openInterest[3] = 0
    const plain = settledErrors(without, settled(without, after))
    expect(found.bandVexAll).toBeCloseTo(plain.bandVexAll!, 9)
  })

  test('are standard normal if open interest changes by the law of the bands', () => {
    for (const symbol of ['TEST', 'SPY']) {
      const of = priced(sketched({ ...sketch, symbol }))
      const { slots, mean, own, shared } = uncertainContracts(liveScope(of))
      const normal = normalStream(23)
      const held = new Map(bandMeasures.map((measure) => [measure, 0]))
      const MORNINGS = 1500
      for (let morning = 0; morning < MORNINGS; morning++) {
        const draws = shared.map(({ count }) => Array.from({ length: count }, normal))
        const openInterest = Int32Array.from(of.openInterest)
        slots.forEach((i, k) => {
          const together = shared.reduce((sum, change, part) => sum + change.size[k] * draws[part][change.of[k]], 0)
          openInterest[i] = Math.round(mean[k] + own[k] * normal() + together)
        })
        const errors = settledErrors(of, settled(of, openInterest))
        for (const measure of bandMeasures) {
          if (Math.abs(errors[bandErrorName(measure, 'all')]!) <= 1.645) held.set(measure, held.get(measure)! + 1)
        }
      }
      for (const count of held.values()) {
        expect(count / MORNINGS).toBeGreaterThan(0.88)
        expect(count / MORNINGS).toBeLessThan(0.92)
      }
    }
  })
})

describe.runIf(recordedPayloads() !== undefined)('recorded evenings and the mornings after', () => {
  const pairs = [
    ['SPY', '2026-07-28', '2026-07-29'],
    ['SPY', '2026-07-30', '2026-07-31'],
    ['SPY', '2026-08-03', '2026-08-04'],
    ['SPX', '2026-07-30', '2026-07-31']
  ] as const

  test('lie inside the bands, whole and by tenor', async () => {
    const errors = await Promise.all(
      pairs.map(async ([symbol, evening, morning]) => {
        const market = (await recordedMarket(symbol, morning, evening))!
        return settledErrors(market.prior!, market.chain)
      })
    )
    for (const measure of bandMeasures) {
      const of = (tenors: readonly BandTenor[]) =>
        errors.flatMap((found) => tenors.map((tenor) => Math.abs(found[bandErrorName(measure, tenor)]!)))
      const isHeld = (error: number) => error <= 1.645
      expect(of(['all']).filter(isHeld).length).toBeGreaterThanOrEqual(pairs.length - 1)
      expect(of(['week', 'month', 'later']).filter(isHeld).length).toBeGreaterThanOrEqual(0.83 * 3 * pairs.length)
    }
  })
})
