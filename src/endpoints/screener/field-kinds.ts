import type { TSchema } from 'typebox'
import { roundTo, roundToSignificant } from '../../api/rounding.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import { dateOfEpochDay, epochDay, parseIsoDate } from '../../market/units.ts'
import type { FieldLevel, ScreenEntitlement, ScreenerField } from '../../screener/screener-field.ts'

/** Type and encoding of a screener field, independent of its level. */
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

/** Field with one of a few words, stored as an index. */
export function word(...words: readonly string[]): Kind {
  const encode = (value: unknown) => {
    const at = words.indexOf(value as string)
    return at < 0 ? Number.NaN : at
  }
  return { ...unrounded, type: 'string', encode, decode: (held) => words[held] }
}

/** Date field, stored as a day number. */
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

/** The symbol, which is stored with the row and not in a column. */
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
