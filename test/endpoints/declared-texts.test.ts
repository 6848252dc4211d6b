import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { textKinds } from '../../src/api/quantity.ts'
import { endpoints } from '../../src/endpoints/index.ts'

interface Text {
  readonly place: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Every text of a response schema, with its place. */
function textsOf(schema: TSchema, place = ''): readonly Text[] {
  const { type, anyOf, items, properties, patternProperties } = schema as {
    readonly type?: string
    readonly anyOf?: readonly TSchema[]
    readonly items?: TSchema
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly patternProperties?: Readonly<Record<string, TSchema>>
  }
  if (type === 'string') return [{ place, schema: schema as never }]
  const inner = { ...patternProperties, ...properties }
  return [
    ...(anyOf ?? []).flatMap((one) => textsOf(one, place)),
    ...(items === undefined ? [] : textsOf(items, `${place}[]`)),
    ...Object.entries(inner).flatMap(([name, one]) => textsOf(one, `${place}.${name}`))
  ]
}

const isSentence = ({ schema }: Text) => schema['x-text'] === 'sentence'

describe.each(endpoints)('$id', ({ response, needs }) => {
  const texts = textsOf(response)

  test('says of each text what it is', () => {
    const undeclared = texts.filter(({ schema }) => {
      const isKnown = textKinds.includes(schema['x-text'] as never)
      return !isKnown && ['enum', 'const', 'format', 'pattern'].every((keyword) => schema[keyword] === undefined)
    })
    expect(undeclared.map(({ place }) => place)).toEqual([])
  })

  test('concludes nothing from a chain that it does not know the quality of', () => {
    const readsChain = needs.includes('chain') || needs.includes('anyChain')
    if (readsChain && texts.some(isSentence)) expect(needs).toContain('distrust')
  })
})

test('the texts of responses are of every kind', () => {
  const kinds = new Set(endpoints.flatMap(({ response }) => textsOf(response).map(({ schema }) => schema['x-text'])))
  for (const kind of textKinds) expect(kinds).toContain(kind)
})
