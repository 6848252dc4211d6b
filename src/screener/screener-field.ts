import type { PricedChain } from '../pricing/price-chain.ts'
import type { StrikeNodes } from './chain-tree.ts'

export const fieldLevels = ['stock', 'expiries', 'strikes', 'contracts', 'macro'] as const
export type FieldLevel = (typeof fieldLevels)[number]
export type FieldType = 'number' | 'string' | 'boolean'

/** Entitlement to screen every symbol, to use every field and formulas, and to page through the rows. */
export type ScreenEntitlement = 'full_screen'

/** The caller of a screen. */
export interface ScreenCaller {
  readonly has: (entitlement: ScreenEntitlement) => boolean
  /** Name of the least plan with an entitlement, for the refusal. */
  readonly planWith: (entitlement: ScreenEntitlement) => string
}

/** A value as it is printed. */
export type Printed = number | string | boolean | null

/**
 * What a field is and how its values are held: as doubles in columns, NaN where there is none. A word is held as its place
 * in a list, true as 1, a date as its day number, so that a condition compares numbers whatever the type is.
 */
export interface ScreenerField {
  /** Without the prefix of its level. */
  readonly key: string
  /** As requests write it: contracts.delta. */
  readonly name: string
  readonly level: FieldLevel
  readonly type: FieldType
  /** The entitlement without which the field cannot be read; undefined for a field that everybody reads. */
  readonly entitlement: ScreenEntitlement | undefined
  readonly unit: string | undefined
  readonly note: string | undefined
  /** A value of the request as it is held; NaN for a word that no row can have. */
  readonly encode: (value: number | string | boolean) => number
  readonly decode: (held: number) => Printed
  /** A figure as it is printed. What is held of symbols and expirations is rounded already. */
  readonly round: (x: number) => number
  /** How far rounding may move a figure near `x`. */
  readonly reach: (x: number) => number
}

/** A figure of a strike, the k-th of the chain's nodes, read off its contracts. */
export interface StrikeField extends ScreenerField {
  readonly ofStrike: (chain: PricedChain, nodes: StrikeNodes) => (k: number) => number
}

/** A figure of one contract. */
export interface ContractField extends ScreenerField {
  readonly ofContract: (chain: PricedChain) => (slot: number) => number
}

/** Every field there is, by level; the rows hold one column for each of `stock` and `expiries`, in this order. */
export interface FieldTable {
  readonly stock: readonly ScreenerField[]
  readonly macro: readonly ScreenerField[]
  readonly expiries: readonly ScreenerField[]
  readonly strikes: readonly StrikeField[]
  readonly contracts: readonly ContractField[]
  readonly byName: ReadonlyMap<string, ScreenerField>
}

/** The table of fields whose names are told apart. */
export function fieldTable(fields: Omit<FieldTable, 'byName'>): FieldTable {
  const { stock, macro, expiries, strikes, contracts } = fields
  const all: readonly ScreenerField[] = [...stock, ...macro, ...expiries, ...strikes, ...contracts]
  const byName = new Map(all.map((field) => [field.name, field]))
  if (byName.size < all.length) throw new Error('two fields of the screener have one name')
  return { ...fields, byName }
}

/** Whether a field describes a symbol as a whole, so that a row has one value of it. */
export function isOfRow({ level }: Pick<ScreenerField, 'level'>): boolean {
  return level === 'stock' || level === 'macro'
}
