import { quotedInput, ScreenProblem } from './screen-problem.ts'

// Grammar:
// expr = term {(+|-) term}; term = factor {(*|/) factor}; factor = [-] primary
// primary = number | name | ( expr ) | func ( expr {, expr} ); func = abs, min, max, sqrt, ln

export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string; readonly position: number }
  | { readonly kind: 'negative'; readonly of: Formula }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly call: Call; readonly of: readonly Formula[] }

type Operator = '+' | '-' | '*' | '/'
type Call = keyof typeof calls

export const MAX_FORMULA_LENGTH = 256
const MAX_DEPTH = 32

/** Functions that formulas may use. A missing figure is NaN, and so is every result computed from it. */
const calls = {
  abs: { arguments: 1, of: ([x]: readonly number[]) => Math.abs(x) },
  min: { arguments: Infinity, of: (all: readonly number[]) => Math.min(...all) },
  max: { arguments: Infinity, of: (all: readonly number[]) => Math.max(...all) },
  sqrt: { arguments: 1, of: ([x]: readonly number[]) => Math.sqrt(x) },
  ln: { arguments: 1, of: ([x]: readonly number[]) => (x > 0 ? Math.log(x) : Number.NaN) }
} as const
export const formulaCalls = Object.keys(calls) as readonly Call[]

const operations: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? Number.NaN : a / b)
}

interface Token {
  readonly kind: 'number' | 'name' | 'mark' | 'end'
  readonly text: string
  readonly position: number
}

const tokenAt = /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*(?:\.\w+)*)|([-+*/(),]))/y
const space = /\s*/y

/**
 * Parses a formula in linear time. It may have 256 characters and 32 levels of parentheses. Names are not compared with
 * the fields yet. Throws a `ScreenProblem` with the position of the error, counted from 0.
 */
export function parseFormula(text: string): Formula {
  if (text.length > MAX_FORMULA_LENGTH) {
    throw formulaProblem(`a formula has at most ${MAX_FORMULA_LENGTH} characters`, MAX_FORMULA_LENGTH)
  }
  let token = tokenFrom(text, 0)
  let depth = 0

  function next(): Token {
    const taken = token
    if (taken.kind !== 'end') token = tokenFrom(text, taken.position + taken.text.length)
    return taken
  }
  const isMark = (...marks: readonly string[]) => token.kind === 'mark' && marks.includes(token.text)
  function expect(mark: string): void {
    if (!isMark(mark)) throw unexpected(token, `${mark} is expected`)
    next()
  }

  function expression(): Formula {
    let left = term()
    while (isMark('+', '-')) left = operation(next().text as Operator, left, term())
    return left
  }
  function term(): Formula {
    let left = factor()
    while (isMark('*', '/')) left = operation(next().text as Operator, left, factor())
    return left
  }
  function factor(): Formula {
    if (!isMark('-')) return primary()
    next()
    return { kind: 'negative', of: primary() }
  }
  function primary(): Formula {
    const { kind, text: written, position } = token
    if (kind === 'number') return { kind, value: Number(next().text) }
    if (isMark('(')) return inside(expression)
    if (kind !== 'name') throw unexpected(token, 'a number, a name or ( is expected')
    next()
    if (!isMark('(')) return { kind, name: written, position }
    if (!Object.hasOwn(calls, written)) {
      throw formulaProblem(`${quotedInput(written)} is no function: use ${formulaCalls.join(', ')}`, position)
    }
    const call = written as Call
    const of = inside(list)
    if (of.length > calls[call].arguments) throw formulaProblem(`${call} takes one argument`, position)
    return { kind: 'call', call, of }
  }
  function list(): readonly Formula[] {
    const all = [expression()]
    while (isMark(',')) {
      next()
      all.push(expression())
    }
    return all
  }
  function inside<Part>(part: () => Part): Part {
    const { position } = next()
    if (++depth > MAX_DEPTH) throw formulaProblem(`parentheses are nested deeper than ${MAX_DEPTH}`, position)
    const parsed = part()
    expect(')')
    depth--
    return parsed
  }

  const parsed = expression()
  if (token.kind !== 'end') throw unexpected(token, 'an operator or the end is expected')
  return parsed
}

const operation = (operator: Operator, left: Formula, right: Formula): Formula => ({
  kind: 'operation',
  operator,
  left,
  right
})

function tokenFrom(text: string, at: number): Token {
  tokenAt.lastIndex = at
  const found = tokenAt.exec(text)
  if (found === null) {
    space.lastIndex = at
    space.exec(text)
    const position = space.lastIndex
    if (position >= text.length) return { kind: 'end', text: '', position: text.length }
    const character = String.fromCodePoint(text.codePointAt(position)!)
    throw formulaProblem(`${quotedInput(character)} has no meaning in a formula`, position)
  }
  const [all, number, name, mark] = found
  const written = (number ?? name ?? mark) as string
  const position = at + all.length - written.length
  return { kind: number !== undefined ? 'number' : name !== undefined ? 'name' : 'mark', text: written, position }
}

function unexpected({ kind, text, position }: Token, wanted: string): ScreenProblem {
  return formulaProblem(`${kind === 'end' ? 'the end' : quotedInput(text)} is unexpected: ${wanted}`, position)
}

export function formulaProblem(what: string, position: number): ScreenProblem {
  return new ScreenProblem('formula', `${what} (at position ${position})`, { position })
}

/** Given a name in a formula, returns a function that reads its figure from a row. */
export type NameReader<Row> = (name: string, position: number) => (row: Row) => number

/**
 * Turns a formula into a function of a row. The result is NaN if an operand is missing or the result is not finite:
 * division by zero, the root of a negative number, the logarithm of a number that is not positive.
 */
export function compileFormula<Row>(formula: Formula, read: NameReader<Row>): (row: Row) => number {
  const compiled = compile(formula, read)
  return (row) => {
    const value = compiled(row)
    return Number.isFinite(value) ? value : Number.NaN
  }
}

function compile<Row>(formula: Formula, read: NameReader<Row>): (row: Row) => number {
  switch (formula.kind) {
    case 'number': {
      const { value } = formula
      return () => value
    }
    case 'name':
      return read(formula.name, formula.position)
    case 'negative': {
      const of = compile(formula.of, read)
      return (row) => -of(row)
    }
    case 'operation': {
      const [left, right] = [compile(formula.left, read), compile(formula.right, read)]
      const combine = operations[formula.operator]
      return (row) => combine(left(row), right(row))
    }
    case 'call': {
      const of = formula.of.map((each) => compile(each, read))
      const call = calls[formula.call].of
      return (row) => call(of.map((each) => each(row)))
    }
  }
}
