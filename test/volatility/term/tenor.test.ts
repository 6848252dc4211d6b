import { describe, expect, test } from 'vitest'
import { yearsToExpiry } from '../../../src/market/clock.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { acceptedSlices } from '../../../src/volatility/smile/slice.ts'
import { atmVolatility } from '../../../src/volatility/smile/smile-volatility.ts'
import { tenorVolatility } from '../../../src/volatility/term/tenor.ts'
import { chainOf, quotedWhere, series } from '../chains.ts'

// Wednesday 2026-07-29: these expire in 7, 30 and 170 days.
const chain = chainOf([
  series('2026-08-05', { sigma: 0.3 }),
  series('2026-08-28'),
  series('2027-01-15', { sigma: 0.18 })
])
const [week, month, half] = acceptedSlices(chain)
const shareLeft = 5 / 6.5
const years = (days: number) => (days - 1 + shareLeft) / 365 + 1 / 252

describe('the volatility of a tenor', () => {
  test('that is listed is that of its own slice', () => {
    for (const slice of [week, month, half]) expect(tenorVolatility(chain, slice.days)).toBe(atmVolatility(slice))
  })

  test('between two slices follows from total variance linear in time', () => {
    for (const [days, low, high] of [
      [14, week, month],
      [60, month, half],
      [90, month, half]
    ] as const) {
      const t = years(days)
      const variance = (slice: typeof low) => atmVolatility(slice)! ** 2 * slice.t
      const share = (t - low.t) / (high.t - low.t)
      const w = variance(low) * (1 - share) + variance(high) * share
      expect(tenorVolatility(chain, days)).toBeCloseTo(Math.sqrt(w / t), 12)
    }
  })

  test('beyond the outermost slices is theirs while their time is within a factor of two', () => {
    expect(tenorVolatility(chain, 4)).toBe(atmVolatility(week))
    expect(week.t / years(2)).toBeGreaterThan(2)
    expect(tenorVolatility(chain, 2)).toBeUndefined()
    expect(tenorVolatility(chain, 335)).toBe(atmVolatility(half))
    expect(tenorVolatility(chain, 345)).toBeUndefined()
  })

  test('does not look at what expires today', () => {
    const today = chainOf([series('2026-07-29', { sigma: 0.5 }), series('2026-08-28')])
    expect(tenorVolatility(today, 0)).toBeUndefined()
    expect(tenorVolatility(today, 20)).toBe(atmVolatility(acceptedSlices(today).at(-1)!))
  })

  test('does not exist without an accepted slice', () => {
    expect(tenorVolatility(chainOf([series('2026-08-28', { quote: quotedWhere(() => false) })]), 30)).toBeUndefined()
  })
})

describe('where no fit reaches the tenor', () => {
  // Four strikes are too few for a fit and enough for a market smile.
  const thin = (date: string, sigma: number) => series(date, { sigma, strikes: [94, 98, 102, 106] })

  test('market smiles stand in, interpolated in total variance', () => {
    const chain = chainOf([thin('2026-08-14', 0.2), thin('2026-09-18', 0.3)])
    expect(acceptedSlices(chain)).toEqual([])
    const [near, far, wanted] = ['2026-08-14', '2026-09-18', '2026-08-28'].map((date) =>
      yearsToExpiry(chain.asOf, date as IsoDate, 'pm')
    )
    const variance = 0.04 * near + ((0.09 * far - 0.04 * near) * (wanted - near)) / (far - near)
    expect(tenorVolatility(chain, 30)).toBeCloseTo(Math.sqrt(variance / wanted), 3)
    expect(tenorVolatility(chain, 16)).toBeCloseTo(0.2, 3)
  })

  test('fits that do reach it decide alone', () => {
    const fitted = [series('2026-08-14', { sigma: 0.2 }), series('2026-09-18', { sigma: 0.3 })]
    const alone = tenorVolatility(chainOf(fitted), 30)
    expect(tenorVolatility(chainOf([fitted[0], thin('2026-08-28', 0.5), fitted[1]]), 30)).toBe(alone)
  })
})
