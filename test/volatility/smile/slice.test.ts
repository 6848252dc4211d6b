import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import {
  acceptedAmSlices,
  acceptedSlices,
  fitQuality,
  isAccepted,
  type Slice,
  sliceOf,
  slices
} from '../../../src/volatility/smile/slice.ts'
import { atmVolatility, smileVariance, smileVolatility } from '../../../src/volatility/smile/smile-volatility.ts'
import { totalVariance } from '../../../src/volatility/svi/svi.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, leaning, quotedWhere, series, sliceOn } from '../chains.ts'

const month = '2026-08-28'

describe('an expiration with a smile', () => {
  const chain = chainOf([series('2026-08-05'), series(month), series('2027-01-15')])

  test('has an accepted slice that shows the volatility it was quoted at', () => {
    expect(acceptedSlices(chain).map(({ date }) => date)).toEqual(['2026-08-05', month, '2027-01-15'])
    for (const slice of acceptedSlices(chain)) {
      expect(slice.rms).toBeLessThan(0.004)
      expect(atmVolatility(slice)).toBeCloseTo(leaning(slice.forward), 2)
      expect(smileVolatility(slice, -0.05)).toBeCloseTo(leaning(slice.forward * Math.exp(-0.05)), 2)
      expect(fitQuality(slice)).toBeCloseTo(100 * Math.exp(-slice.rms / 0.01), 12)
    }
  })

  test('is fitted once for each chain', () => {
    expect(slices(chain)).toBe(slices(chain))
    expect(sliceOf(chain, 1)).toBe(slices(chain)[1])
  })

  test('gives the same slice for the same chain computed anew', () => {
    expect(slices({ ...chain }).map(({ svi }) => svi)).toEqual(slices(chain).map(({ svi }) => svi))
  })
})

describe('a slice is refused', () => {
  test('in the last trading hour, and not before', () => {
    const today = series('2026-07-29', { strikes: ladder(98, 102, 0.1), sigma: 0.5 })
    expect(sliceOn(chainOf([today], { time: '14:59' }), '2026-07-29').refusal).toBeUndefined()
    expect(sliceOn(chainOf([today], { time: '15:01' }), '2026-07-29').refusal).toBe('last_hour')
  })

  test.each([
    ['with five points', (strike: number) => [96, 98, 99, 102, 104].includes(strike)],
    ['with one put', (strike: number) => strike === 99 || strike > 100],
    ['with one call', (strike: number) => strike === 102 || strike < 100]
  ])('%s', (_, keep) => {
    const slice = sliceOn(chainOf([series(month, { quote: quotedWhere(keep) })]), month)
    expect(slice).toMatchObject({ refusal: 'few_points', svi: undefined, rms: undefined })
  })

  test('with no point within one deviation of the forward on a side', () => {
    // One deviation to August 28th is 5.7 %.
    const keep = (strike: number) => strike < 100 || strike > 107
    expect(sliceOn(chainOf([series(month, { quote: quotedWhere(keep) })]), month).refusal).toBe('no_centre')
  })

  test('when its points lie too far off any slice', () => {
    const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)
    const slice = sliceOn(chainOf([series(month, { sigma: wild })]), month)
    expect(slice.refusal).toBe('rough')
    expect(slice.rms).toBeGreaterThan(0.015)
    expect(slice.svi).toBeUndefined()
  })

  test.each([
    ['below 5 %', 0.04, ladder(97, 103, 0.25)],
    ['above 200 %', 2.1, ladder(50, 190, 2)]
  ])('at a volatility %s', (_, sigma, strikes) => {
    expect(sliceOn(chainOf([series(month, { sigma, strikes })]), month).refusal).toBe('out_of_range')
  })
})

describe('a refused slice', () => {
  const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)
  const slice = sliceOn(chainOf([series(month, { sigma: wild })]), month)

  test('is not among the accepted ones', () => {
    expect(isAccepted(slice)).toBe(false)
    expect(acceptedSlices(chainOf([series(month, { sigma: wild })]))).toEqual([])
  })

  test('has its total variance linear between its points and none beyond them', () => {
    const { k, iv, size } = slice.points
    const w = (i: number) => iv[i] * iv[i] * slice.t
    expect(smileVariance(slice, k[3])).toBeCloseTo(w(3), 15)
    expect(smileVariance(slice, (k[3] + k[4]) / 2)).toBeCloseTo((w(3) + w(4)) / 2, 12)
    expect(smileVariance(slice, k[0])).toBeCloseTo(w(0), 15)
    expect(smileVariance(slice, k[size - 1])).toBeCloseTo(w(size - 1), 15)
    expect(smileVariance(slice, k[0] - 1e-9)).toBeUndefined()
    expect(smileVariance(slice, k[size - 1] + 1e-9)).toBeUndefined()
    expect(atmVolatility(slice)).toBeGreaterThan(0.19)
  })

  test.each([
    ['puts', PUT],
    ['calls', CALL]
  ])('with %s only has no volatility at the forward', (_, right) => {
    const oneSided = sliceOn(chainOf([series(month, { rights: [right] })]), month)
    expect(oneSided.points.size).toBeGreaterThan(10)
    expect(atmVolatility(oneSided)).toBeUndefined()
    expect(oneSided.interpolatedVariance).toBeUndefined()
  })
})

describe('where AM and PM series share a date', () => {
  const opex = '2026-09-18'
  const am = series(opex, { root: 'SPX', settlement: 'am' })
  const pm = series(opex, { root: 'SPXW', settlement: 'pm' })
  const rootOf = (chain: ReturnType<typeof chainOf>) => chain.expirations[sliceOn(chain, opex).at].root

  test('the one with more points stands for it', () => {
    const few = { strikes: ladder(90, 110, 1) }
    expect(rootOf(chainOf([am, { ...pm, ...few }]))).toBe('SPX')
    expect(rootOf(chainOf([{ ...am, ...few }, pm]))).toBe('SPXW')
  })

  test('the PM series does in a tie, and the date has one slice', () => {
    const chain = chainOf([am, pm])
    expect(slices(chain)).toHaveLength(1)
    expect(rootOf(chain)).toBe('SPXW')
    expect(sliceOf(chain, 0).t).toBeLessThan(sliceOf(chain, 1).t)
  })

  test('each slice says whose it is, and those of AM series are listed too', () => {
    const chain = chainOf([series('2026-08-28'), am, pm])
    const nameOf = ({ root, settlement, date }: Slice) => `${root} ${settlement} ${date}`
    expect(acceptedSlices(chain).map(nameOf)).toEqual([`TEST pm 2026-08-28`, `SPXW pm ${opex}`])
    expect(acceptedAmSlices(chain).map(nameOf)).toEqual([`SPX am ${opex}`])
    expect(acceptedAmSlices(chain)[0]).toBe(sliceOf(chain, 1))
    expect(acceptedAmSlices(chainOf([am])).map(nameOf)).toEqual([`SPX am ${opex}`])
    expect(acceptedAmSlices(chainOf([{ ...am, sigma: 2.5 }, pm]))).toEqual([])
    expect(acceptedAmSlices(chainOf([am, pm], { date: opex, time: '10:00' }))).toEqual([])
  })

  test('only the PM series is left once the AM one has settled', () => {
    const more = { ...am, strikes: ladder(60, 140, 0.5) }
    const chain = chainOf([more, pm], { date: opex, time: '10:00' })
    expect(rootOf(chain)).toBe('SPXW')
  })
})

test('every accepted slice passes what the wire contract asks of it', () => {
  for (const slice of acceptedSlices(chainOf([series('2026-08-05'), series(month)]))) {
    const iv = Math.sqrt(totalVariance(slice.svi, 0) / slice.t)
    const interpolated = Math.sqrt(slice.interpolatedVariance! / slice.t)
    expect(Math.abs(iv - interpolated)).toBeLessThanOrEqual(Math.max(0.005, 0.03 * interpolated))
    expect(slice.rms).toBeLessThanOrEqual(Math.max(0.015, 0.06 * iv))
    expect(slice.points.size).toBeGreaterThanOrEqual(6)
  }
})
