import { describe, expect, test } from 'vitest'
import { referenceSlice, referenceSmile, referenceVolatility } from '../../src/volatility/reference-slice.ts'
import { atmVolatility } from '../../src/volatility/smile.ts'
import { ladder } from '../support/hand-made.ts'
import { chainOf, leaning, quotedWhere, series } from './chains.ts'

const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)
const today = series('2026-07-29', { strikes: ladder(96, 104, 0.5), sigma: 0.3 })
const week = series('2026-08-05')
const month = series('2026-08-28')

describe('the reference slice', () => {
  test('is the nearest accepted one a day away or more', () => {
    expect(referenceSlice(chainOf([today, week, month]))?.date).toBe('2026-08-05')
    expect(referenceSlice(chainOf([today, { ...week, sigma: wild }, month]))?.date).toBe('2026-08-28')
  })

  test('is that of today where no other is accepted', () => {
    const chain = chainOf([today, { ...week, sigma: wild }])
    expect(referenceSlice(chain)?.date).toBe('2026-07-29')
    expect(referenceVolatility(chain)).toBeCloseTo(0.3, 2)
  })

  test('does not exist without an accepted slice; the volatility is then interpolated, not that of today first', () => {
    const chain = chainOf([
      { ...today, sigma: (k) => 0.3 + (k % 1 === 0 ? 0.2 : 0) },
      { ...month, sigma: wild }
    ])
    expect(referenceSlice(chain)).toBeUndefined()
    expect(referenceSmile(chain)?.date).toBe('2026-08-28')
    expect(referenceVolatility(chain)).toBe(atmVolatility(referenceSmile(chain)!))
  })

  test('and the volatility do not exist without quotes', () => {
    const chain = chainOf([{ ...month, quote: quotedWhere(() => false) }])
    expect(referenceSmile(chain)).toBeUndefined()
    expect(referenceVolatility(chain)).toBeUndefined()
  })
})
