import type { KnownLayout } from '../tables/known-layout.ts'
import type { ChainField } from './chain-table.ts'
import type { PreambleReader } from './exchange-preamble.ts'

export interface VendorTable extends KnownLayout<ChainField> {
  /** Number of minutes before the close at which the quotes were taken. */
  readonly beforeClose: number
  /** True if an option root other than the symbol marks an adjusted contract, which does not deliver 100 shares. */
  readonly rootsOfSymbol: boolean
  /** Reads what the lines before the heading state about all rows. */
  readonly preamble?: PreambleReader
  /** Matches the name of a file that states `symbol`, `date` or `expiration` of all rows, by groups of these names. */
  readonly inName?: RegExp
}

/** Options of a table whose quotes are of the close. */
export const atClose = { beforeClose: 0, rootsOfSymbol: false } as const
