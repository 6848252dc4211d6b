import { expect, test } from 'vitest'
import { tailPricingSignal } from '../../../src/signals/strategies/tail-pricing-signal.ts'
import { tailsOf } from '../../../src/volatility/smile/skew.ts'
import { chainOf, quotedWhere, series, sliceOn } from '../../volatility/chains.ts'
import { read } from './reading.ts'

const date = '2026-08-28'
const chainWith = (sigma: (strike: number) => number, keep: (strike: number) => boolean = () => true) =>
  chainOf([series(date, { sigma, quote: quotedWhere(keep) })])
const leaning = (slope: number) => (strike: number) => 0.2 - slope * Math.log(strike / 100)
const signal = (...of: Parameters<typeof chainWith>) => read(tailPricingSignal(chainWith(...of), undefined))

test('an expensive tail costs three tenths more than the money, and the score is its share of 0.60', () => {
  const chain = chainWith(leaning(1))
  const { put10, atm, call10 } = tailsOf(sliceOn(chain, date))!
  const { regime, figures, score } = read(tailPricingSignal(chain, undefined))
  expect((put10 - atm) / atm).toBeGreaterThan(0.3)
  expect([regime, figures.downside, figures.asymmetry]).toEqual(['expensive_tail', put10 - atm, put10 - call10!])
  expect(score).toBe(Math.round((100 * (put10 - atm)) / atm / 0.6))
})

test('tails alike are symmetric, and a put below the money is cheap', () => {
  expect(signal(leaning(0)).regime).toBe('symmetric_tail')
  const cheap = signal(leaning(-1))
  expect([cheap.regime, cheap.score]).toEqual(['cheap_tail', 0])
  expect(signal(leaning(0.7)).regime).toBe('symmetric_tail') // between cheap and expensive
})

test('without a call tail the downside alone decides', () => {
  // Too few strikes for a fit: the smile is read between its quotes, and none is quoted above 102.
  const few = (strike: number) => [88, 91, 94, 98, 102].includes(strike)
  const { figures, regime } = signal(leaning(1), few)
  expect([figures.call10, figures.asymmetry, regime]).toEqual([undefined, undefined, 'expensive_tail'])
})

test('nothing is said without a put tail, or of a date that is not live', () => {
  const few = (strike: number) => [97, 99, 101, 103].includes(strike)
  expect(tailPricingSignal(chainWith(leaning(0), few), undefined)).toMatchObject({
    missing: 'tenth_delta_put',
    regime: 'no_tail_data'
  })
  expect(
    tailPricingSignal(
      chainWith(leaning(0), () => false),
      undefined
    ).missing
  ).toBe('volatility')
  expect(tailPricingSignal(chainWith(leaning(0)), '2026-08-27' as never).missing).toBe('expiration')
})
