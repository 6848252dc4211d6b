import { describe, expect, test } from 'vitest'
import { inverseNormal } from '../../../src/math/normal.ts'
import { skewProfiles, smileSkew } from '../../../src/volatility/smile/skew.ts'
import { totalVariance } from '../../../src/volatility/svi/svi.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, leaning, series, sliceOn } from '../chains.ts'
import { acceptedOf, flat } from '../generated.ts'

const svi = { a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }

describe('the skew of a slice', () => {
  const slice = acceptedOf(svi, 0.25)
  const skew = smileSkew(slice)!

  test('reads the smile at the moneyness that stands for each delta', () => {
    const s = Math.sqrt(totalVariance(svi, 0))
    const at = (k: number) => 100 * Math.sqrt(totalVariance(svi, k) / 0.25)
    expect(skew.put25).toBeCloseTo(at(-0.6745 * s), 12)
    expect(skew.call25).toBeCloseTo(at(0.6745 * s), 12)
    expect(skew.put10).toBeCloseTo(at(-1.2816 * s), 12)
    expect(skew.call10).toBeCloseTo(at(1.2816 * s), 12)
    expect(-inverseNormal(0.25)!).toBeCloseTo(0.6745, 4)
    expect(-inverseNormal(0.1)!).toBeCloseTo(1.2816, 4)
  })

  test('has its differences from these', () => {
    expect(skew.skew25).toBeCloseTo(skew.put25 - skew.call25, 12)
    expect(skew.riskReversal25).toBeCloseTo(-skew.skew25, 12)
    expect(skew.smileRatio).toBeCloseTo(skew.put25 / skew.call25, 12)
    expect(skew.butterfly25).toBeCloseTo((skew.put25 + skew.call25) / 2 - skew.atm, 12)
    expect(skew.tailConvexity).toBeCloseTo(skew.put10 - 2 * skew.put25 + skew.atm, 12)
    expect(skew.skew25).toBeGreaterThan(0)
  })

  test('is nothing on a flat smile', () => {
    const level = smileSkew(acceptedOf(flat(0.2, 0.25), 0.25))!
    expect(level.atm).toBeCloseTo(20, 12)
    for (const figure of [level.skew25, level.butterfly25, level.tailConvexity]) expect(figure).toBeCloseTo(0, 12)
    expect(level.smileRatio).toBeCloseTo(1, 12)
  })
})

describe('an expiration without a fitted smile', () => {
  const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)

  test('has the skew of its interpolated one', () => {
    const slice = sliceOn(chainOf([series('2026-08-28', { sigma: wild })]), '2026-08-28')
    expect(slice.svi).toBeUndefined()
    expect(smileSkew(slice)!.skew25).toBeGreaterThan(0)
  })

  test('is left out where its points do not reach the 10-delta strikes', () => {
    const month = series('2026-08-28')
    // One deviation to August 28th is 5.7 %: these strikes end at 1.05 of them.
    const narrow = series('2026-08-31', { sigma: wild, strikes: ladder(94, 106, 0.5) })
    const chain = chainOf([month, narrow])
    expect(smileSkew(sliceOn(chain, '2026-08-31'))).toBeUndefined()
    expect(skewProfiles(chain).map(({ slice }) => slice.date)).toEqual(['2026-08-28'])
  })
})
