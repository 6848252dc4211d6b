import { expect, test } from 'vitest'
import { skewSignal } from '../../../src/signals/strategies/skew-signal.ts'
import { quarterSkewOf } from '../../../src/volatility/smile/skew.ts'
import { chainOf, quotedWhere, series, sliceOn } from '../../volatility/chains.ts'
import { read } from './reading.ts'

const date = '2026-08-28'
/** A smile that falls by `slope` vol points over 10 % of strike around 100. */
const falling = (slope: number) => chainOf([series(date, { sigma: (strike) => 0.2 - slope * Math.log(strike / 100) })])

test('puts that cost more lean to puts, and the score is the gap over volatility at the money', () => {
  const chain = falling(0.3)
  const { figures, score, regime, sample } = read(skewSignal(chain, undefined))
  const { atm, put25, call25 } = quarterSkewOf(sliceOn(chain, date))!
  expect(regime).toBe('put_skew')
  expect(figures).toMatchObject({ dominantWing: 'put', expiry: date, days: 30, riskReversal: call25 - put25 })
  expect(score).toBe(Math.round((100 * (put25 - call25)) / atm / 0.4))
  // The slope that the smile was made with, in vol points per 10 % of log-moneyness.
  expect(figures.slope).toBeCloseTo(3, 1)
  expect(sample).toBe(1)
})

test('calls that cost more lean to calls; a smile without a lean is flat', () => {
  expect(read(skewSignal(falling(-0.3), undefined)).regime).toBe('call_skew')
  const flat = read(skewSignal(falling(0), undefined))
  expect([flat.regime, flat.figures.dominantWing, flat.score]).toEqual(['flat_skew', 'none', 0])
})

test('nothing is said without both wings, or of a date that is not live', () => {
  const centre = quotedWhere((strike) => Math.abs(strike - 100) <= 2)
  expect(skewSignal(chainOf([series(date, { quote: centre })]), undefined).missing).toBe('quarter_delta_wings')
  expect(skewSignal(falling(0), '2026-08-27' as never)).toMatchObject({ missing: 'expiration', regime: 'no_skew_data' })
})
