import { expect, test } from 'vitest'
import { surfaceAnomalySignal } from '../../../src/signals/strategies/surface-anomaly-signal.ts'
import { acceptedSlices } from '../../../src/volatility/smile/slice.ts'
import { wingResiduals } from '../../../src/volatility/smile/wing-residuals.ts'
import { chainOf, leaning, series } from '../../volatility/chains.ts'
import { read } from './reading.ts'

const date = '2026-08-28'
/** A smile with a step of so many vol points below 97, which no SVI slice follows. */
const stepped = (points: number) =>
  chainOf([
    series(date, { sigma: (strike) => leaning(strike) + (strike < 97 && strike > 92 ? points / 100 : 0), oi: 900 })
  ])

test('quotes on the fit are flat and score 39 at most', () => {
  const { regime, score, structures, figures } = read(surfaceAnomalySignal(stepped(0), undefined))
  expect([regime, figures.dominantWing, structures]).toEqual(['flat_residuals', 'none', []])
  expect(score).toBeLessThanOrEqual(39)
  expect(figures.points).toHaveLength(acceptedSlices(stepped(0))[0].points.size)
})

test('the score weighs the richer wing and the quality of the fit', () => {
  const chain = stepped(2.5)
  const found = read(surfaceAnomalySignal(chain, undefined))
  const { putRichness = 0, callRichness = 0, fitQuality } = wingResiduals(acceptedSlices(chain)[0])
  const most = Math.max(0, putRichness, callRichness)
  const raw = Math.round(100 * (0.7 * Math.min(1, most / 1.75) + (0.3 * fitQuality) / 100))
  expect(found.score).toBe(most < 0.5 ? Math.min(39, raw) : raw)
  const least = Math.min(0, putRichness, callRichness)
  expect(found.figures.cheapConvexity).toBeCloseTo(Math.round((-100 * least) / 1.5), 12)
})

test('nothing is said without an accepted fit there', () => {
  const few = chainOf([series(date, { strikes: [95, 100, 105] }), series('2026-09-18')])
  expect(read(surfaceAnomalySignal(few, undefined)).expiry).toBe('2026-09-18')
  expect(surfaceAnomalySignal(few, date as never)).toMatchObject({
    missing: 'fitted_smile',
    regime: 'no_fitted_surface'
  })
  expect(surfaceAnomalySignal(few, '2026-09-17' as never).missing).toBe('expiration')
})
