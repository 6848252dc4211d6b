import { describe, expect, test } from 'vitest'
import { QUALITY_FLOOR } from '../../src/facts/quality-floor.ts'
import type { Chain } from '../../src/market/chain.ts'
import { MILLISECONDS_PER_HOUR } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { chainQuality } from '../../src/quality/chain-quality.ts'
import { type CheckId, checkIds, qualityScore } from '../../src/quality/quality-check.ts'
import {
  deepStrikes,
  withoutBids,
  withoutInterest,
  withoutQuotes,
  withPricesTimes,
  withSpot,
  withStrikesTimes,
  withUnknownInterest
} from '../support/altered-chains.ts'
import { priced, recordedMarket, syntheticMarket } from '../support/markets.ts'
import { slowChecks } from './slow-checks.ts'

// Chains of the synthetic source and recorded ones, as they are and altered so that they contradict themselves.

interface Case {
  readonly name: string
  readonly chain: Chain
  readonly prior: Chain | undefined
}

const synthetic = await Promise.all(
  [
    ['QQQ', '2026-06-10', '10:31:17'],
    ['AAPL', '2026-06-11', '18:00']
  ].map(async ([symbol, date, time]): Promise<Case> => {
    const { chain, prior } = await syntheticMarket(symbol, date, time)
    return { name: `synthetic ${symbol}`, chain, prior }
  })
)
const recorded = await recordedMarket('SPY', '2026-07-29', '2026-07-28')
const liquid: readonly Case[] = recorded === undefined ? synthetic : [...synthetic, recorded]
const penny = await syntheticMarket('TLRY', '2026-06-15', '13:00')
const volatility = await syntheticMarket('VIX', '2026-06-15', '13:00')

function assess(chain: Chain, prior?: Chain) {
  const { checks, deducted } = chainQuality(priced(chain, defaultAssumptions), prior)
  const stateOf = (id: CheckId) => checks.find((check) => check.id === id)!.state
  return { score: qualityScore(deducted), stateOf, checks }
}

describe.each(liquid)('$name', ({ chain, prior }) => {
  test('scores over 95 as it is, with its prior close and without', () => {
    expect(assess(chain, prior).score).toBeGreaterThan(95)
    expect(assess(chain).score).toBeGreaterThan(95)
  })

  test.each([0.0001, 0.1, 0.5, 0.95, 1.05, 2, 10])('scores under 20 with its spot times %d', (factor) => {
    const { score, stateOf } = assess(withSpot(chain, factor), prior)
    expect(score).toBeLessThan(20)
    expect(stateOf('spot')).toBe('failed')
  })

  test.each([
    ['strikes times 1000', (one: Chain) => withStrikesTimes(one, 1000)],
    ['strikes and spot times 1000', (one: Chain) => withSpot(withStrikesTimes(one, 1000), 1000)],
    ['option prices times 100', (one: Chain) => withPricesTimes(one, 100)],
    ['the strikes 30 % and more from spot alone', (one: Chain) => deepStrikes(one, 0.3)],
    ['the strikes 10 % and more from spot alone', (one: Chain) => deepStrikes(one, 0.1)]
  ])('scores under 20 with %s', (_, altered) => {
    const { score, stateOf } = assess(altered(chain), prior)
    expect(score).toBeLessThan(20)
    expect(stateOf('scale')).toBe('failed')
  })

  test('scores under 20 with the options of another symbol', () => {
    const other = synthetic.find((one) => one.chain.symbol !== chain.symbol)!.chain
    const { symbol, spot, quote, asOf } = chain
    expect(assess({ ...other, symbol, spot, quote, asOf }, prior).score).toBeLessThan(20)
  })

  test.each([
    ['without open interest', withoutInterest, 'failed'],
    ['with unknown open interest', withUnknownInterest, 'not_checkable']
  ] as const)('scores below the floor %s', (_, altered, state) => {
    const { score, stateOf } = assess(altered(chain))
    expect(score).toBeLessThan(QUALITY_FLOOR)
    expect(stateOf('open_interest')).toBe(state)
  })

  test.each([
    ['half of its sides', (one: Chain) => withoutBids(one, (i) => i % 2 === 1)],
    ['all bids', (one: Chain) => withoutBids(one, () => true)],
    ['all quotes', withoutQuotes]
  ])('scores below the floor without %s while quotes are due', (_, altered) => {
    const { score, stateOf } = assess(altered(chain), prior)
    expect(score).toBeLessThan(QUALITY_FLOOR)
    expect([stateOf('spot'), stateOf('parity')]).toEqual(['not_checkable', 'not_checkable'])
  })

  test('scores well above the floor at night without bids, unless its asks contradict its spot', () => {
    const asOf = chain.asOf + 12 * MILLISECONDS_PER_HOUR
    const night = { ...withoutBids(chain, () => true), asOf }
    expect(assess(night).score).toBeGreaterThan(QUALITY_FLOOR + 20)
    expect(assess(withSpot(night, 0.5)).score).toBeLessThan(20)
  })

  test('loses what its check says where open interest is another', () => {
    if (prior === undefined) return
    const tenfold = { ...chain, openInterest: chain.openInterest.map((count) => 10 * count) }
    expect(assess(tenfold, prior).stateOf('settlement')).toBe('failed')
    expect(assess(chain, prior).stateOf('settlement')).toBe('passed')
  })
})

test('frozen quotes cost in a session, whose own close they equal', () => {
  const [{ chain }] = synthetic
  const { score, stateOf } = assess(chain, chain)
  expect([stateOf('frozen_quotes'), stateOf('open_interest_date')]).toEqual(['failed', 'failed'])
  expect(score).toBe(100 - 30 - 20)
})

test('a missing time of the underlying is said, and an impossible one costs', () => {
  const [{ chain }] = synthetic
  const dated = (time: number) => assess({ ...chain, quote: { ...chain.quote, time } })
  expect(dated(Number.NaN).stateOf('quote_times')).toBe('not_checkable')
  expect([dated(chain.asOf - 3_000_000).score, dated(chain.asOf + 120_000).score]).toEqual([95, 85])
})

test('a penny stock without a strike within a tenth of spot stays well above the floor', () => {
  expect(assess(penny.chain, penny.prior).score).toBeGreaterThan(QUALITY_FLOOR + 20)
  expect(assess(withSpot(penny.chain, 0.5), penny.prior).score).toBeLessThan(20)
})

test('a volatility index is compared with its futures', () => {
  expect(assess(volatility.chain, volatility.prior).score).toBeGreaterThan(95)
  for (const factor of [0.1, 0.5, 10]) expect(assess(withSpot(volatility.chain, factor)).score).toBeLessThan(20)
})

test('one expiration of a chain is enough', () => {
  const [{ chain }] = synthetic
  const week = chain.expirations[3]
  const part = { ...deepStrikes(chain, -1), expirations: [week] }
  expect(assess(part).score).toBeGreaterThan(95)
})

test('each check of identity, open interest and times is what a slow reading of the rows gives', () => {
  const changes = [
    (one: Chain) => one,
    (one: Chain) => withSpot(one, 1.012),
    (one: Chain) => withSpot(one, 0.5),
    (one: Chain) => withStrikesTimes(one, 1000),
    (one: Chain) => deepStrikes(one, 0.1),
    (one: Chain) => ({ ...one, openInterest: one.openInterest.map((count, i) => (i % 12 === 0 ? count : 0)) }),
    (one: Chain) => ({ ...one, bid: one.bid.map((bid) => 0.9 * bid), ask: one.ask.map((ask) => 1.1 * ask) })
  ]
  for (const { name, chain, prior } of [...liquid, penny]) {
    for (const [k, change] of changes.entries()) {
      const altered = change(chain)
      const found = assess(altered, prior)
      for (const [id, { value, deduction }] of Object.entries(slowChecks(altered, prior))) {
        const check = found.checks.find((one) => one.id === id)!
        const at = `${id} of ${name}, change ${k}`
        expect(check.deduction, at).toBe(deduction)
        if (value === undefined) expect(check.value, at).toBeUndefined()
        else expect(check.value, at).toBeCloseTo(value, 6)
      }
    }
  }
})

test('every check has its place', () => {
  const [{ chain, prior }] = synthetic
  expect(assess(chain, prior).checks.map(({ id }) => id)).toEqual(checkIds.slice(1))
})
