import { FilesError } from '../import-files.ts'
import { type ColumnMap, parseColumnMap } from '../tables/column-map.ts'
import { chainTableFields } from './chain-table.ts'
import type { VendorTable } from './vendor-layout.ts'
import { vendorTables } from './vendor-tables.ts'

export const vendorTableNames: readonly string[] = vendorTables.map(({ name }) => name)

/** Column names of the imported tables: a vendor's layout or the operator's column map. */
export interface ChainColumns {
  readonly vendor: VendorTable | undefined
  readonly columns: ColumnMap | undefined
}

/** Reads a vendor's table name or a column map (see `parseColumnMap`). Throws a `FilesError` if the text is neither. */
export function chainColumnsFrom(text: string): ChainColumns {
  const vendor = vendorTables.find(({ name }) => name === text)
  if (vendor !== undefined) return { vendor, columns: undefined }
  if (/^[\w-]+$/.test(text)) {
    throw new FilesError(`there is no table ${text}: those of vendors are ${vendorTableNames.join(', ')}`)
  }
  const columns = parseColumnMap(text, chainTableFields)
  const early = [...columns.keys()].find((column) => /_1545$/.test(column))
  if (early === undefined) return { vendor: undefined, columns }
  throw new FilesError(
    `the column ${early} is of 15:45, not of the close, and is not mixed with others: use --map datashop-1545`
  )
}
