import { expect, test } from 'vitest'
import { netExposures } from '../../../src/exposure/net.ts'
import { liveScope } from '../../../src/exposure/scope.ts'
import { dealerRegimeSignal } from '../../../src/signals/strategies/dealer-regime-signal.ts'
import { chainOf, series } from '../../volatility/chains.ts'
import { read } from './reading.ts'

/** Calls held above spot and puts below, by side. */
const held = (calls: number, puts: number) =>
  chainOf([
    series('2026-08-07', {
      oi: (strike, right) => (right === 0 ? (strike > 100 ? calls : 0) : strike < 100 ? puts : 0)
    })
  ])

test('calls alone make positive gamma without a flip: a transition that leans up', () => {
  const { regime, score, figures, structures, verdict } = read(dealerRegimeSignal(held(900, 0), undefined))
  expect([figures.flip, regime, score, structures, verdict]).toEqual([undefined, 'transition', 50, [], 'neutral'])
})

test('puts alone lean down', () => {
  expect(read(dealerRegimeSignal(held(0, 900), undefined)).score).toBe(40)
})

test('well above its flip positive gamma compresses, and condors are sold', () => {
  const chain = held(2000, 900)
  const { regime, score, figures, structures, expiry } = read(dealerRegimeSignal(chain, undefined))
  const net = netExposures(liveScope(chain))
  expect([figures.gex, figures.dex, figures.vex, figures.chex]).toEqual([net.gex, net.dex, net.vex, net.chex])
  expect([regime, expiry]).toEqual(['positive_gamma_compression', '2026-08-07'])
  const walls = figures.putWall! <= 100 && 100 <= figures.callWall! ? 10 : 0
  expect(score).toBe(Math.round(55 + 25 * Math.min(1, figures.distance! / 3) + walls + (net.vex > 0 ? 10 : 0)))
  expect(structures.length).toBeGreaterThan(0)
  for (const { kind, legs } of structures) {
    expect(kind).toBe('iron_condor')
    expect(legs.map(({ action, right }) => `${action} ${right}`)).toEqual([
      'sell put',
      'buy put',
      'sell call',
      'buy call'
    ])
    const sold = legs.filter(({ action }) => action === 'sell').map(({ delta }) => Math.abs(delta))
    expect(sold.every((delta) => delta > 0.04 && delta < 0.36)).toBe(true)
  }
})

test('well below its flip negative gamma accelerates', () => {
  const { regime, score, figures, structures } = read(dealerRegimeSignal(held(900, 2000), undefined))
  expect([regime, structures]).toEqual(['negative_gamma_acceleration', []])
  expect(score).toBe(Math.round(35 * (1 - Math.min(1, -figures.distance! / 3))))
})

test('says what it lacks', () => {
  expect(dealerRegimeSignal(held(0, 0), undefined)).toMatchObject({ missing: 'open_interest', regime: 'transition' })
  const unquoted = chainOf([series('2026-08-07', { quote: () => [Number.NaN, Number.NaN], oi: 500 })])
  expect(dealerRegimeSignal(unquoted, undefined).missing).toBe('greeks')
  expect(dealerRegimeSignal(held(1, 1), '2026-08-08' as never).missing).toBe('expiration')
})
