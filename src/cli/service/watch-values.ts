import type { Value } from '../../api/stream-frames.ts'
import { grouped, level, money, percent } from '../../wording/format.ts'

/** Formats a value according to its unit in the catalog. A value whose unit is unknown is shown as it is. */
export function formattedValue(value: unknown, unit: string | null): string {
  if (value === null || value === undefined) return '-'
  if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value)
  switch (unit) {
    case 'usd':
    case 'usd-notional':
      return money(value)
    case 'price':
      return level(value)
    case 'percent':
      return percent(value)
    case 'contracts':
    case 'shares':
    case 'count':
      return grouped(value)
    default:
      return String(value)
  }
}

/** Formats the change of a value since the first one, with a sign; empty if either is not a number. */
export function changeOf(value: unknown, first: unknown, unit: string | null): string {
  if (typeof value !== 'number' || typeof first !== 'number') return ''
  const change = Number((value - first).toPrecision(12)) // removes floating-point noise from the subtraction
  const figure = formattedValue(Math.abs(change), unit)
  return change === 0 ? '' : `${change > 0 ? '+' : '-'}${figure}`
}

/** Formats an age as 0 s, 14 s, 3 min, 2 h or 5 d. */
export function ageOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** One part of an object or list value, with its path below the metric. */
export interface ValuePart {
  readonly path: string
  readonly value: unknown
}

/** Maximum number of list rows shown; the rest are only counted. */
const MAX_ITEMS = 40
/** Fields that may identify a row of a list; the first field present is used. */
const keyFields = ['strike', 'expiration', 'expiry', 'bucket', 'move', 'date', 'symbol'] as const

/** Splits an object or list into parts with single values. Undefined if the value is single already. */
export function partsOf(value: Value): readonly ValuePart[] | undefined {
  return isNested(value) ? nestedParts(value, '') : undefined
}

function nestedParts(value: object, path: string): readonly ValuePart[] {
  if (Array.isArray(value)) return listParts(value, path)
  return Object.entries(value).flatMap(([name, inner]) => below(inner, `${path}.${name}`))
}

function listParts(list: readonly unknown[], path: string): readonly ValuePart[] {
  const shown = list.slice(0, MAX_ITEMS).flatMap((item, k) => below(item, `${path}[${keyOf(item) ?? k}]`))
  return list.length > MAX_ITEMS ? [...shown, { path, value: `and ${list.length - MAX_ITEMS} more` }] : shown
}

function below(value: unknown, path: string): readonly ValuePart[] {
  if (!isNested(value)) return [{ path, value }]
  const parts = nestedParts(value, path)
  return parts.length === 0 ? [{ path, value: Array.isArray(value) ? 'none' : '-' }] : parts
}

function keyOf(item: unknown): string | number | undefined {
  if (!isNested(item)) return undefined
  const fields = item as Readonly<Record<string, unknown>> // elements of parsed JSON
  const key = keyFields.map((name) => fields[name]).find((found) => found !== undefined)
  return typeof key === 'string' || typeof key === 'number' ? key : undefined
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
