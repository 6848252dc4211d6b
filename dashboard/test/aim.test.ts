import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aimAt, aimOf, type LevelNow, stepFor, stepped, targetAt, toStep } from '../src/state/chart/aim.ts'
import { isNearOpen } from '../src/state/day/open-hours.ts'

const LEVELS: readonly LevelNow[] = [
  { level: 'call_wall', name: 'call wall', price: 700 },
  { level: 'gamma_flip', name: 'flip', price: 680.99 }
]

describe('an alert line', () => {
  test('is tied to the nearest level within reach, else at its price', () => {
    expect(aimAt(699.4, 1, LEVELS)).toEqual({ price: 700, level: 'call_wall' })
    expect(aimAt(690, 1, LEVELS)).toEqual({ price: 690, level: undefined })
    expect(aimAt(690, 100, LEVELS)).toEqual({ price: 680.99, level: 'gamma_flip' })
    expect(aimAt(690, 1, [])).toEqual({ price: 690, level: undefined })
  })

  test('moves by steps that suit the scale and stops at a level on the way', () => {
    expect([0.004, 0.012, 0.3, 7, 80].map(stepFor)).toEqual([0.01, 0.05, 0.5, 10, 100])
    expect(toStep(680.99, 0.05)).toBe(681)
    const up = stepped({ price: 680.9, level: undefined }, 1, 0.1, LEVELS)
    expect(up).toEqual({ price: 680.99, level: 'gamma_flip' })
    expect(stepped(up, 1, 0.1, LEVELS)).toEqual({ price: 681.1, level: undefined })
    expect(stepped(up, -1, 0.1, LEVELS)).toEqual({ price: 680.9, level: undefined })
    expect(stepped({ price: 690, level: undefined }, 10, 5, LEVELS)).toEqual({ price: 700, level: 'call_wall' })
  })

  test('never passes a level by one step, and always moves the way it is told', () => {
    const cents = fc.integer({ min: 60_000, max: 75_000 }).map((each) => each / 100)
    fc.assert(
      fc.property(cents, fc.constantFrom(1, -1), fc.constantFrom(0.01, 0.05, 0.25, 1), (price, way, step) => {
        const next = stepped({ price, level: undefined }, way, step, LEVELS)
        expect(Math.sign(next.price - price) * way).toBeGreaterThanOrEqual(0)
        for (const { price: at } of LEVELS) {
          const [low, high] = [Math.min(price, next.price), Math.max(price, next.price)]
          expect(at > low + 1e-9 && at < high - 1e-9).toBe(false)
        }
      })
    )
  })

  test('and what the service watches are the same thing', () => {
    const price = 'stockquote.current.mid'
    for (const aim of [
      { price: 695, level: undefined },
      { price: 680.99, level: 'gamma_flip' }
    ] as const)
      expect(aimOf({ metric: price, condition: 'crosses', value: targetAt(aim) }, LEVELS)).toEqual(aim)
    const none = [
      { metric: 'exposure.summary.exposures.net_gex', condition: 'below', value: 0 },
      { metric: price, condition: 'changes_by', value: 5 },
      { metric: price, condition: 'crosses', value: { metric: 'maxpain.current.max_pain_strike' } }
    ] as const
    for (const each of none) expect(aimOf(each, LEVELS)).toBe(undefined)
  })
})

test('the brief is shown from the night before the open until half an hour after it', () => {
  const open = Date.parse('2026-11-20T14:30Z')
  const at = (wall: string) => isNearOpen(Date.parse(`2026-11-20T${wall}Z`), open)
  expect(['08:59', '09:00', '14:29', '14:59', '15:00'].map(at)).toEqual([false, true, true, true, false])
})
