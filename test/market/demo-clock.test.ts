import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { demoClock, isMarketOpen } from '../../src/market/clock.ts'

const at = (wall: string) => new Date(demoClock(() => Date.parse(wall))()).toISOString()

describe('the demonstration clock', () => {
  test('is the wall clock while the market is open', () => {
    expect(at('2026-07-29T15:04:05.678Z')).toBe('2026-07-29T15:04:05.678Z')
  })

  test('runs the latest session again from its opening once it is over, and again after that', () => {
    expect(at('2026-07-29T20:00:00Z')).toBe('2026-07-29T13:30:00.000Z')
    expect(at('2026-07-29T21:15:00Z')).toBe('2026-07-29T14:45:00.000Z')
    expect(at('2026-07-30T02:30:00Z')).toBe('2026-07-29T13:30:00.000Z')
  })

  test('runs the Friday session on a weekend, and the short one after a half day', () => {
    expect(at('2026-08-01T13:30:00Z').slice(0, 10)).toBe('2026-07-31')
    expect(at('2026-11-27T18:00:00Z')).toBe('2026-11-27T14:30:00.000Z')
  })

  test('always stands in an open market, not after the present', () => {
    const moments = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2028-01-01') })
    fc.assert(
      fc.property(moments, (wall) => {
        const moment = demoClock(() => wall)()
        return isMarketOpen(moment) && moment <= wall
      }),
      { numRuns: 500 }
    )
  })
})
