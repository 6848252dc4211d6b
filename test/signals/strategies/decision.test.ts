import { describe, expect, test } from 'vitest'
import { liveScope } from '../../../src/exposure/scope.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import { decisionOf, uncovered } from '../../../src/signals/strategies/decision.ts'
import { chosenExpiry, expiryAfter, tradedExpiry } from '../../../src/signals/strategies/expiry-choice.ts'
import { spotPosition } from '../../../src/signals/strategies/gamma-setting.ts'
import type { RankedStructure } from '../../../src/signals/strategies/ranking.ts'
import { signalQuality } from '../../../src/signals/strategies/signal-quality.ts'
import { type SignalReading, scoreOf, verdictOf } from '../../../src/signals/strategies/strategy-assessment.ts'
import { ladder } from '../../support/hand-made.ts'
import { chainOf, series } from '../../volatility/chains.ts'

const date = (text: string) => text as IsoDate
const expiry = date('2026-08-28')
const chain = chainOf([series(expiry, { strikes: ladder(90, 110, 1) })]) // Wednesday 2026-07-29, 11:00
const scope = liveScope(chain)
const now = chain.asOf
const later = (seconds: number) => ({ now: now + 1000 * seconds, delay: 0, sessions: undefined })

test('a score is a whole number of its range, and its verdict follows from 70 and 40', () => {
  expect([scoreOf(69.5), scoreOf(-3), scoreOf(140), scoreOf(80, 39)]).toEqual([70, 0, 100, 39])
  expect([70, 69, 40, 39].map(verdictOf)).toEqual(['candidate', 'neutral', 'neutral', 'avoid'])
})

describe('data quality', () => {
  const quality = (at: Parameters<typeof signalQuality>[1], of = scope) => signalQuality(of, at)
  const nothing = { score: 100, warnings: [] }

  test('is full for fresh two-sided quotes of a chain that is held', () => {
    expect(quality(later(0))).toEqual(nothing)
    expect(quality(later(60))).toEqual(nothing)
  })

  test('falls with the age of the quotes while a session is on', () => {
    expect(quality(later(61))).toEqual({ score: 80, warnings: ['stale_quotes'] })
    expect(quality(later(900))).toEqual({ score: 80, warnings: ['stale_quotes'] })
    expect(quality(later(901))).toEqual({ score: 60, warnings: ['stale_quotes'] })
    // 11:00 is 5 hours before the close: later only the closed market counts.
    expect(quality(later(5 * 3600))).toEqual({ score: 90, warnings: ['market_closed'] })
  })

  test('loses nothing by a delay of the source, whose own clock counts', () => {
    expect(quality({ now: now + 900_000, delay: 900, sessions: undefined })).toEqual({
      score: 100,
      warnings: ['delayed_data']
    })
    expect(quality({ now: now + 60_000, delay: 60, sessions: undefined })).toEqual(nothing)
    expect(quality({ now: now + 961_000, delay: 900, sessions: undefined })).toEqual({
      score: 80,
      warnings: ['stale_quotes', 'delayed_data']
    })
  })

  test('falls with one-sided quotes near spot, thin chains, missing open interest and short history', () => {
    const oneSided = (below: number) =>
      liveScope(
        chainOf([series(expiry, { strikes: ladder(90, 110, 1), quote: (k) => (k < below ? [0, 1] : undefined) })])
      )
    // 21 strikes: 5 of them make 24 %, 6 of them 29 %.
    expect(quality(later(0), oneSided(95))).toEqual({ score: Math.round(100 - (40 * 5) / 21), warnings: [] })
    expect(quality(later(0), oneSided(96))).toEqual({
      score: Math.round(100 - (40 * 6) / 21),
      warnings: ['one_sided_quotes']
    })
    const thin = liveScope(chainOf([series(expiry, { strikes: ladder(98, 106, 1), oi: 0 })]))
    expect(quality({ ...later(0), sessions: 19 }, thin)).toEqual({
      score: 35,
      warnings: ['no_open_interest', 'thin_chain', 'short_history']
    })
    expect(quality({ ...later(0), sessions: 20 })).toEqual(nothing)
  })
})

describe('a decision', () => {
  const structure = { liquidity: 0.8, legs: [{ spread: 10.1 }] } as unknown as RankedStructure
  const reading: SignalReading<'some', { readonly a: number }> = {
    regime: 'some',
    figures: { a: 1 },
    score: 55,
    verdict: 'neutral',
    sample: 0.5,
    scope,
    expiry: undefined,
    structures: [structure],
    risks: [],
    gammaFlip: undefined
  }
  const decide = (change: Partial<typeof reading>, earnings?: readonly IsoDate[]) =>
    decisionOf({ ...reading, ...change }, later(0), earnings)
  const confidence = (change: Partial<typeof reading>) => decide(change).confidence

  test('has a confidence of half quality, three tenths sample, two tenths liquidity', () => {
    expect(confidence({})).toBeCloseTo(0.5 + 0.15 + 0.16, 12)
    expect(confidence({ structures: [] })).toBeCloseTo(0.5 + 0.15 + 0.1, 12)
    expect(confidence({ structures: [], expiry })).toBeGreaterThan(0.65) // its execution score
  })

  test('says nothing where an input is missing', () => {
    const {
      score,
      confidence: none,
      structures,
      figures,
      missing,
      verdict
    } = decisionOf({ regime: 'some', missing: 'volume', scope }, later(0), [expiry])
    expect([score, none, structures, figures, missing, verdict]).toEqual([
      0,
      0,
      [],
      undefined,
      'volume',
      'insufficient_data'
    ])
    expect(uncovered('gone')).toMatchObject({ verdict: 'insufficient_data', regime: 'gone', missing: 'coverage' })
  })

  test('flags gamma, earnings and spreads, the gravest first', () => {
    const { spot } = chain
    expect(decide({}).risks).toEqual(['WIDE_SPREADS'])
    expect(decide({ gammaFlip: spot / 0.996 }).risks).toEqual(['NEGATIVE_GAMMA', 'NEAR_GAMMA_FLIP', 'WIDE_SPREADS'])
    expect(decide({ gammaFlip: spot * 1.1, structures: [] }).risks).toEqual([])
    expect(decide({ gammaFlip: spot * 0.99 }).risks).toEqual(['WIDE_SPREADS'])
    expect(decide({ expiry }, [date('2026-08-28')]).risks).toEqual(['EARNINGS_BEFORE_EXPIRY', 'WIDE_SPREADS'])
    expect(decide({ expiry }, [date('2026-07-29')]).risks).toContain('EARNINGS_BEFORE_EXPIRY')
    expect(decide({ expiry }, [date('2026-07-28'), date('2026-08-29')]).risks).toEqual(['WIDE_SPREADS'])
    const risks = ['LATE_DAY_GREEKS', 'EXPECTED_MOVE_EXHAUSTED'] as const
    expect(decide({ risks }).risks).toEqual(['EXPECTED_MOVE_EXHAUSTED', 'WIDE_SPREADS', 'LATE_DAY_GREEKS'])
  })
})

test('expirations are chosen among those that live', () => {
  const dates = ['2026-07-29', '2026-08-03', '2026-08-07', '2026-10-16']
  const listed = (list: readonly string[]) => chainOf(list.map((each) => series(each)))
  const all = listed(dates)
  expect([chosenExpiry(all, undefined), chosenExpiry(all, undefined, 1)]).toEqual(['2026-07-29', '2026-08-03'])
  expect([chosenExpiry(all, date('2026-07-29'), 1), chosenExpiry(all, date('2026-08-04'))]).toEqual([
    undefined,
    undefined
  ])
  expect(tradedExpiry(all, undefined)).toBe('2026-08-07')
  expect(tradedExpiry(all, date('2026-07-29'))).toBe('2026-07-29')
  expect(tradedExpiry(listed(['2026-07-29', '2026-08-03', '2026-10-16']), undefined)).toBe('2026-08-03')
  expect(expiryAfter(all, date('2026-08-07'))).toBe('2026-10-16')
})

test('spot has its place among walls and flip', () => {
  const levels = { flip: 100, callWall: 110, putWall: 90 }
  expect([111, 110, 100, 99, 90, 89].map((spot) => spotPosition(spot, levels))).toEqual([
    'above_call_wall',
    'between_walls_above_flip',
    'between_walls_above_flip',
    'between_walls_below_flip',
    'between_walls_below_flip',
    'below_put_wall'
  ])
  expect(spotPosition(100, { ...levels, flip: undefined })).toBe('unknown')
  expect(spotPosition(100, { ...levels, putWall: undefined })).toBe('unknown')
  expect(spotPosition(111, { flip: undefined, callWall: 110, putWall: undefined })).toBe('above_call_wall')
})
