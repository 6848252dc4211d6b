import { expect, test } from 'vitest'
import { closeOfBar } from '../../src/market/bar.ts'
import { type IsoDate, isoInstant } from '../../src/market/units.ts'

const closeOn = (date: string) => {
  const price = { open: 1, high: 1, low: 1, close: 1, volume: 0 }
  return isoInstant(closeOfBar({ date: date as IsoDate, ...price }))
}

test('a bar closes with its session: at 16:00 New York, at 13:00 on a half day', () => {
  expect(closeOn('2026-07-29')).toMatch(/^2026-07-29T20:00:00/)
  expect(closeOn('2026-11-27')).toMatch(/^2026-11-27T18:00:00/)
})

test('a bar of a day without a session closes at 16:00 New York', () => {
  expect(closeOn('2026-08-01')).toMatch(/^2026-08-01T20:00:00/)
})
