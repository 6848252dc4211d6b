import type { TSchema } from 'typebox'
import { roundTo, roundToSignificant } from '../../api/rounding.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import { dateOfEpochDay, epochDay, parseIsoDate } from '../../market/units.ts'
import type { FieldLevel, ScreenEntitlement, ScreenerField } from '../../screener/screener-field.ts'

/**
 * Type of a screener field and how its values are stored, whether the field describes a symbol, an expiration or
 * something else.
 */
type Kind = Omit<ScreenerField, 'key' | 'name' | 'level' | 'entitlement' | 'note'>

const unrounded = { unit: undefined, round: (x: number) => x, reach: () => 0 }
const never = () => Number.NaN

export function figure(quantity: TSchema): Kind {
  const { type, 'x-unit': unit, 'x-decimals': decimals, 'x-significant': significant } = quantity as SchemaNode
  const kind = {
    type: 'number',
    unit,
    encode: (value: unknown) => value as number,
    decode: (held: number) => held
  } as const
  if (significant !== undefined) {
    const reach = (x: number) => Math.abs(x) * 10 ** (2 - significant)
    return { ...kind, round: (x) => roundToSignificant(x, significant), reach }
  }
  const places = type === 'integer' ? 0 : decimals!
  return { ...kind, round: (x) => roundTo(x, places), reach: () => 10 ** -places }
}

/** Field whose value is one of a few words. The index of the word is stored. */
export function word(...words: readonly string[]): Kind {
  const encode = (value: unknown) => {
    const at = words.indexOf(value as string)
    return at < 0 ? Number.NaN : at
  }
  return { ...unrounded, type: 'string', encode, decode: (held) => words[held] }
}

/** Date field. The number of the day is stored. */
export const dateKind: Kind = {
  ...unrounded,
  unit: 'yyyy-MM-dd',
  type: 'string',
  encode: (value) => {
    const read = parseIsoDate(String(value))
    return read === undefined ? Number.NaN : epochDay(read)
  },
  decode: (held) => dateOfEpochDay(held)
}

export const truth: Kind = {
  ...unrounded,
  type: 'boolean',
  encode: (value) => (value ? 1 : 0),
  decode: (held) => held === 1
}

/** The field for the symbol itself, which the row stores as text and not in a column of numbers. */
export const symbolName: Kind = { ...unrounded, type: 'string', encode: never, decode: () => null }

interface Declared {
  readonly entitlement?: ScreenEntitlement
  readonly note?: string
}

export function fieldOf(
  level: FieldLevel,
  key: string,
  kind: Kind,
  { entitlement, note }: Declared = {}
): ScreenerField {
  const name = level === 'stock' || level === 'macro' ? key : `${level}.${key}`
  return { ...kind, key, name, level, entitlement, note }
}
