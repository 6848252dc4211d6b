import type { PricedChain } from '../pricing/price-chain.ts'
import type { StrikeNodes } from './chain-tree.ts'

export const fieldLevels = ['stock', 'expiries', 'strikes', 'contracts', 'macro'] as const
export type FieldLevel = (typeof fieldLevels)[number]
export type FieldType = 'number' | 'string' | 'boolean'

/** Right of a caller to screen every symbol, to use every field and formulas, and to page through the rows. */
export type ScreenEntitlement = 'full_screen'

export interface ScreenCaller {
  readonly has: (entitlement: ScreenEntitlement) => boolean
  /** Name of the cheapest plan that includes an entitlement. Error messages mention it. */
  readonly planWith: (entitlement: ScreenEntitlement) => string
}

/** A value as it appears in a response. */
export type Printed = number | string | boolean | null

/**
 * A field of the screener. All its values are stored as doubles, so that conditions always compare numbers: a word as
 * its index in a list, true as 1, a date as its day number. NaN means missing.
 */
export interface ScreenerField {
  /** Name without the prefix of its level, such as `delta`. */
  readonly key: string
  /** Name in requests, such as `contracts.delta`. */
  readonly name: string
  readonly level: FieldLevel
  readonly type: FieldType
  /** Entitlement that a caller needs to read the field. Undefined if everybody may read it. */
  readonly entitlement: ScreenEntitlement | undefined
  readonly unit: string | undefined
  readonly note: string | undefined
  /** Encodes a value from a request as a number. NaN for a word that no row can have. */
  readonly encode: (value: number | string | boolean) => number
  readonly decode: (held: number) => Printed
  /** Rounds a figure as in responses. Stored figures of symbols and expirations are already rounded. */
  readonly round: (x: number) => number
  /** Largest amount by which rounding can change a figure near `x`. */
  readonly reach: (x: number) => number
}

/** A field of strikes. `ofStrike` returns a function that reads its value at strike `k` of a chain. */
export interface StrikeField extends ScreenerField {
  readonly ofStrike: (chain: PricedChain, nodes: StrikeNodes) => (k: number) => number
}

export interface ContractField extends ScreenerField {
  readonly ofContract: (chain: PricedChain) => (slot: number) => number
}

/**
 * All fields by level. Stored rows have one column for each field in `stock`, and one for each in `expiries`, in this
 * order.
 */
export interface FieldTable {
  readonly stock: readonly ScreenerField[]
  readonly macro: readonly ScreenerField[]
  readonly expiries: readonly ScreenerField[]
  readonly strikes: readonly StrikeField[]
  readonly contracts: readonly ContractField[]
  readonly byName: ReadonlyMap<string, ScreenerField>
}

/** Builds the table of fields. Throws if two fields have the same name. */
export function fieldTable(fields: Omit<FieldTable, 'byName'>): FieldTable {
  const { stock, macro, expiries, strikes, contracts } = fields
  const all: readonly ScreenerField[] = [...stock, ...macro, ...expiries, ...strikes, ...contracts]
  const byName = new Map(all.map((field) => [field.name, field]))
  if (byName.size < all.length) throw new Error('two fields of the screener have one name')
  return { ...fields, byName }
}

/** Whether a field has one value per symbol: a stock or macro field. */
export function isOfRow({ level }: Pick<ScreenerField, 'level'>): boolean {
  return level === 'stock' || level === 'macro'
}
