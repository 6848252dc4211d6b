import { readSymbol } from '../market/security.ts'
import type { Ticker } from '../market/units.ts'
import { mustBe } from './screen-problem.ts'

export const operators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'is_null', 'is_not_null'] as const
export type Operator = (typeof operators)[number]

export const operatorAliases: Readonly<Record<string, Operator>> = {
  '=': 'eq',
  '==': 'eq',
  '!=': 'neq',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte'
}

/** Left side of a condition: the name of a field or of an alias, or a formula. */
export type Operand = { readonly field: string } | { readonly formula: string }

export type Leaf = Operand & {
  readonly operator: Operator
  /** Value as the client sent it, not checked yet. */
  readonly value: unknown
  readonly place: string
}

export interface Group {
  readonly op: 'and' | 'or'
  readonly conditions: readonly Filter[]
}

export type Filter = Leaf | Group

export interface ScreenRequest {
  readonly universe: { readonly preset: string } | { readonly symbols: ReadonlySet<Ticker> }
  readonly filters: Filter | undefined
  readonly formulas: readonly { readonly alias: string; readonly expression: string; readonly place: string }[]
  readonly sort: readonly (Operand & { readonly descending: boolean; readonly place: string })[]
  /** Names of the columns to return. If undefined, all columns that the caller may read. */
  readonly select: readonly string[] | undefined
  readonly limit: number | undefined
  readonly offset: number
}

export const MAX_DEPTH = 8
export const MAX_LEAVES = 64
export const MAX_FORMULAS = 10
export const MAX_SORT_KEYS = 5
export const MAX_SCREEN_SYMBOLS = 500
const ALIAS = /^[a-z][a-z0-9_]{0,39}$/

/**
 * Reads the JSON of a screen and checks its shape and limits. Names, types and formulas are checked later, when the
 * screen runs. A field that is null counts as absent. Throws a `ScreenProblem` that states where the first error is.
 */
export function readScreen(json: unknown): ScreenRequest {
  const body = recordOf(json, 'the body')
  return {
    universe: readUniverse(body['universe']),
    filters: given(body['filters']) ? readFilter(body['filters']) : undefined,
    formulas: listOf(body['formulas'], 'formulas', MAX_FORMULAS).map(readFormula),
    sort: listOf(body['sort'], 'sort', MAX_SORT_KEYS).map(readSort),
    select: given(body['select'])
      ? listOf(body['select'], 'select').map((name, k) => textOf(name, `select[${k}]`))
      : undefined,
    limit: given(body['limit']) ? wholeOf(body['limit'], 'limit', 1) : undefined,
    offset: given(body['offset']) ? wholeOf(body['offset'], 'offset', 0) : 0
  }
}

function readUniverse(json: unknown): ScreenRequest['universe'] {
  if (!given(json)) return { preset: 'all' }
  const { type, value, symbols } = recordOf(json, 'universe')
  if (type === 'preset') return { preset: given(value) ? textOf(value, 'universe.value') : 'all' }
  if (type !== 'custom') throw mustBe('universe.type', 'preset or custom')
  if (!given(symbols)) throw mustBe('universe.symbols', 'an array of symbols')
  const named = listOf(symbols, 'universe.symbols', MAX_SCREEN_SYMBOLS).map((each, k) =>
    textOf(each, `universe.symbols[${k}]`)
  )
  return { symbols: new Set(named.flatMap((name) => readSymbol(name) ?? [])) }
}

function readFilter(json: unknown): Filter {
  let leaves = 0
  function read(part: unknown, place: string, depth: number): Filter {
    const record = recordOf(part, place)
    if (given(record['op'])) {
      const { op, conditions } = record
      if (op !== 'and' && op !== 'or') throw mustBe(`${place}.op`, 'and or or')
      if (depth >= MAX_DEPTH) throw mustBe(place, `nested at most ${MAX_DEPTH} deep`)
      const parts = listOf(conditions, `${place}.conditions`)
      if (parts.length === 0) throw mustBe(`${place}.conditions`, 'an array with at least one condition')
      return { op, conditions: parts.map((each, k) => read(each, `${place}.conditions[${k}]`, depth + 1)) }
    }
    if (++leaves > MAX_LEAVES) throw mustBe('filters', `a tree of at most ${MAX_LEAVES} conditions`)
    return {
      ...readOperand(record, place),
      operator: readOperator(record['operator'], place),
      value: record['value'],
      place
    }
  }
  return read(json, 'filters', 0)
}

function readOperator(json: unknown, place: string): Operator {
  const spelled = typeof json === 'string' && Object.hasOwn(operatorAliases, json) ? operatorAliases[json] : json
  const known = operators.find((operator) => operator === spelled)
  if (known === undefined) throw mustBe(`${place}.operator`, `one of ${operators.join(', ')}`)
  return known
}

function readOperand(record: Readonly<Record<string, unknown>>, place: string): Operand {
  const { field, formula } = record
  if (given(field) === given(formula)) throw mustBe(place, 'an object with either a field or a formula')
  return given(field) ? { field: textOf(field, `${place}.field`) } : { formula: textOf(formula, `${place}.formula`) }
}

function readFormula(json: unknown, k: number) {
  const place = `formulas[${k}]`
  const { alias, expression } = recordOf(json, place)
  if (typeof alias !== 'string' || !ALIAS.test(alias)) {
    throw mustBe(`${place}.alias`, 'a lower-case name of at most 40 letters, digits and _')
  }
  return { alias, expression: textOf(expression, `${place}.expression`), place }
}

function readSort(json: unknown, k: number) {
  const place = `sort[${k}]`
  const record = recordOf(json, place)
  const { direction } = record
  if (given(direction) && direction !== 'asc' && direction !== 'desc') throw mustBe(`${place}.direction`, 'asc or desc')
  return { ...readOperand(record, place), descending: direction !== 'asc', place }
}

const given = (value: unknown) => value !== undefined && value !== null

function recordOf(json: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw mustBe(place, 'a JSON object')
  return Object.fromEntries(Object.entries(json))
}

function listOf(json: unknown, place: string, most = Infinity): readonly unknown[] {
  if (!given(json)) return []
  if (!Array.isArray(json) || json.length > most) {
    throw mustBe(place, most === Infinity ? 'an array' : `an array of at most ${most}`)
  }
  return json
}

function textOf(json: unknown, place: string): string {
  if (typeof json !== 'string' || json.trim() === '') throw mustBe(place, 'a text')
  return json
}

function wholeOf(json: unknown, place: string, least: number): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json < least) {
    throw mustBe(place, `a whole number of ${least} or more`)
  }
  return json
}
