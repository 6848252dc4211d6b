import { mustBe, quotedInput, ScreenProblem } from './screen-problem.ts'
import { type Operator, operatorAliases, readScreen, type ScreenRequest } from './screen-request.ts'

// Grammar:
// or = and {"or" and}; and = part {"and" part}; part = condition | ( or )
// condition = operand (compare value | "between" value "and" value | "in" ( value {, value} ) | "is" ["not"] "null")
// operand = a field, an alias or a formula: everything before the operator

/** A filter in the form that a request body has. */
export type WrittenFilter =
  | { readonly op: 'and' | 'or'; readonly conditions: readonly WrittenFilter[] }
  | { readonly field: string; readonly operator: Operator; readonly value?: unknown }
  | { readonly formula: string; readonly operator: Operator; readonly value?: unknown }

interface Token {
  readonly text: string
  readonly from: number
  readonly to: number
}

export const MAX_CONDITIONS_LENGTH = 4000
const MAX_NESTING = 32
const token =
  /\s*('[^']*'|"[^"]*"|\d{4}-\d{2}-\d{2}|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_][\w.]*|==|!=|>=|<=|[=<>()+\-*/,])/y
const isName = (text: string) => /^[A-Za-z_][\w.]*$/.test(text)
const words = ['and', 'or', 'between', 'in', 'is', 'not', 'null']

/**
 * Parses a filter that is written as text, such as `atm_iv > 25 and regime = negative_gamma`, into the filter of a
 * request. `and` binds before `or`. Parentheses group either conditions or parts of a formula. On the right side of a
 * comparison, a name is a word, and `true` and `false` are truth values. Throws a `ScreenProblem` with the position of
 * an error.
 */
export function parseConditionText(text: string): WrittenFilter {
  if (text.length > MAX_CONDITIONS_LENGTH)
    throw problem(`conditions have at most ${MAX_CONDITIONS_LENGTH} characters`, MAX_CONDITIONS_LENGTH)
  const tokens = tokensOf(text)
  let at = 0
  let depth = 0
  const end = { text: '', from: text.length, to: text.length }
  const peek = (ahead = 0): Token => tokens[at + ahead] ?? end
  const isNext = (...wanted: readonly string[]) => wanted.includes(peek().text)
  function next(): Token {
    const taken = peek()
    at++
    return taken
  }
  function expect(...wanted: readonly string[]): void {
    if (!isNext(...wanted)) throw unexpected(peek(), `${wanted.join(' or ')} is expected`)
    next()
  }

  function joined(op: 'and' | 'or', part: () => WrittenFilter): WrittenFilter {
    const conditions = [part()]
    while (isNext(op)) {
      next()
      conditions.push(part())
    }
    return conditions.length === 1 ? conditions[0] : { op, conditions }
  }
  const anyOf = (): WrittenFilter => joined('or', () => joined('and', part))

  function part(): WrittenFilter {
    if (!isNext('(') || !groups(tokens, at)) return condition()
    if (++depth > MAX_NESTING) throw problem(`parentheses are nested deeper than ${MAX_NESTING}`, peek().from)
    next()
    const inside = anyOf()
    expect(')')
    depth--
    return inside
  }

  function condition(): WrittenFilter {
    const first = peek()
    while (at < tokens.length && !endsOperand(peek())) next()
    const last = tokens[at - 1]
    if (last === undefined || last.to <= first.from) throw unexpected(peek(), 'a field or a formula is expected')
    const written = text.slice(first.from, last.to)
    const operand = last === first && isName(written) ? { field: written } : { formula: written }
    const { text: operator, from } = next()
    if (Object.hasOwn(operatorAliases, operator))
      return { ...operand, operator: operatorAliases[operator], value: value() }
    if (operator === 'between') {
      const low = value()
      expect('and')
      return { ...operand, operator: 'between', value: [low, value()] }
    }
    if (operator === 'in') return { ...operand, operator: 'in', value: list() }
    if (operator !== 'is') throw unexpected({ text: operator, from, to: from }, 'a comparison is expected')
    const negated = isNext('not')
    if (negated) next()
    expect('null')
    return { ...operand, operator: negated ? 'is_not_null' : 'is_null' }
  }

  function list(): readonly unknown[] {
    expect('(')
    const all = [value()]
    while (isNext(',')) {
      next()
      all.push(value())
    }
    expect(')')
    return all
  }

  function value(): number | string | boolean {
    const minus = isNext('-') ? next() : undefined
    const found = next()
    const { text: written } = found
    if (/^[\d.]/.test(written) && !written.includes('-')) return (minus === undefined ? 1 : -1) * Number(written)
    if (minus !== undefined) throw unexpected(found, 'a number is expected')
    if (/^\d/.test(written)) return written
    if (/^['"]/.test(written)) return written.slice(1, -1)
    if (!isName(written) || words.includes(written)) throw unexpected(found, 'a value is expected')
    return written === 'true' || (written !== 'false' && written)
  }

  const filter = anyOf()
  if (at < tokens.length) throw unexpected(peek(), 'and, or or the end is expected')
  return filter
}

function endsOperand({ text }: Token): boolean {
  return Object.hasOwn(operatorAliases, text) || ['between', 'in', 'is', 'and', 'or'].includes(text)
}

/** Whether the parenthesis at `from` groups conditions. It does if a comparison follows inside it. */
function groups(tokens: readonly Token[], from: number): boolean {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { text } = tokens[at]
    if (text === '(') depth++
    else if (text === ')' && --depth === 0) return false
    else if (endsOperand(tokens[at])) return true
  }
  return false
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  const { length } = text.trimEnd()
  for (let at = 0; at < length; ) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) {
      const position = at + /^\s*/.exec(text.slice(at))![0].length
      throw problem(`${quotedInput(String.fromCodePoint(text.codePointAt(position)!))} has no meaning here`, position)
    }
    const to = token.lastIndex
    tokens.push({ text: found[1], from: to - found[1].length, to })
    at = to
  }
  return tokens
}

function unexpected({ text, from }: Token, wanted: string): ScreenProblem {
  return problem(`${text === '' ? 'the end' : quotedInput(text)} is unexpected: ${wanted}`, from)
}

function problem(what: string, position: number): ScreenProblem {
  return new ScreenProblem('request', `${what} (at position ${position})`, { position })
}

/**
 * Reads the JSON of a screen like `readScreen`, but also accepts conditions as text in the field `where`. Throws a
 * `ScreenProblem` that states where the error is: the field and, in text, the position.
 */
export function readWrittenScreen(json: unknown): ScreenRequest {
  if (typeof json !== 'object' || json === null || !('where' in json)) return readScreen(json)
  const { where, ...body } = json as { readonly where: unknown; readonly filters?: unknown }
  if (where === null) return readScreen(body)
  if (typeof where !== 'string') throw mustBe('where', 'conditions as text')
  if (body.filters !== undefined && body.filters !== null) throw mustBe('where', 'absent where filters are given')
  return readScreen({ ...body, filters: parseConditionText(where) })
}
