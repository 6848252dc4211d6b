import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlertMemory } from '../../src/accounts/alerts/rule.ts'
import { evaluateRule, freshMemory } from '../../src/alerts/evaluate.ts'
import { backtestWords } from '../src/screens/overview/backtest-words.ts'
import { LINE_CONDITIONS } from '../src/state/chart/aim.ts'
import { backtest } from '../src/state/chart/backtest.ts'

const QUARTER = 900_000
const OPEN = Date.parse('2026-11-23T14:30Z')
const DAY = 86_400_000
const MISSING = Number.NaN

/** Quarters of an hour whose closes are given by session, from Monday 23 November 2026. */
function barsOf(...sessions: readonly (readonly number[])[]) {
  const t = sessions.flatMap((closes, day) => closes.map((_, i) => OPEN + day * DAY + i * QUARTER))
  const c = Float64Array.from(sessions.flat())
  const ends = Float64Array.from(t, (start) => start + QUARTER)
  return {
    bars: { t: Float64Array.from(t), o: c, h: c, l: c, c, v: c },
    ends,
    asOf: ends.at(-1)!,
    every: '15m' as const
  }
}

describe('the backtest of an alert line', () => {
  test('counts crossings of a price between closes within sessions, and none over night', () => {
    const known = barsOf([99, 101, 101, 98], [102, 103, 99])
    expect(backtest(known, 100, 'crosses')).toEqual({ fired: [1, 3, 6], count: 7, sessions: 2, unknown: 0 })
    expect(backtest(known, 100, 'above').fired).toEqual([1])
    expect(backtest(known, 100, 'below').fired).toEqual([3, 6])
    expect(backtest(known, 120, 'crosses').fired).toEqual([])
  })

  test('touching the price and turning back is no crossing', () => {
    expect(backtest(barsOf([99, 100, 99, 100, 101]), 100, 'crosses').fired).toEqual([4])
    expect(backtest(barsOf([101, 100, 101]), 100, 'above').fired).toEqual([2])
  })

  test('a tied level is the one of each bar, stands for half an hour, and is unknown after that', () => {
    const known = barsOf([99, 99, 99, 99, 99, 99, 99])
    const level = Float64Array.from([100, 98, MISSING, MISSING, MISSING, 98, 100])
    expect(backtest(known, level, 'crosses')).toEqual({ fired: [1, 6], count: 7, sessions: 1, unknown: 1 })
  })

  test('no bar that is not over counts, and what comes later changes nothing', () => {
    const whole = barsOf([99, 101, 98, 102])
    const cut = { ...whole, asOf: whole.ends[2]! - 1 }
    expect(backtest(cut, 100, 'crosses')).toEqual({ fired: [1], count: 2, sessions: 1, unknown: 0 })
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 97, max: 103 }), { minLength: 2, maxLength: 40 }),
        fc.nat(39),
        (closes, at) => {
          const all = backtest(barsOf(closes), 100, 'crosses').fired
          const until = Math.min(at + 1, closes.length)
          expect(backtest(barsOf(closes.slice(0, until)), 100, 'crosses').fired).toEqual(
            all.filter((bar) => bar < until)
          )
        }
      )
    )
  })

  test('days are compared with the day before', () => {
    const known = { ...barsOf([99], [101], [98]), every: '1d' as const }
    expect(backtest(known, 100, 'crosses')).toEqual({ fired: [1, 2], count: 3, sessions: 3, unknown: 0 })
  })

  test('fires where the rule of the service does that sees the closes of a session', () => {
    const close = fc.integer({ min: 97, max: 103 })
    const closes = fc.array(close, { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(closes, closes, fc.constantFrom(...LINE_CONDITIONS), (prices, levels, condition) => {
        const level = prices.map((_, i) => levels[i % levels.length]!)
        let memory: AlertMemory = freshMemory(undefined)
        const fired = prices.flatMap((value, i) => {
          const found = evaluateRule({ condition, memory }, { value, target: level[i]! })
          memory = found.memory
          return found.fires && i > 0 ? [i] : []
        })
        expect(backtest(barsOf(prices), Float64Array.from(level), condition).fired).toEqual(fired)
      })
    )
  })
})

describe('its words', () => {
  const words = (known: ReturnType<typeof barsOf>, target: number | Float64Array) =>
    backtestWords(backtest(known, target, 'crosses'), known)

  test('say how often, in what, and when last', () => {
    expect(words(barsOf([99, 101, 98], [98, 102]), 100)).toBe(
      'Would have fired 3 times in the 2 sessions shown, by closes of 15-minute bars; last on 24 Nov 10:00.'
    )
    expect(words(barsOf([99, 101]), 100)).toBe(
      'Would have fired once in the session shown, by closes of 15-minute bars; last on 23 Nov 10:00.'
    )
    expect(words(barsOf([99, 101]), 90)).toBe('Would not have fired in the session shown, by closes of 15-minute bars.')
  })

  test('say for how much of it the level is missing', () => {
    expect(words(barsOf([99, 99, 99]), Float64Array.from([MISSING, 100, 98]))).toBe(
      'Would have fired once in the session shown, by closes of 15-minute bars; last on 23 Nov 10:15.' +
        ' For 1 of 3 bars the level is not known, and they do not count.'
    )
    expect(words(barsOf([99, 99]), new Float64Array(2).fill(MISSING))).toMatch(/the chart holds no past of this level/)
    expect(words({ ...barsOf([99]), asOf: 0 }, 100)).toMatch(/^No bar of the chart is over/)
  })
})
