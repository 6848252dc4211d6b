import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entitlement } from '../../src/api/plan.ts'
import { screenerFields } from '../../src/endpoints/screener/fields.ts'
import type { Ticker } from '../../src/market/units.ts'
import { ScreenProblem } from '../../src/screener/screen-problem.ts'
import type { Screened } from '../../src/screener/screener-row.ts'
import { handMadeRows, screenOf } from './screened.ts'
import { type Condition, type Figures, printed, slowly } from './slow-screen.ts'

const held = handMadeRows()
const all = held.rows.map(printed)
const fields = [...screenerFields.byName.values()]

/** Values that stand in the rows, so that conditions are met now and then, exactly too. */
const valuesOf = new Map(
  fields.map(({ name, level }) => {
    const rows: readonly Figures[] = all.flatMap((row) =>
      level === 'stock' || level === 'macro' ? [row.figures] : row.contracts
    )
    return [name, [...new Set(rows.map((row) => row[name]))].filter((value) => value !== null)]
  })
)

const leaf: fc.Arbitrary<Condition> = fc.constantFrom(...fields).chain(({ name, type }) => {
  const known = valuesOf.get(name)!
  const invented =
    type === 'number'
      ? fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
      : type === 'boolean'
        ? fc.boolean()
        : fc.constantFrom('nothing', 'C', '2026-08-28')
  const value =
    known.length === 0
      ? invented
      : fc.oneof(
          { arbitrary: fc.constantFrom(...known), weight: 4 },
          { arbitrary: invented as fc.Arbitrary<never>, weight: 1 }
        )
  const single = (...operators: string[]) =>
    fc.tuple(fc.constantFrom(...operators), value).map(([operator, value]) => ({ field: name, operator, value }))
  const nulls = fc.constantFrom('is_null', 'is_not_null').map((operator) => ({ field: name, operator }))
  const among = fc
    .array(value, { minLength: 1, maxLength: 5 })
    .map((list) => ({ field: name, operator: 'in', value: list }))
  const ordered = single('gt', 'gte', 'lt', 'lte')
  const between = fc.tuple(value, value).map(([a, b]) => ({
    field: name,
    operator: 'between',
    value: (a as number) <= (b as number) ? [a, b] : [b, a]
  }))
  return type === 'number'
    ? fc.oneof(single('eq', 'neq'), ordered, between, among, nulls)
    : fc.oneof(single('eq', 'neq'), among, nulls)
})

const filter = fc.letrec<{ filter: Condition }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    { arbitrary: leaf, weight: 2 },
    {
      arbitrary: fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        conditions: fc.array(tie('filter'), { minLength: 1, maxLength: 4 })
      }),
      weight: 3
    }
  )
})).filter

/** Contracts printed in the tree of a row, each identified by all of its figures. */
function keptOf(row: object): readonly string[] {
  const [symbol] = held.rows.filter((each) => each.symbol === (row as { symbol: string }).symbol)
  const tree = printedTree(row, symbol.symbol)
  return tree
}

type Node = Readonly<Record<string, unknown>>
function printedTree(row: object, symbol: string): readonly string[] {
  return (row as { expiry_aggregates: readonly Node[] }).expiry_aggregates.flatMap((expiry) =>
    (expiry['strike_aggregates'] as readonly Node[]).flatMap((strike) =>
      (strike['contracts'] as readonly Node[]).map((contract) =>
        [symbol, expiry['expiry'], strike['strike'], JSON.stringify(contract)].join(' ')
      )
    )
  )
}

const nameOf = (symbol: string, contract: Figures) => {
  const own = Object.entries(contract).filter(([name]) => name.startsWith('contracts.'))
  const figures = Object.fromEntries(own.map(([name, value]) => [name.slice('contracts.'.length), value]))
  return [symbol, contract['expiries.expiry'], contract['strikes.strike'], JSON.stringify(figures)].join(' ')
}

describe('a filter', () => {
  test('keeps what a slow reading of its rules keeps, whatever tree it is', () => {
    const property = fc.property(filter, (filters) => {
      const { rows, total } = screenOf({ filters, select: ['symbol', 'expiry_aggregates'], limit: 50 }, held)
      const expected = all.flatMap((row) => {
        const left = slowly(filters, row)
        if (left === undefined) return []
        return [
          {
            symbol: row.symbol,
            kept: (left === 'all' ? row.contracts : [...left]).map((each) => nameOf(row.symbol, each))
          }
        ]
      })
      expect(total).toBe(expected.length)
      const found = rows.map((row) => ({ symbol: row['symbol'], kept: [...keptOf(row)].sort() }))
      expect(found).toEqual(expected.map(({ symbol, kept }) => ({ symbol, kept: [...kept].sort() })))
    })
    fc.assert(property, { numRuns: 250 })
  })

  test('of contracts trims inside one group, and unites what the branches of an or-group keep', () => {
    const delta = (low: number, high: number) => ({ field: 'contracts.delta', operator: 'between', value: [low, high] })
    const puts = { field: 'contracts.type', operator: 'eq', value: 'P' }
    const count = (filters: object) =>
      screenOf({ filters, select: ['expiry_aggregates'] }, held).rows.flatMap(keptOf).length
    const calls = { op: 'and', conditions: [delta(0.4, 0.6)] }
    expect(count(calls)).toBeGreaterThan(0)
    expect(count({ op: 'and', conditions: [delta(0.4, 0.6), puts] })).toBe(0)
    const other = { op: 'and', conditions: [delta(-0.6, -0.4), puts] }
    expect(count({ op: 'or', conditions: [calls, other] })).toBe(count(calls) + count(other))
  })
})

describe('an order', () => {
  test('is by its keys in turn, nulls last in both directions, ties by symbol', () => {
    const numbers = fields.filter(({ level }) => level === 'stock').map(({ name }) => name)
    const key = fc.record({ field: fc.constantFrom(...numbers), direction: fc.constantFrom('asc', 'desc') })
    const property = fc.property(fc.array(key, { maxLength: 3 }), (sort) => {
      const { rows } = screenOf({ sort, limit: 50 }, held)
      expect(rows).toHaveLength(held.rows.length)
      for (let k = 1; k < rows.length; k++) expect(compared(rows[k - 1], rows[k], sort)).toBeLessThan(0)
    })
    fc.assert(property, { numRuns: 200 })
  })
})

function compared(a: Node, b: Node, sort: readonly { field: string; direction: string }[]): number {
  for (const { field, direction } of sort) {
    const [x, y] = [a[field], b[field]] as [number, number]
    if (x === y) continue
    if (x === null || y === null) return x === null ? 1 : -1
    return x < y === (direction === 'asc') ? -1 : 1
  }
  return (a['symbol'] as string) < (b['symbol'] as string) ? -1 : 1
}

const problemOf = (body: object, entitlements: readonly Entitlement[] = ['full_screen']): ScreenProblem => {
  try {
    screenOf(body, held, entitlements)
  } catch (error) {
    if (error instanceof ScreenProblem) return error
    throw error
  }
  throw new Error('it was run')
}
const leafOf = (field: string, operator: string, value?: unknown) => ({ filters: { field, operator, value } })

describe('a screen', () => {
  test('without a body shows every column the caller may read of every symbol', () => {
    const { rows, total, universe } = screenOf({}, held)
    const columns = fields.filter(({ level }) => level === 'stock' || level === 'macro').map(({ name }) => name)
    expect([total, universe, rows.length]).toEqual([held.rows.length, held.rows.length, Math.min(50, held.rows.length)])
    for (const row of rows) expect(Object.keys(row)).toEqual(columns)
  })

  test('without full_screen looks at 20 symbols of tier 1 at most, in the order of the curator, and shows 10', () => {
    const many = (tier: 1 | 2, k: number) => ({ ...held.rows[0], symbol: `S${9999 - k}` as Ticker, tier, rank: k })
    const rows = Array.from({ length: 60 }, (_, k) => many(k % 2 === 0 ? 1 : 2, k)).sort((a, b) =>
      a.symbol < b.symbol ? -1 : 1
    )
    const wide: Screened = { ...held, rows }
    const { universe, limit, rows: shown } = screenOf({ limit: 99 }, wide, [])
    expect([universe, limit, shown.length]).toEqual([20, 10, 10])
    expect(Object.keys(shown[0])).not.toContain('vrp_regime')
    expect(shown[0]['symbol']).toBe('S9961')
  })

  test.each([
    ['an offset', { offset: 1 }],
    ['a formula', { formulas: [{ alias: 'a', expression: '1' }] }],
    ['a formula in a filter', { filters: { formula: 'atm_iv + 1', operator: 'gt', value: 1 } }],
    ['a formula in an order', { sort: [{ formula: 'atm_iv + 1' }] }],
    ['a field of Alpha', { select: ['vrp_regime'] }],
    ['a condition on one', leafOf('harvest_score', 'gt', 1)],
    ['an order by one', { sort: [{ field: 'net_premium' }] }]
  ])('without full_screen, with %s names the plan that has it', (_, body) => {
    const { kind, message } = problemOf(body, [])
    expect(kind).toBe('request')
    expect(message).toContain('Alpha plan')
  })

  test('pages through what passes', () => {
    const whole = screenOf({ limit: 50, sort: [{ field: 'price' }] }, held).rows.map(({ symbol }) => symbol)
    const pages = [0, 7, 14, 21].flatMap(
      (offset) => screenOf({ limit: 7, offset, sort: [{ field: 'price' }] }, held).rows
    )
    expect(pages.map(({ symbol }) => symbol)).toEqual(whole)
  })

  test('adds formulas as columns, which filter and sort too', () => {
    const body = {
      formulas: [
        { alias: 'gap', expression: 'price - gamma_flip' },
        { alias: 'wide', expression: 'abs(gap) / price' }
      ],
      filters: { field: 'wide', operator: 'gt', value: 0.001 },
      sort: [{ formula: 'gap * 2', direction: 'asc' }],
      select: ['price', 'gamma_flip', 'gap', 'wide']
    }
    const { rows } = screenOf(body, held)
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows as readonly Record<string, number>[]) {
      expect(row['gap']).toBe(row['price'] - row['gamma_flip'])
      expect(row['wide']).toBeGreaterThan(0.001)
    }
    const gaps = rows.map((row) => row['gap'] as number)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
  })

  test.each([
    ['tier1', (tier: unknown) => tier === 1],
    ['tier2', (tier: unknown) => tier === 2]
  ])('of the preset %s looks at its symbols', (value, isIn) => {
    const { rows, universe } = screenOf({ universe: { type: 'preset', value }, select: ['tier'] }, held)
    expect(rows.every(({ tier }) => isIn(tier))).toBe(true)
    expect(universe).toBe(held.rows.filter(({ tier }) => isIn(tier)).length)
  })

  test('of a list, or of a preset of the operator, ignores what is not held', () => {
    const symbols = (universe: object) => screenOf({ universe, select: [] }, held).rows.map(({ symbol }) => symbol)
    expect(symbols({ type: 'custom', symbols: [' h02', 'H04', 'NOBODY'] })).toEqual(['H02', 'H04'])
    const [first, ...others] = held.rows
    const shares = { ...held, rows: [{ ...first, symbol: 'BRK.B' as Ticker }, ...others] }
    const spelled = { type: 'custom', symbols: ['brk-b', '#'] }
    expect(screenOf({ universe: spelled, select: [] }, shares).rows).toEqual([{ symbol: 'BRK.B' }])
    expect(symbols({ type: 'preset', value: 'mine' })).toEqual(['H01', 'H03'])
    expect(symbols({ type: 'preset', value: 'sp500' })).toEqual([])
  })

  test.each([
    ['filters.field', leafOf('nothing', 'eq', 1)],
    ['filters', { filters: {} }],
    ['filters', { filters: { field: 'atm_iv', formula: '1', operator: 'eq', value: 1 } }],
    ['filters.operator', leafOf('atm_iv', 'like', 1)],
    ['filters.operator', leafOf('regime', 'gt', 'positive_gamma')],
    ['filters.value', leafOf('atm_iv', 'eq', '1')],
    ['filters.value', leafOf('atm_iv', 'eq')],
    ['filters.value', leafOf('regime', 'eq', 1)],
    ['filters.value', leafOf('atm_iv', 'between', [2, 1])],
    ['filters.value', leafOf('atm_iv', 'between', [1])],
    ['filters.value', leafOf('atm_iv', 'in', [])],
    ['filters.value[1]', leafOf('atm_iv', 'in', [1, 'a'])],
    ['filters.op', { filters: { op: 'xor', conditions: [] } }],
    ['filters.conditions', { filters: { op: 'and', conditions: [] } }],
    ['filters.conditions[0].field', { filters: { op: 'or', conditions: [{ field: 'x', operator: 'eq', value: 1 }] } }],
    ['select[1]', { select: ['price', 'prize'] }],
    ['select[0]', { select: ['contracts.delta'] }],
    ['sort[0].field', { sort: [{ field: 'contracts.delta' }] }],
    ['sort[0].direction', { sort: [{ field: 'price', direction: 'up' }] }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 1.5 }],
    ['offset', { offset: -1 }],
    ['universe.value', { universe: { type: 'preset', value: 'best' } }],
    ['universe.type', { universe: { type: 'all' } }],
    ['universe.symbols', { universe: { type: 'custom' } }],
    ['formulas[0].alias', { formulas: [{ alias: 'price', expression: '1' }] }],
    ['formulas[0].alias', { formulas: [{ alias: 'A', expression: '1' }] }],
    ['formulas[1].alias', { formulas: ['1', '2'].map((expression) => ({ alias: 'a', expression })) }],
    ['the body', []]
  ])('is refused at %s', (place, body) => {
    expect(problemOf(body)).toMatchObject({ kind: 'request', place })
  })

  test.each([
    ['+ atm_iv', 0],
    ['1 + regime', 4],
    ['contracts.delta', 0],
    ['later + 1', 0]
  ])('is refused for the formula %s at character %d', (expression, position) => {
    const formulas = [
      { alias: 'a', expression },
      { alias: 'later', expression: '1' }
    ]
    expect(problemOf({ formulas })).toMatchObject({ kind: 'formula', place: 'formulas[0].expression', position })
  })

  test('is bounded in depth, conditions, keys, formulas and symbols', () => {
    const one = { field: 'price', operator: 'gt', value: 0 }
    const nested = (depth: number): object => (depth === 0 ? one : { op: 'and', conditions: [nested(depth - 1)] })
    expect(screenOf({ filters: nested(8) }, held).total).toBeGreaterThan(0)
    expect(problemOf({ filters: nested(9) }).place).toContain('filters')
    const many = (count: number) => ({ op: 'or', conditions: Array.from({ length: count }, () => one) })
    expect(screenOf({ filters: many(64) }, held).total).toBeGreaterThan(0)
    expect(problemOf({ filters: many(65) }).place).toBe('filters')
    expect(problemOf({ sort: Array.from({ length: 6 }, () => ({ field: 'price' })) }).place).toBe('sort')
    const symbols = Array.from({ length: 501 }, () => 'A')
    expect(problemOf({ universe: { type: 'custom', symbols } }).place).toBe('universe.symbols')
  })
})
