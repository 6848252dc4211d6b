import { describe, expect, test } from 'vitest'
import { openInterestDelta } from '../../src/flow/open-interest/simulator.ts'
import { intents, premiumTilt, signalsSince } from '../../src/flow/signals/signal.ts'
import { bestSignals } from '../../src/flow/signals/signal-feed.ts'
import { openCloseBiases, totalScore } from '../../src/flow/signals/signal-score.ts'
import { CALL } from '../../src/market/chain.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import { aggressors, sides } from '../../src/market/print.ts'
import { isRecorded, moments, recordedDay, referenceOf } from './recorded-day.ts'

interface SeriesState {
  readonly series: string
  readonly buy: number
  readonly sell: number
  readonly official: number
  readonly delta: number
}

interface TopSignal {
  readonly ts: string
  readonly series: string
  readonly breakdown: Readonly<Record<string, number>>
  readonly tags: readonly string[]
}

describe.runIf(isRecorded)('a recorded day agrees with what other code made of it', () => {
  test.each(moments)('the simulator at %s', (time) => {
    const { positions } = recordedDay(time)
    const { bought, sold, confidence, series } = positions
    const deltas = Array.from(bought, (buys, k) => openInterestDelta(buys, sold[k], confidence))
    const sum = (of: (delta: number) => number) => deltas.reduce((total, delta) => total + of(delta), 0)
    expect(referenceOf(`vix.simulator@${time}`)).toMatchObject({
      official_oi: 0,
      intraday_oi_delta: sum((delta) => delta),
      effective_oi: sum((delta) => Math.max(0, delta)),
      contracts_with_flow: sum((delta) => (delta === 0 ? 0 : 1)),
      total_abs_delta_contracts: sum((delta) => Math.max(0, delta))
    })
    expect(series.length).toBeGreaterThan(0)
  })

  test.each(['vix.simulator_series@16:15:00.000', 'goog.simulator_series@13:00:00.000'])('%s', (id) => {
    for (const { buy, sell, delta } of referenceOf<readonly SeriesState[]>(id)) {
      expect(openInterestDelta(buy, sell, 0.43)).toBe(delta)
    }
  })

  test.each(moments)('the signals at %s', (time) => {
    const { positions, groups } = recordedDay(time)
    const signals = signalsSince(0, undefined, { groups: [groups], positions, confidence: 0.43, chain: undefined })
    const all = bestSignals(signals, {}, 10_000)
    const { bullish, bearish, opening, closing } = premiumTilt(signals)
    const having = (conviction: string) => all.filter((signal) => signal.conviction === conviction).length
    expect({
      count: all.length,
      bullish_premium: bullish,
      bearish_premium: bearish,
      opening_premium: opening,
      closing_premium: closing,
      golden: all.filter(({ isGolden }) => isGolden).length,
      whales: all.filter(({ isWhale }) => isWhale).length,
      score_sum: all.reduce((sum, { score }) => sum + score, 0),
      high: having('high'),
      medium: having('medium'),
      low: having('low'),
      minimal: having('minimal')
    }).toEqual(referenceOf(`vix.signals@${time}`))

    const top = referenceOf<readonly TopSignal[]>(`vix.top_signals@${time}`)
    const mine = bestSignals(signals, {}, top.length).map((signal) => ({
      ts: easternDateTime(signal.ts).slice(11).padEnd(12, '.000'),
      series: `VIX ${signal.expiration.date} ${signal.strike} ${signal.right === CALL ? 'C' : 'P'}`,
      side: sides[signal.side],
      structure: signal.structure,
      size: signal.size,
      price: Math.round(10_000 * signal.price) / 10_000,
      premium: signal.premium,
      aggressor: aggressors[signal.aggressor],
      bias: openCloseBiases[signal.bias],
      contract_net_oi_delta: signal.delta,
      dte: signal.days,
      intent: intents[signal.intent],
      score: signal.score,
      conviction: signal.conviction,
      breakdown: {
        premium: signal.parts.premium,
        size_vs_oi: signal.parts.sizeVsOi,
        aggressor: signal.parts.aggressor,
        sweep: signal.parts.sweep,
        opening_bias: signal.parts.openingBias,
        tenor: signal.parts.tenor
      }
    }))
    expect(top).toMatchObject(mine)
    expect(mine.map(({ score }) => score)).toEqual(
      bestSignals(signals, {}, top.length).map(({ parts }) => totalScore(parts))
    )
  })
})
