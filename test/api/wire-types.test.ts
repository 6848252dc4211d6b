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
  return /readonly answer: ([\s\S]*)\n {2}}\n}\n$/.exec(wireTypes([listed]))?.[1] ?? ''
}

const field = (schema: TSchema) => /\{\n([\s\S]*) {4}}$/.exec(answerOf(Type.Object({ field: schema })))?.[1]

test.each([
  [
    'a number by its unit and meaning',
    Price('of the strike'),
    '      /** price; of the strike */\n      readonly field: number\n'
  ],
  ['a whole number as a number', Days(), '      /** days */\n      readonly field: number\n'],
  ['what may be null', Nullable(Price()), '      /** price */\n      readonly field: number | null\n'],
  ['words', Words('put', "trader's"), "      readonly field: 'put' | 'trader\\'s'\n"],
  ['one word', Type.Literal(true), '      readonly field: true\n'],
  ['a list', Type.Array(Type.String()), '      readonly field: readonly string[]\n'],
  ['a list of words', Type.Array(Words('a', 'b')), "      readonly field: readonly ('a' | 'b')[]\n"],
  [
    'a list of what may be null',
    Type.Array(Nullable(Type.String())),
    '      readonly field: readonly (string | null)[]\n'
  ],
  [
    'figures by name',
    Type.Record(Type.String(), Type.Number()),
    '      readonly field: Readonly<Record<string, number>>\n'
  ],
  ['what may be left out', Type.Optional(Type.Boolean()), '      readonly field?: boolean\n'],
  [
    'a meaning that would end its comment',
    Type.String({ description: 'a */ b' }),
    '      /** a * / b */\n      readonly field: string\n'
  ]
])('%s is written', (_, schema, text) => {
  expect(field(schema)).toBe(text)
})

test('one of two shapes is written as a choice, also inside a list', () => {
  const shapes = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])
  expect(answerOf(shapes).replace(/\s+/g, ' ')).toBe('{ readonly a: string } | { readonly b: string }')
  expect(answerOf(Type.Array(shapes)).replace(/\s+/g, ' ')).toBe(
    'readonly ({ readonly a: string } | { readonly b: string })[]'
  )
})

test('a schema without a type is a fault of its author, not any', () => {
  expect(() => answerOf(Type.Unsafe({}))).toThrow('no counterpart')
})
