import { describe, expect, test } from 'vitest'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import { normalCdf } from '../../../src/math/normal.ts'
import { type YieldTerms, yieldEnhancementSignal } from '../../../src/signals/strategies/yield-enhancement-signal.ts'
import { yieldReasons } from '../../../src/wording/strategy-reasons.ts'
import { recordOf, sessionsBefore } from '../../support/made-up-records.ts'
import { chainOf, series } from '../../volatility/chains.ts'
import { read } from './reading.ts'

const terms: YieldTerms = { kind: 'covered_call', targetDelta: 0.25, minOpenInterest: 0, avoidsEarnings: true }
const chain = chainOf([series('2026-07-29'), series('2026-08-28', { oi: 2000 }), series('2026-09-18')])
const none = { records: [], earnings: undefined }
const signal = (change: Partial<YieldTerms> = {}, history: Parameters<typeof yieldEnhancementSignal>[2] = none) =>
  read(yieldEnhancementSignal(chain, undefined, history, { ...terms, ...change }))

describe('a covered call', () => {
  const { figures, score, structures, regime, expiry, sample, risks } = signal()
  const pick = figures.pick!

  test('is sold above spot, on the expiration nearest to 30 days', () => {
    expect([regime, expiry, figures.days]).toEqual(['covered_call_income', '2026-08-28', 30])
    expect([pick.strike > chain.spot, structures[0].legs[0].strike]).toEqual([true, pick.strike])
    expect(pick.annualYield).toBeCloseTo((pick.premium / chain.spot) * (365 / 30) * 100, 10)
    expect(pick.breakeven).toBeCloseTo(chain.spot - pick.premium, 12)
    expect(pick.surrendered).toBeCloseTo((100 * (pick.strike - chain.spot)) / chain.spot, 12)
    expect(pick.roll).toMatchObject({ expiry: '2026-09-18' })
    const { start, end } = chain.expirations[1]
    let candidates = 0
    for (let i = start; i < end; i += 2) {
      if (chain.strike[i] > chain.spot && Math.abs(chain.delta[i] - 0.25) <= 0.1) candidates++
    }
    expect(sample).toBe(candidates / 5)
  })

  test('has a score of yield, delta, liquidity and rank', () => {
    const [leg] = structures[0].legs
    const liquidity = 0.7 * Math.exp(-leg.spread / 5) + 0.3
    const near = 1 - Math.abs(leg.delta - 0.25) / 0.1
    expect(score).toBe(
      Math.round(100 * (0.35 * Math.min(1, pick.annualYield / 25) + 0.25 * near + 0.2 * liquidity + 0.2 * 0.5))
    )
  })

  test('is called away with a chance of N(d2)', () => {
    const at = chain.expirations.findIndex(({ date }) => date === '2026-08-28')
    const { forward, t } = chain.carries[at]
    const s = structures[0].legs[0].sigma * Math.sqrt(t)
    expect(pick.assignment).toBeCloseTo(normalCdf((Math.log(forward / pick.strike) - (s * s) / 2) / s), 12)
  })

  test('is flagged where no dividend is known, or one goes ex before the expiration', () => {
    expect(risks).toEqual(['EX_DIVIDEND_RISK_NOT_MODELED'])
    const paying = (exDate: string) => ({
      ...chain,
      dividends: [{ exDate: exDate as IsoDate, amount: 0.5, knownFrom: 0 }]
    })
    const paid = (exDate: string) => read(yieldEnhancementSignal(paying(exDate), undefined, none, terms))
    expect(paid('2026-08-28')).toMatchObject({
      risks: ['EX_DIVIDEND_BEFORE_EXPIRY'],
      figures: { dividends: [{ exDate: '2026-08-28', amount: 0.5 }] }
    })
    expect(paid('2026-08-29')).toMatchObject({ risks: [], figures: { dividends: [] } })
  })
})

test('the expiration is the one nearest to 30 days within 20 to 45, and the asked one where one is asked', () => {
  const expiryOf = (dates: readonly string[], asked?: string) => {
    const listed = chainOf(dates.map((date) => series(date, { oi: 2000 })))
    const found = yieldEnhancementSignal(listed, asked as IsoDate | undefined, none, terms)
    return 'expiry' in found ? found.expiry : found.missing
  }
  // Days from 2026-07-29: 1, 7, 19, 20, 29, 31, 45 and 46.
  expect(expiryOf(['2026-07-30', '2026-08-05', '2026-08-27', '2026-08-29'])).toBe('2026-08-27')
  expect(expiryOf(['2026-07-30', '2026-08-17', '2026-08-18'])).toBe('2026-08-18')
  expect(expiryOf(['2026-07-30', '2026-09-12', '2026-09-13'])).toBe('2026-09-12')
  expect(expiryOf(['2026-07-30', '2026-08-17', '2026-09-13'])).toBe('income_expiration')
  expect(expiryOf(['2026-07-30', '2026-08-28'], '2026-07-30')).toBe('2026-07-30')
})

test('no call on an index is covered, since nobody can own one, while a put on it is secured by cash', () => {
  const index = { ...chain, symbol: 'SPX' as Ticker }
  const covered = read(yieldEnhancementSignal(index, undefined, none, terms))
  expect([covered.regime, covered.verdict, covered.structures]).toEqual(['no_yield_candidate', 'avoid', []])
  expect(yieldReasons(covered.figures).why.join(' ')).toContain('Nobody can own an index')
  const secured = read(yieldEnhancementSignal(index, undefined, none, { ...terms, kind: 'cash_secured_put' }))
  expect(secured.regime).toBe('cash_secured_put_income')
})

test('known dividends are named by date and amount', () => {
  const dividends = [{ exDate: '2026-08-12' as IsoDate, amount: 0.52, knownFrom: 0 }]
  const { figures } = read(yieldEnhancementSignal({ ...chain, dividends }, undefined, none, terms))
  expect(yieldReasons(figures).avoidIf).toContain('The stock goes ex a dividend of 0.52 on 2026-08-12.')
})

test('a cash-secured put is sold below spot and gives up no upside', () => {
  const { figures, regime, risks } = signal({ kind: 'cash_secured_put' })
  const pick = figures.pick!
  expect([regime, risks, pick.surrendered, pick.strike < chain.spot]).toEqual([
    'cash_secured_put_income',
    [],
    undefined,
    true
  ])
  expect(pick.annualYield).toBeCloseTo((pick.premium / pick.strike) * (365 / 30) * 100, 10)
  expect(pick.breakeven).toBeCloseTo(pick.strike - pick.premium, 12)
})

test('a report before the expiration costs 25 points unless that is not minded', () => {
  const plain = signal().score
  const reported = { records: [], earnings: ['2026-08-04' as IsoDate] }
  expect(plain - signal({}, reported).score).toBe(25)
  expect(signal({ avoidsEarnings: false }, reported).score).toBe(plain)
  expect(signal({}, reported).figures).toMatchObject({
    nextEarnings: '2026-08-04',
    daysToEarnings: 6,
    earningsBefore: true
  })
})

test('the rank of volatility takes the place of a half', () => {
  const past = sessionsBefore('2026-07-29' as IsoDate, 12).map((date, k) => recordOf(date, { atmIv: 50 + k }))
  const low = signal({}, { records: past, earnings: undefined })
  expect(low.figures.ivRank).toBe(0)
  expect(signal().score - low.score).toBe(10)
})

test('the pick stands first and no other has more edge', () => {
  for (const targetDelta of [0.1, 0.2, 0.3, 0.4]) {
    const { structures, figures } = signal({ targetDelta })
    expect(structures[0].legs[0].strike).toBe(figures.pick!.strike)
    expect(structures.every(({ edgeScore }) => edgeScore <= structures[0].edgeScore)).toBe(true)
  }
})

test('without a candidate it is avoided, and without a chain nothing is said', () => {
  const { regime, score, verdict, figures, structures } = signal({ minOpenInterest: 9999 })
  expect([regime, score, verdict, figures.pick, structures]).toEqual(['no_yield_candidate', 0, 'avoid', undefined, []])
  expect(yieldEnhancementSignal(chain, '2026-07-29' as IsoDate, none, terms)).toMatchObject({
    regime: 'no_yield_candidate',
    missing: 'expiration'
  })
})
