import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlertMemory, Condition } from '../../src/accounts/alerts/rule.ts'
import { evaluateRule, freshMemory } from '../../src/alerts/evaluate.ts'

type Seen = number | undefined

/** Indices at which a rule on a series fires; the memory of each evaluation is handed to the next. */
function firings(condition: Condition, target: number, series: readonly Seen[], armedAt: Seen = undefined) {
  let memory: AlertMemory = freshMemory(armedAt)
  return series.flatMap((value, at) => {
    const evaluated = evaluateRule({ condition, memory }, { value, target })
    memory = evaluated.memory
    return evaluated.fires ? [at] : []
  })
}

describe('a rule that watches a side', () => {
  test('fires at the first look where it is true already, and again only after it was not', () => {
    expect(firings('above', 100, [101, 102, 100, 101, 99, 101])).toEqual([0, 3, 5])
    expect(firings('below', 100, [99, 98, 100, 99, 101, 99])).toEqual([0, 3, 5])
  })

  test('is neither true nor false where there is no value', () => {
    expect(firings('above', 100, [undefined, 99, undefined, 101, undefined, 102])).toEqual([3])
  })

  test('is not true at the value itself', () => {
    expect(firings('above', 100, [100, 100])).toEqual([])
    expect(firings('below', 100, [100, 100])).toEqual([])
  })
})

describe('a rule that watches a crossing', () => {
  test('needs two known values on different sides', () => {
    expect(firings('crosses', 100, [101, 102, 99, undefined, 98, 101])).toEqual([2, 5])
  })

  test('counts a value equal to the target on neither side', () => {
    expect(firings('crosses', 100, [99, 100, 99])).toEqual([])
    expect(firings('crosses', 100, [99, 100, 101])).toEqual([2])
    expect(firings('crosses', 100, [100, 101, 99])).toEqual([2])
  })
})

describe('a rule that watches a change', () => {
  test('counts from the value it was armed at, then from the one it fired at', () => {
    expect(firings('changes_by', 5, [102, 105, 106, 101, 100], 100)).toEqual([1, 4])
  })

  test('counts from the first known value where none was known', () => {
    expect(firings('changes_by', 5, [undefined, 102, 105, 107])).toEqual([3])
  })
})

test('a rule that has no target neither fires nor forgets', () => {
  const memory: AlertMemory = { side: 'above', reference: undefined }
  expect(evaluateRule({ condition: 'crosses', memory }, { value: 5, target: undefined })).toEqual({
    fires: false,
    memory
  })
})

/**
 * Indices at which an alert fires, derived from the whole series instead of a memory: all known values before decide.
 */
function oracle(condition: Condition, target: number, series: readonly Seen[], armedAt: Seen): number[] {
  const known = series.flatMap((value, at) => (value === undefined ? [] : [{ value, at }]))
  if (condition === 'above' || condition === 'below') {
    const holds = ({ value }: { value: number }) => (condition === 'above' ? value > target : value < target)
    return known.filter((one, k) => holds(one) && !(k > 0 && holds(known[k - 1]))).map(({ at }) => at)
  }
  if (condition === 'crosses') {
    const sided = known.filter(({ value }) => value !== target)
    return sided
      .filter(({ value }, k) => k > 0 && Math.sign(value - target) === -Math.sign(sided[k - 1].value - target))
      .map(({ at }) => at)
  }
  const from = armedAt === undefined ? known : [{ value: armedAt, at: -1 }, ...known]
  const fired: number[] = []
  for (let k = 0, base = 0; k < from.length; k++) {
    if (k === 0 || Math.abs(from[k].value - from[base].value) < target) continue
    fired.push(from[k].at)
    base = k
  }
  return fired
}

test('any series fires as the plain reading of it says', () => {
  const value = fc.option(fc.integer({ min: 95, max: 105 }), { nil: undefined, freq: 4 })
  const condition = fc.constantFrom<Condition>('above', 'below', 'crosses', 'changes_by')
  fc.assert(
    fc.property(condition, fc.array(value, { maxLength: 30 }), value, (which, series, armedAt) => {
      const target = which === 'changes_by' ? 3 : 100
      expect(firings(which, target, series, armedAt)).toEqual(oracle(which, target, series, armedAt))
    }),
    { numRuns: 2000, seed: 20260729 }
  )
})
