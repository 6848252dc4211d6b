import { IsOptional, type TSchema } from 'typebox'
import { easternDateTime } from '../market/eastern.ts'
import { bytesOf, putBytes, putCode, putRounded, putString, putText } from './json-bytes.ts'
import { decimalsFor } from './rounding.ts'
import type { SchemaNode } from './schema-node.ts'

/** How times are printed: in UTC, ending in Z, or as New York time without a zone. */
export type Zone = 'utc' | 'et'

export type Serializer = (value: unknown) => Uint8Array

type Put = (value: unknown) => void

/**
 * Creates the function that writes responses of a declared schema as JSON. It rounds every number by the quantity that
 * its field declares, half away from zero; nothing else rounds. It writes null for undefined, NaN and infinity. It
 * prints times on the clock of `zone` and leaves dates unchanged.
 */
export function serializerOf(schema: TSchema, zone: Zone = 'utc'): Serializer {
  const put = compile(schema as SchemaNode, zone)
  return (value) => bytesOf(() => put(value))
}

export function textSerializerOf(schema: TSchema, zone: Zone = 'utc'): (value: unknown) => string {
  const serialize = serializerOf(schema, zone)
  return (value) => new TextDecoder().decode(serialize(value))
}

const ascii = (text: string) => new TextEncoder().encode(text)
const [NULL, TRUE, FALSE] = ['null', 'true', 'false'].map(ascii)
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA] = ascii('{}[],')

function compile(node: SchemaNode, zone: Zone): Put {
  if (node.anyOf) return compileUnion(node.anyOf, zone)
  if (node.type === 'object' && node.properties) return compileObject(node, zone)
  if (node.type === 'array' && node.items) return compileArray(node.items, zone)
  if (zone === 'et' && node.type === 'string' && node.format === 'date-time') return putEasternTime
  if (node.type === 'integer') return compileNumber((x) => putRounded(x, 0))
  if (node.type === 'number') return compileNumber(putNumberOf(node))
  return putPlain
}

function putPlain(value: unknown): void {
  if (typeof value === 'string') putString(value)
  else if (typeof value === 'boolean') putBytes(value ? TRUE : FALSE)
  else if (value === undefined || value === null) putBytes(NULL)
  else putText(JSON.stringify(value))
}

function compileUnion(members: readonly SchemaNode[], zone: Zone): Put {
  const shapes = members.filter((member) => member.type !== 'null').map((node) => ({ node, put: compile(node, zone) }))
  if (shapes.length === 1) {
    const [{ put }] = shapes
    return (value) => (value === undefined || value === null ? putBytes(NULL) : put(value))
  }
  return (value) => {
    if (value === undefined || value === null) return putBytes(NULL)
    const shape = shapes.find(({ node }) => looksLike(value, node))
    if (shape === undefined) throw new Error('an answer has none of the shapes it declares')
    shape.put(value)
  }
}

/** Length of yyyy-MM-dd; longer texts are date-times. */
const DATE_LENGTH = 10

function looksLike(value: unknown, node: SchemaNode): boolean {
  if (Array.isArray(value)) return node.type === 'array'
  if (typeof value === 'number') return node.type === 'number' || node.type === 'integer'
  if (typeof value === 'string' && node.format === 'date') return value.length === DATE_LENGTH
  if (typeof value !== 'object') return node.type === typeof value
  return node.type === 'object' && (node.required ?? []).every((key) => key in (value as object))
}

function compileObject({ properties = {} }: SchemaNode, zone: Zone): Put {
  const fields = Object.entries(properties).map(([key, node]) => ({
    key,
    optional: IsOptional(node as TSchema),
    label: ascii(`${JSON.stringify(key)}:`),
    put: compile(node, zone)
  }))
  return (value) => {
    const record = value as Readonly<Record<string, unknown>>
    putCode(OPEN_OBJECT)
    let isFirst = true
    for (const { key, optional, label, put } of fields) {
      const field = record[key]
      if (optional && field === undefined) continue
      if (!isFirst) putCode(COMMA)
      isFirst = false
      putBytes(label)
      put(field)
    }
    putCode(CLOSE_OBJECT)
  }
}

function compileArray(items: SchemaNode, zone: Zone): Put {
  const put = compile(items, zone)
  return (value) => {
    putCode(OPEN_ARRAY)
    let isFirst = true
    for (const item of value as readonly unknown[]) {
      if (!isFirst) putCode(COMMA)
      isFirst = false
      put(item)
    }
    putCode(CLOSE_ARRAY)
  }
}

function putEasternTime(value: unknown): void {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(instant)) putBytes(NULL)
  else putString(easternDateTime(instant))
}

function compileNumber(put: (x: number) => void): Put {
  return (value) => (typeof value === 'number' && Number.isFinite(value) ? put(value) : putBytes(NULL))
}

function putNumberOf(node: SchemaNode): (x: number) => void {
  const { 'x-decimals': decimals, 'x-significant': significant } = node
  if (decimals !== undefined) return (x) => putRounded(x, decimals)
  if (significant !== undefined) return (x) => putRounded(x, decimalsFor(x, significant))
  return (x) => putText(`${x}`)
}
