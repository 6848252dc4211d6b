import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { endpoint } from '../../src/api/endpoint.ts'
import { number, symbolInPath } from '../../src/api/params.ts'
import { Days, Nullable, Price, Words } from '../../src/api/quantity.ts'
import { wireTypes } from '../../src/api/wire-types.ts'

const strike = number({ description: 'a number above 0', above: 0 })

/** The answer type that is written for a response. */
function answerOf(response: TSchema): string {
  const listed = endpoint({
    id: 'test.one',
    path: '/v1/test/{symbol}',
    tag: 'test',
    summary: 'A test',
    plan: 'free',
    needs: [],
    params: { symbol: symbolInPath(), strike },
    replay: true,
    stream: false,
    response,
    answer: () => ({}) as never
  })
  const types = wireTypes([listed])
  expect(types).toContain('    readonly answer: TestOne\n')
  return types.slice(types.indexOf('\n}\n') + '\n}\n'.length)
}

/** The type that is written for a field of a response. */
const field = (schema: TSchema) =>
  /^\nexport type TestOne = \{\n([\s\S]*)}\n$/.exec(answerOf(Type.Object({ field: schema })))?.[1]

test.each([
  [
    'a number by its unit and meaning',
    Price('of the strike'),
    '  /** price; of the strike */\n  readonly field: number\n'
  ],
  ['a whole number as a number', Days(), '  /** days */\n  readonly field: number\n'],
  ['what may be null', Nullable(Price()), '  /** price */\n  readonly field: number | null\n'],
  ['words', Words('put', "trader's"), "  readonly field: 'put' | 'trader\\'s'\n"],
  ['one word', Type.Literal(true), '  readonly field: true\n'],
  ['a list', Type.Array(Type.String()), '  readonly field: readonly string[]\n'],
  ['a list of words', Type.Array(Words('a', 'b')), "  readonly field: readonly ('a' | 'b')[]\n"],
  ['a list of what may be null', Type.Array(Nullable(Type.String())), '  readonly field: readonly (string | null)[]\n'],
  [
    'figures by name',
    Type.Record(Type.String(), Type.Number()),
    '  readonly field: Readonly<Record<string, number>>\n'
  ],
  ['what may be left out', Type.Optional(Type.Boolean()), '  readonly field?: boolean\n'],
  [
    'a meaning that would end its comment',
    Type.String({ description: 'a */ b' }),
    '  /** a * / b */\n  readonly field: string\n'
  ]
])('%s is written', (_, schema, text) => {
  expect(field(schema)).toBe(text)
})

test('an object is written as a type with its name, one for all places that have it', () => {
  const hedge = Type.Object({ shares: Type.Integer() }, { title: 'Hedge' })
  const rows = Type.Array(Type.Object({ strike: Price() }))
  expect(answerOf(Type.Object({ up: hedge, down: Nullable(hedge), strikes: rows }))).toBe(`
export type Hedge = {
  readonly shares: number
}

export type TestOne = {
  readonly up: Hedge
  readonly down: Hedge | null
  readonly strikes: readonly TestOneStrike[]
}

export type TestOneStrike = {
  /** price */
  readonly strike: number
}
`)
})

test('one of two shapes is written as a choice, also inside a list', () => {
  const shapes = Type.Union([
    Type.Object({ a: Type.String() }, { title: 'A' }),
    Type.Object({ b: Type.String() }, { title: 'B' })
  ])
  expect(answerOf(shapes)).toContain('export type TestOne = A | B\n')
  expect(answerOf(Type.Array(shapes))).toContain('export type TestOne = readonly (A | B)[]\n')
})

test('two objects of one name are a fault of their author', () => {
  const [one, other] = [Type.String(), Type.Number()].map((a) => Type.Object({ a }, { title: 'A' }))
  expect(() => answerOf(Type.Object({ one, other }))).toThrow('two different schemas are named A')
})

test('a schema without a type is a fault of its author, not any', () => {
  expect(() => answerOf(Type.Unsafe({}))).toThrow('no counterpart')
})
