import type { Value } from '../api/stream-frames.ts'

/** A part of a value: where it stands in it, as the end of a metric's name, and what it is. */
export interface Part {
  readonly path: string
  readonly value: unknown
}

/** Rows of a list that are drawn: the others are counted. */
const MAX_ITEMS = 40
/** Fields by which the rows of a list are told apart, the first that a row has. */
const keyFields = ['strike', 'expiration', 'expiry', 'bucket', 'move', 'date', 'symbol'] as const

/** The parts of an object or a list, each with a plain value; undefined for a plain value itself. */
export function partsOf(value: Value): readonly Part[] | undefined {
  return isNested(value) ? nestedParts(value, '') : undefined
}

function nestedParts(value: object, path: string): readonly Part[] {
  if (Array.isArray(value)) return listParts(value, path)
  return Object.entries(value).flatMap(([name, inner]) => below(inner, `${path}.${name}`))
}

function listParts(list: readonly unknown[], path: string): readonly Part[] {
  const shown = list.slice(0, MAX_ITEMS).flatMap((item, k) => below(item, `${path}[${keyOf(item) ?? k}]`))
  return list.length > MAX_ITEMS ? [...shown, { path, value: `and ${list.length - MAX_ITEMS} more` }] : shown
}

function below(value: unknown, path: string): readonly Part[] {
  if (!isNested(value)) return [{ path, value }]
  const parts = nestedParts(value, path)
  return parts.length === 0 ? [{ path, value: Array.isArray(value) ? 'none' : '-' }] : parts
}

function keyOf(item: unknown): string | number | undefined {
  if (!isNested(item)) return undefined
  const fields = item as Readonly<Record<string, unknown>> // of a list of objects that came as JSON
  const key = keyFields.map((name) => fields[name]).find((found) => found !== undefined)
  return typeof key === 'string' || typeof key === 'number' ? key : undefined
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
