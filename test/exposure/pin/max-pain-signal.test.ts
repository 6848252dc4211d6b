import { expect, test } from 'vitest'
import { maxPainByExpiration, painDistance } from '../../../src/exposure/pin/max-pain-signal.ts'
import { datesOf, liveScope } from '../../../src/exposure/scope.ts'
import { sketched } from '../../support/hand-made.ts'
import { priced } from '../../support/markets.ts'

test('max pain 5 percent away is a signal toward it', () => {
  expect(painDistance(100, 106)).toEqual({ absolute: 6, percent: 6, direction: 'below', signal: 'bullish' })
  expect(painDistance(100, 95)).toEqual({ absolute: 5, percent: 5, direction: 'above', signal: 'bearish' })
  expect(painDistance(100, 96)).toEqual({ absolute: 4, percent: 4, direction: 'above', signal: 'neutral' })
})

test('less than half a cent away spot is at max pain', () => {
  expect(painDistance(100, 100.004)).toMatchObject({ direction: 'at', signal: 'neutral' })
  expect(painDistance(100, 100.006).direction).toBe('below')
})

test('each expiration with open interest has its own max pain', () => {
  const held = (at: number) => (strike: number) => (strike === at ? 10 : 0)
  const chain = priced(
    sketched({
      date: '2026-07-29',
      time: '11:00',
      spot: 100,
      series: [
        { date: '2026-08-05', strikes: [95, 100, 105], oi: held(105) },
        { date: '2026-08-12', strikes: [95, 100, 105], oi: 0 },
        { date: '2026-08-28', strikes: [95, 100, 105], oi: held(95) }
      ]
    })
  )
  expect(maxPainByExpiration(chain, datesOf(liveScope(chain)))).toEqual([
    { date: '2026-08-05', days: 7, strike: 105, openInterest: 20 },
    { date: '2026-08-28', days: 30, strike: 95, openInterest: 20 }
  ])
})
