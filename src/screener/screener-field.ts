import type { PricedChain } from '../pricing/price-chain.ts'
import type { StrikeNodes } from './chain-tree.ts'

export const fieldLevels = ['stock', 'expiries', 'strikes', 'contracts', 'macro'] as const
export type FieldLevel = (typeof fieldLevels)[number]
export type FieldType = 'number' | 'string' | 'boolean'

/** Permission to screen every symbol, use every field and formulas, and page through the rows. */
export type ScreenEntitlement = 'full_screen'

export interface ScreenCaller {
  readonly has: (entitlement: ScreenEntitlement) => boolean
  /** Name of the cheapest plan with an entitlement, for error messages. */
  readonly planWith: (entitlement: ScreenEntitlement) => string
}

/** A value as printed in responses. */
export type Printed = number | string | boolean | null

/**
 * A field of the screener. Its values are stored as doubles, NaN if missing, so that conditions compare numbers for
 * every type: a word is stored as its index in a list, true as 1, a date as its day number.
 */
export interface ScreenerField {
  /** Name without the prefix of the level: delta. */
  readonly key: string
  /** Name in requests: contracts.delta. */
  readonly name: string
  readonly level: FieldLevel
  readonly type: FieldType
  /** Entitlement required to read the field; undefined if everybody may. */
  readonly entitlement: ScreenEntitlement | undefined
  readonly unit: string | undefined
  readonly note: string | undefined
  /** Encodes a value of a request; NaN for a word that no row can have. */
  readonly encode: (value: number | string | boolean) => number
  readonly decode: (held: number) => Printed
  /** Rounds a figure as printed. Stored figures of symbols and expirations are already rounded. */
  readonly round: (x: number) => number
  /** Largest change that rounding can make near `x`. */
  readonly reach: (x: number) => number
}

/** A field of strikes: `ofStrike` reads it for node k of a chain. */
export interface StrikeField extends ScreenerField {
  readonly ofStrike: (chain: PricedChain, nodes: StrikeNodes) => (k: number) => number
}

export interface ContractField extends ScreenerField {
  readonly ofContract: (chain: PricedChain) => (slot: number) => number
}

/** All fields by level. Rows have one column for each field of `stock` and `expiries`, in this order. */
export interface FieldTable {
  readonly stock: readonly ScreenerField[]
  readonly macro: readonly ScreenerField[]
  readonly expiries: readonly ScreenerField[]
  readonly strikes: readonly StrikeField[]
  readonly contracts: readonly ContractField[]
  readonly byName: ReadonlyMap<string, ScreenerField>
}

/** Builds the table of fields. Throws if two have equal names. */
export function fieldTable(fields: Omit<FieldTable, 'byName'>): FieldTable {
  const { stock, macro, expiries, strikes, contracts } = fields
  const all: readonly ScreenerField[] = [...stock, ...macro, ...expiries, ...strikes, ...contracts]
  const byName = new Map(all.map((field) => [field.name, field]))
  if (byName.size < all.length) throw new Error('two fields of the screener have one name')
  return { ...fields, byName }
}

/** Whether a field has one value per symbol. */
export function isOfRow({ level }: Pick<ScreenerField, 'level'>): boolean {
  return level === 'stock' || level === 'macro'
}
