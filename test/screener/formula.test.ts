import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileFormula, parseFormula } from '../../src/screener/formula.ts'
import { ScreenProblem } from '../../src/screener/screen-problem.ts'

const figures: Readonly<Record<string, number>> = { atm_iv: 25, rv_20d: 20, none: Number.NaN, zero: 0, low: -4 }
const figureOf = (text: string) =>
  compileFormula<undefined>(parseFormula(text), (name) => () => figures[name])(undefined)

/** Value of a formula, or the position of its error. */
function outcomeOf(text: string): { readonly value: number } | { readonly position: number } {
  try {
    return { value: figureOf(text) }
  } catch (error) {
    if (!(error instanceof ScreenProblem) || error.kind !== 'formula' || error.position === undefined) throw error
    return { position: error.position }
  }
}

describe('a formula', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['24 / 4 / 2', 3],
    ['-atm_iv', -25],
    ['2 * -3', -6],
    ['-(1 + 2)', -3],
    ['atm_iv - rv_20d', 5],
    ['abs(low)', 4],
    ['min(3, rv_20d, 1 + 1)', 2],
    ['max(3)', 3],
    ['sqrt(atm_iv)', 5],
    ['ln(1)', 0],
    ['1.5e1 + .5', 15.5]
  ])('%s is %d', (text, value) => expect(figureOf(text)).toBe(value))

  test.each([
    'none + 1',
    'atm_iv / zero',
    '0 / 0',
    'sqrt(low)',
    'ln(zero)',
    'ln(low)',
    'min(none, 1)',
    '1e300 * 1e300'
  ])('%s does not exist', (text) => expect(figureOf(text)).toBeNaN())

  test.each([
    ['+ atm_iv', 0],
    ['', 0],
    ['  ', 2],
    ['1 +', 3],
    ['1 2', 2],
    ['1 + + 2', 4],
    ['--1', 1],
    ['(1', 2],
    ['1)', 1],
    ['sin(1)', 0],
    ['abs(1, 2)', 0],
    ['abs()', 4],
    ['atm_iv > 3', 7],
    ['1 $ 2', 2],
    ["'a'", 0],
    ['1 + 💥', 4]
  ])('%s makes no sense from character %d on', (text, position) => expect(outcomeOf(text)).toEqual({ position }))

  test('nests 32 deep, calls included, and no deeper', () => {
    const nested = (depth: number) => `${'('.repeat(depth - 1)}abs(1)${')'.repeat(depth - 1)}`
    expect(figureOf(nested(32))).toBe(1)
    expect(outcomeOf(nested(33))).toEqual({ position: 35 })
  })

  test('is at most 256 characters long', () => {
    expect(figureOf('1'.padEnd(256))).toBe(1)
    expect(outcomeOf('1'.padEnd(257))).toEqual({ position: 256 })
  })

  const pieces = fc.constantFrom(...'( ( ) ) + - * / , 1 2.5 .5 1e9 atm_iv none abs( min( ln( sqrt( $ é \t'.split(' '))
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(pieces, { maxLength: 120 }).map((parts) => parts.join(' ')),
    fc.array(pieces, { maxLength: 120 }).map((parts) => parts.join(''))
  )

  test('of any text has a value or a position in it', () => {
    const property = fc.property(anything, (text) => {
      const outcome = outcomeOf(text)
      if ('position' in outcome) {
        expect(outcome.position).toBeGreaterThanOrEqual(0)
        expect(outcome.position).toBeLessThanOrEqual(text.length)
      } else expect(Number.isNaN(outcome.value) || Number.isFinite(outcome.value)).toBe(true)
    })
    fc.assert(property, { numRuns: 3000 })
  })

  test('of any text is parsed within a millisecond', () => {
    const worst = [
      '('.repeat(256),
      '-'.repeat(256),
      '1+'.repeat(128),
      'a'.repeat(256),
      '1e'.repeat(128),
      ' '.repeat(256)
    ]
    const texts = [
      ...worst,
      `${'abs('.repeat(32)}${'1+'.repeat(40)}`,
      ...fc.sample(anything, { numRuns: 500, seed: 5 })
    ]
    for (const text of texts) outcomeOf(text)
    // The fastest of several: another program may have the processor in any one of them.
    const quickest = (text: string) =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const startedAt = performance.now()
          outcomeOf(text)
          return performance.now() - startedAt
        })
      )
    expect(Math.max(...texts.map(quickest))).toBeLessThan(1)
  })

  test('that was parsed comes to what plain arithmetic comes to', () => {
    const tree = fc.letrec<{ expression: readonly [string, number] }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 5 },
        fc.integer({ min: 0, max: 99 }).map((n) => [String(n), n] as const),
        fc.constantFrom(...Object.entries(figures)),
        fc
          .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/'), tie('expression'))
          .map(([[a, x], operator, [b, y]]) => [`(${a}) ${operator} (${b})`, plain(operator, x, y)] as const),
        tie('expression').map(([a, x]) => [`-(${a})`, -x] as const),
        tie('expression').map(([a, x]) => [`sqrt(${a})`, x < 0 ? Number.NaN : Math.sqrt(x)] as const)
      )
    })).expression
    const property = fc.property(tree, ([text, value]) => {
      fc.pre(text.length <= 256)
      const found = figureOf(text)
      if (Number.isFinite(value)) expect(found).toBe(value)
      else expect(found).toBeNaN()
    })
    fc.assert(property, { numRuns: 500 })
  })
})

function plain(operator: string, x: number, y: number): number {
  if (operator === '+') return x + y
  if (operator === '-') return x - y
  if (operator === '*') return x * y
  return y === 0 ? Number.NaN : x / y
}
