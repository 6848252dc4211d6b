import { nearest } from '../../../api/nearest.ts'
import { printable } from '../../../api/params.ts'
import type { SchemaNode } from '../../../api/schema-node.ts'
import { ToolRefusal } from '../backend.ts'

export interface Part {
  readonly value: unknown
  readonly node: SchemaNode
}

/** Fields that tell rows apart where a schema does not say which. */
const usualKeys = ['strike', 'expiration', 'expiry', 'date', 'symbol', 'name', 'id', 'field', 'kind']

/**
 * Finds a field by its path, such as strikes[640].net_gex: a name in brackets is the key of a row, or its position.
 * Throws a ToolRefusal that lists what is there.
 */
export function partOf(whole: Part, path: string): Part {
  let found = whole
  for (const [, name, key] of path.matchAll(/\.?([^.[\]]+)|\[([^\]]*)\]/g)) {
    found = name === undefined ? rowOf(found, key ?? '', path) : fieldOf(found, name, path)
  }
  return found
}

function fieldOf({ value, node }: Part, name: string, path: string): Part {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && Object.hasOwn(value, name)) {
    return { value: (value as Readonly<Record<string, unknown>>)[name], node: fieldNode(node, name) }
  }
  const names = isObject ? Object.keys(value) : []
  const near = nearest(name, names)
  const listed = (near.length > 0 ? near : names.slice(0, 30)).join(', ')
  const advice = listed === '' ? 'it has no fields' : `there are ${listed}`
  throw new ToolRefusal('invalid_part', `no part '${printable(path)}': ${advice}`)
}

function rowOf({ value, node }: Part, key: string, path: string): Part {
  const items = ofType(node, 'array').items ?? {}
  const rows = Array.isArray(value) ? value : []
  const names = [node['x-row-key'], ...usualKeys].filter((name) => name !== undefined)
  const row = rows.find((each) => names.some((name) => each?.[name] !== undefined && sameKey(each[name], key)))
  // Where rows have keys, a number is never a position: strikes[7] is no eighth strike.
  const name = names.find((each) => rows[0]?.[each] !== undefined)
  const found = row ?? (name === undefined && /^\d{1,6}$/.test(key) ? rows[Number(key)] : undefined)
  if (found !== undefined) return { value: found, node: items }
  const keys =
    name === undefined
      ? `0 to ${rows.length - 1}`
      : keysNear(
          rows.map((each) => each[name]),
          key
        )
  throw new ToolRefusal(
    'invalid_part',
    `no part '${printable(path)}': the list has ${rows.length} rows, such as ${keys}`
  )
}

const sameKey = (value: unknown, key: string) =>
  String(value) === key || (typeof value === 'number' && key !== '' && value === Number(key))

/** Some keys of a list, those nearest to a number first. */
function keysNear(keys: readonly unknown[], key: string): string {
  const wanted = Number(key)
  const isNumber = Number.isFinite(wanted) && keys.every((each) => typeof each === 'number')
  const sorted = isNumber ? [...(keys as number[])].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted)) : keys
  return sorted.slice(0, 8).join(', ')
}

/** The schema of a field of an object. */
export function fieldNode(node: SchemaNode, name: string): SchemaNode {
  const { properties = {}, patternProperties = {} } = ofType(node, 'object')
  return Object.hasOwn(properties, name) ? properties[name] : (Object.values(patternProperties)[0] ?? {})
}

/** The part of a schema that is of a type, where it allows others too, such as null. */
export function ofType(node: SchemaNode, type: 'array' | 'object'): SchemaNode {
  if (node.type === type) return node
  const found = [...(node.anyOf ?? []), ...(node.allOf ?? [])].find((each) => each.type === type)
  return found === undefined ? node : { ...node, ...found }
}
