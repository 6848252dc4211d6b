import { describe, expect, test } from 'vitest'
import type { IsoDate } from '../../../src/market/units.ts'
import { volCarrySignal } from '../../../src/signals/strategies/vol-carry-signal.ts'
import { usableBars } from '../../../src/volatility/realized/realized.ts'
import { recordOf, sessionsBefore } from '../../support/made-up-records.ts'
import { chainOf, series } from '../../volatility/chains.ts'
import { barsOfCloses } from '../../volatility/made-up-bars.ts'
import { read } from './reading.ts'

const terms = { minOpenInterest: 0, shortDelta: 0.25, maxWidth: 10, minCredit: 0 }
const steep = { sigma: (strike: number) => 0.2 - 0.6 * Math.log(strike / 100) }
const chain = chainOf([series('2026-08-07', steep), series('2026-08-28', steep)])
/** Closes that move by as much up as down, `percent` a day in turn, the last five by `last`. */
function closes(percent: number, last = percent): readonly number[] {
  const prices = [100]
  for (let k = 0; k < 40; k++) {
    const move = (k >= 35 ? last : percent) / 100
    prices.push(prices[k] * Math.exp(k % 2 === 0 ? move : -move))
  }
  return prices
}
/** Records of a premium of 1 vol point, and of far more on the first `dear` sessions. */
const records = (count: number, dear = 1) =>
  sessionsBefore('2026-07-29' as IsoDate, count).map((date, k) =>
    recordOf(date, { atmIv: k < dear ? 60 : 20, rv20: 19 })
  )
const signal = (bars: readonly number[], past = records(40), earnings?: readonly IsoDate[]) =>
  volCarrySignal(chain, undefined, { bars: usableBars(barsOfCloses(bars)), records: past, earnings }, terms)

describe('the carry of a premium', () => {
  const calm = read(signal(closes(0.6)))

  test('is made of its rank, its size, how calm price is, the curve and dealers', () => {
    const { figures, score, regime, gammaFlip } = calm
    expect(figures.premium).toBeCloseTo(figures.atmIv - figures.realized, 12)
    expect([figures.percentile, figures.sessions]).toEqual([98, 40]) // above 39 of 40: 97.5
    expect(Math.abs(figures.realizedChange!)).toBeLessThan(0.2)
    const g = gammaFlip === undefined ? 0.5 : chain.spot >= gammaFlip ? 1 : 0
    const m = figures.termSlope === undefined ? 0.5 : figures.termSlope > 0 ? 1 : 0
    const s = 1 - Math.min(1, Math.max(0, figures.realizedChange! / figures.realized / 0.25))
    const r = Math.min(1, figures.premium / (0.4 * figures.atmIv))
    expect(score).toBe(Math.round(100 * (0.35 * 0.98 + 0.25 * r + 0.2 * s + 0.1 * m + 0.1 * g)))
    expect(regime).toBe('rich_iv_stable_realized_vol')
  })

  test('leans to the side that is dear', () => {
    expect(calm.figures.skew25!).toBeGreaterThan(0.1 * calm.figures.atmIv)
    expect(calm.figures.side).toBe('put')
    const kinds = new Set(calm.structures.map(({ kind }) => kind))
    expect([kinds.has('short_put_spread') || kinds.has('iron_condor'), kinds.has('short_call_spread')]).toEqual([
      true,
      false
    ])
  })

  test('costs twenty points with a report before the expiration', () => {
    const reported = read(signal(closes(0.6), records(40), ['2026-08-03' as IsoDate]))
    expect(reported.figures.earningsBefore).toBe(true)
    expect(calm.score - reported.score).toBe(20)
    expect(calm.figures.earningsBefore).toBeUndefined()
    expect(read(signal(closes(0.6), records(40), [])).figures.earningsBefore).toBe(false)
  })
})

test('rising realized volatility is unstable, flagged and not sold', () => {
  const { regime, figures, structures, risks } = read(signal(closes(0.4, 1.2)))
  expect(figures.realizedChange! / figures.realized).toBeGreaterThan(0.2)
  expect([regime, figures.side, structures]).toEqual(['cheap_iv_or_unstable_realized_vol', 'none', []])
  expect(risks).toContain('RISING_REALIZED_VOL')
})

test('without a premium the score is 39 at most', () => {
  const { figures, score, regime } = read(signal(closes(2)))
  expect(figures.premium).toBeLessThan(0)
  expect([score <= 39, regime]).toEqual([true, 'cheap_iv_or_unstable_realized_vol'])
})

test('a rank between 30 and 60 is fair, up to 30 cheap', () => {
  const among = (dear: number) => read(signal(closes(0.6), records(40, dear))).regime
  expect(among(20)).toBe('fair_iv_neutral_realized_vol')
  expect(among(28)).toBe('cheap_iv_or_unstable_realized_vol')
})

test('a change that is not known decides nothing', () => {
  const { figures, regime } = read(signal(closes(0.6).slice(-25)))
  expect([figures.realizedChange, regime]).toEqual([undefined, 'rich_iv_stable_realized_vol'])
})

test('says what it lacks', () => {
  const lacks = { regime: 'vrp_unavailable' }
  expect(signal(closes(0.6), records(4))).toMatchObject({ ...lacks, missing: 'history' })
  expect(signal(closes(0.6).slice(-20))).toMatchObject({ ...lacks, missing: 'realized_volatility' })
  const history = { bars: usableBars(barsOfCloses(closes(0.6))), records: records(40), earnings: undefined }
  const sameDay = chainOf([series('2026-07-29')])
  expect(volCarrySignal(sameDay, undefined, history, terms)).toMatchObject({ ...lacks, missing: 'expiration' })
  const unquoted = chainOf([series('2026-08-07', { quote: () => [Number.NaN, Number.NaN] })])
  expect(volCarrySignal(unquoted, undefined, history, terms)).toMatchObject({ ...lacks, missing: 'volatility' })
})
