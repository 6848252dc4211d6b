import { describe, expect, test } from 'vitest'
import { type BarResolution, barEnd, barStart, flowBars, resolutions } from '../../../src/flow/windows/price-bars.ts'
import type { FlowBucket } from '../../../src/flow/windows/window-buckets.ts'
import { easternDateTime } from '../../../src/market/eastern.ts'

const at = (text: string) => Date.parse(text)
const shown = (instant: number) => new Date(instant).toISOString().slice(0, 19)

describe('a bar begins', () => {
  test.each<[BarResolution, string]>([
    ['1s', '2026-07-29T14:17:42'],
    ['1m', '2026-07-29T14:17:00'],
    ['5m', '2026-07-29T14:15:00'],
    ['15m', '2026-07-29T14:15:00'],
    ['30m', '2026-07-29T14:00:00'],
    ['1h', '2026-07-29T14:00:00'],
    ['4h', '2026-07-29T12:00:00']
  ])('of %s at a multiple of its length from midnight in New York', (resolution, start) => {
    expect(shown(barStart(at('2026-07-29T14:17:42.900Z'), resolution))).toBe(start)
  })

  test.each([
    '2026-07-29',
    '2026-12-09',
    '2026-03-08',
    '2026-11-01'
  ])('of 4h at 00, 04, 08, 12, 16 and 20 New York on %s, and the one before ends there', (date) => {
    const noon = at(`${date}T17:00:00Z`)
    const starts = new Set<number>()
    for (let minute = -1440; minute <= 1440; minute++) starts.add(barStart(noon + 60_000 * minute, '4h'))
    const ordered = [...starts].sort((a, b) => a - b)
    const hours = ordered.map((start) => easternDateTime(start).slice(11, 16))
    expect(new Set(hours)).toEqual(new Set(['00:00', '04:00', '08:00', '12:00', '16:00', '20:00']))
    expect(ordered.slice(0, -1).map((start) => barEnd(start, '4h'))).toEqual(ordered.slice(1))
  })

  test('and holds its own moment, whatever the day and the resolution', () => {
    for (const day of ['2026-03-07', '2026-03-08', '2026-07-29', '2026-10-31', '2026-11-01']) {
      for (let minute = 0; minute < 1440; minute += 7) {
        const instant = at(`${day}T00:00:11Z`) + 60_000 * minute
        for (const resolution of resolutions) {
          const start = barStart(instant, resolution)
          expect(start).toBeLessThanOrEqual(instant)
          expect(barEnd(start, resolution)).toBeGreaterThan(instant)
          expect(barStart(start, resolution)).toBe(start)
        }
      }
    }
  })
})

test('the bar in which clocks are set forward takes three hours, the one in which they are set back five', () => {
  expect(barEnd(at('2026-03-08T05:00:00Z'), '4h') - at('2026-03-08T05:00:00Z')).toBe(3 * 3_600_000)
  expect(barEnd(at('2026-11-01T04:00:00Z'), '4h') - at('2026-11-01T04:00:00Z')).toBe(5 * 3_600_000)
})

test('bars take their sums, extremes, first and last prices from the buckets in them', () => {
  const base = { other: 0, trades: 1, boughtMoney: 0, soldMoney: 0, sold: 0 }
  const bucket = (start: string, price: number, size: number): FlowBucket => ({
    ...base,
    start: at(start),
    bought: size,
    biggest: size,
    money: price * size,
    pricedSize: size,
    ...{ high: price, low: price, open: price, close: price }
  })
  const unpriced = { ...bucket('2026-07-29T14:04:00Z', 1, 9), money: 0, pricedSize: 0 }
  const silent: FlowBucket = { ...unpriced, high: undefined, low: undefined, open: undefined, close: undefined }
  const given = [
    bucket('2026-07-29T14:01:00Z', 50, 2),
    bucket('2026-07-29T14:02:00Z', 70, 3),
    bucket('2026-07-29T14:03:00Z', 40, 1),
    silent,
    bucket('2026-07-29T14:16:00Z', 60, 4)
  ]
  const [first, second] = flowBars(given, '5m')
  expect(first).toEqual({
    ...base,
    start: at('2026-07-29T14:00:00Z'),
    end: at('2026-07-29T14:05:00Z'),
    bought: 15,
    trades: 4,
    biggest: 9,
    money: 100 + 210 + 40,
    pricedSize: 6,
    ...{ high: 70, low: 40, open: 50, close: 40 }
  })
  expect(shown(second.start)).toBe('2026-07-29T14:15:00')
})
