import { describe, expect, test } from 'vitest'
import { crushDistribution, realizedCrush } from '../../src/earnings/crush.ts'
import { movePremium, surpriseReaction } from '../../src/earnings/move-premium.ts'
import { pastReports, recentCrushes, recentMoves, surprise } from '../../src/earnings/past-reports.ts'
import { type ScoreInputs, strategyScores } from '../../src/earnings/strategy-scores.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { type EarningsEvent, type EventRecord, sessionsAround, unstated } from '../../src/market/earnings.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

describe('an implied move of 6 % against past moves', () => {
  test('of 3, -4, 5, -6 and 2 %, by hand', () => {
    const found = movePremium(6, [3, -4, 5, -6, 2])
    expect(found).toMatchObject({ realizedMedian: 4, realizedMean: 4, ratio: 1.5, assessment: 'rich' })
    expect(found.zScore).toBeCloseTo(2 / Math.sqrt(2.5), 12) // squares 1, 0, 1, 4, 4 over 4
    expect(found.percentile).toBe(90) // four below, one equal
    expect(found.bias).toBeUndefined() // 10 of 20 upward
  })

  test.each([
    [1.5, 'rich'],
    [1.4999, 'slightly_rich'],
    [1.15, 'slightly_rich'],
    [1.1499, 'fair'],
    [0.85, 'fair'],
    [0.8499, 'slightly_cheap'],
    [0.67, 'slightly_cheap'],
    [0.6699, 'cheap']
  ])('at %s times the median it is %s', (ratio, assessment) => {
    expect(movePremium(ratio * 4, [4, 4, -4, 4]).assessment).toBe(assessment)
  })

  test('needs four moves for a label, five for a rank and a bias, and one for a median', () => {
    expect(movePremium(6, [4, 4, 4])).toMatchObject({ ratio: 1.5, assessment: 'insufficient_data', bias: undefined })
    expect(movePremium(6, [4, 4, 4, 4])).toMatchObject({ assessment: 'rich', zScore: undefined, percentile: undefined })
    expect(movePremium(6, [])).toMatchObject({ ratio: undefined, realizedMedian: undefined })
    expect(movePremium(undefined, [4, 4, 4, 4, 4])).toMatchObject({ ratio: undefined, assessment: 'insufficient_data' })
    expect(movePremium(6, [4, 4, 4, 4, 4])).toMatchObject({ zScore: undefined, percentile: 100 })
    expect(movePremium(6, [0, 0, 0, 0])).toMatchObject({ ratio: undefined, assessment: 'insufficient_data' })
  })

  test('history that ran to one side overpaid for the other', () => {
    expect(movePremium(6, [6.5, 0, 0, 0, -3.5]).bias).toBe('downside_overpriced')
    expect(movePremium(6, [3.5, 0, 0, 0, -6.5]).bias).toBe('upside_overpriced')
    expect(movePremium(6, [6.4, 0, 0, 0, -3.6]).bias).toBeUndefined()
    expect(movePremium(6, [0, 0, 0, 0, 0]).bias).toBeUndefined()
  })
})

test('falls of volatility lie between quantiles by linear interpolation', () => {
  const found = crushDistribution([40, 10, 20, 30])
  expect(found).toEqual({ median: 25, p25: 17.5, p75: 32.5, worst: 10, best: 40, count: 4 })
  expect(crushDistribution([])).toEqual({
    median: undefined,
    p25: undefined,
    p75: undefined,
    worst: undefined,
    best: undefined,
    count: 0
  })
  expect(realizedCrush({ preIv: 80, postIv: 30 })).toBe(62.5)
  expect(realizedCrush({ preIv: 80, postIv: undefined })).toBeUndefined()
})

test('a surprise is measured on the size of the estimate', () => {
  expect(surprise(-0.5, -1)).toBe(50)
  expect(surprise(1.1, 1)).toBeCloseTo(10, 12)
  expect(surprise(1, 0)).toBeUndefined()
  expect(surprise(1, undefined)).toBeUndefined()
})

const event = (date: string, timing: EarningsEvent['timing'], epsEstimate?: number): EarningsEvent => ({
  ...unstated,
  date: date as IsoDate,
  timing,
  epsEstimate,
  epsActual: 1
})
const bar = (date: string, close: number): DailyBar => ({
  date: date as IsoDate,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1
})
const record = (of: EarningsEvent, figures: Partial<EventRecord>): EventRecord => ({
  ...sessionsAround(of),
  version: 1,
  impliedMove: undefined,
  preIv: undefined,
  postIv: undefined,
  move: undefined,
  ...figures
})

describe('past reports', () => {
  const events = [event('2026-01-27', 'bmo', 0.9), event('2026-04-28', 'amc', 1.2), event('2026-07-28', undefined, 1)]
  const bars = [bar('2026-01-26', 100), bar('2026-01-27', 104), bar('2026-04-28', 100), bar('2026-04-29', 97)]
  const third = record(events[2], { preIv: 60, postIv: 30, move: 2.5 })
  const reports = pastReports(
    { symbol: 'KO' as Ticker, events, records: new Map([[third.before, third]]), storedMove: undefined },
    bars
  )

  test('move from the close before to the close after, by the bars, else by the recorded closes', () => {
    expect(reports.map(({ move }) => move && Math.round(1e9 * move) / 1e9)).toEqual([4, -3, 2.5])
    expect(recentMoves(reports)).toHaveLength(3)
    expect(recentCrushes(reports)).toEqual([50])
  })

  test('one that has no figures is none', () => {
    const coming = { ...events[2], epsActual: undefined }
    const known = { symbol: 'KO' as Ticker, events: [coming], records: new Map(), storedMove: undefined }
    expect(pastReports(known, bars)).toEqual([])
  })

  test('react to surprises of more than one percent', () => {
    const reaction = surpriseReaction(reports)
    expect(reaction.beat).toBeCloseTo(4, 10)
    expect(reaction.miss).toBeCloseTo(-3, 10)
    expect(reaction.inline).toBe(2.5)
    expect(surpriseReaction([])).toEqual({ beat: undefined, miss: undefined, inline: undefined })
  })

  test('samples are the newest twenty', () => {
    const many = Array.from({ length: 30 }, (_, k) => ({
      event: reports[0].event,
      move: k,
      record: undefined,
      crush: k
    }))
    expect(recentMoves(many)).toEqual(many.slice(10).map(({ move }) => move))
    expect(recentCrushes(many)).toHaveLength(20)
  })
})

describe('strategy scores', () => {
  const inputs: ScoreInputs = {
    premiumRatio: 1.15,
    crushMedian: 30,
    pricedCrush: 10,
    regime: 'positive_gamma',
    executionScore: 80,
    isDirectional: true
  }

  test('by hand, premium and crush half of what counts', () => {
    // rich 0.5, crush 0.5, g 1, liquidity 0.8, direction 1
    expect(strategyScores(inputs)).toEqual({
      longStraddle: Math.round(100 * (0.25 + 0.125 + 0 + 0.12)),
      shortStrangle: Math.round(100 * (0.25 + 0.125 + 0.1 + 0.12)),
      ironCondor: Math.round(100 * (0.2 + 0.1 + 0.2 + 0.16)),
      calendarSpread: Math.round(100 * (0.075 + 0.225 + 0.2 + 0.16)),
      earningsDiagonal: Math.round(100 * (0.125 + 0.175 + 0.2 + 0.16))
    })
  })

  test('the priced crush stands in for the usual one, and what is unknown counts by half', () => {
    const priced = strategyScores({ ...inputs, crushMedian: undefined, pricedCrush: 30 })
    expect(priced).toEqual(strategyScores(inputs))
    const unknown = { ...inputs, premiumRatio: undefined, crushMedian: undefined, pricedCrush: undefined }
    expect(strategyScores(unknown)).toEqual(strategyScores(inputs))
  })

  test('keep what the contract says of them, whatever goes in', () => {
    for (const premiumRatio of [0.3, 0.7, 1, 1.6, 3]) {
      for (const crushMedian of [-20, 0, 30, 60, 90]) {
        for (const regime of ['positive_gamma', 'undetermined', 'negative_gamma'] as const) {
          for (const executionScore of [undefined, 0, 55, 100]) {
            const given = { ...inputs, premiumRatio, crushMedian, regime, executionScore }
            const scores = strategyScores(given)
            for (const score of Object.values(scores)) {
              expect(score).toBeGreaterThanOrEqual(0)
              expect(score).toBeLessThanOrEqual(100)
            }
            if (premiumRatio >= 1.6 && crushMedian >= 60) expect(scores.shortStrangle).toBeGreaterThanOrEqual(75)
            const liquidity = (executionScore ?? 0) / 100
            const both = Math.round(100 * (0.75 + 0.1 + 0.3 * liquidity))
            expect(Math.abs(scores.longStraddle + scores.shortStrangle - both)).toBeLessThanOrEqual(1)
            const richer = strategyScores({ ...given, premiumRatio: premiumRatio + 0.2 })
            expect(richer.shortStrangle).toBeGreaterThanOrEqual(scores.shortStrangle)
            expect(richer.longStraddle).toBeLessThanOrEqual(scores.longStraddle)
          }
        }
      }
    }
  })
})
