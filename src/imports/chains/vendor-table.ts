import { FilesError } from '../import-files.ts'
import { type ColumnMap, parseColumnMap } from '../tables/column-map.ts'
import { type Line, textOf } from '../tables/csv-line.ts'
import { type ChainField, type ChainLayout, chainTableFields } from './chain-table.ts'

export interface VendorTable {
  readonly name: string
  /**
   * For each field, the column names that the vendor has used. The table must have a column for every field; case does
   * not matter.
   */
  readonly columns: Readonly<Partial<Record<ChainField, readonly string[]>>>
  /** Number of minutes before the close at which the quotes were taken. */
  readonly beforeClose: number
  /** True if an option root other than the symbol marks an adjusted contract, which does not deliver 100 shares. */
  readonly rootsOfSymbol: boolean
}

/**
 * Columns of Cboe DataShop's "Option EOD Summary", with or without calculated columns. The table holds two snapshots a
 * day, at 15:45 and at the end of the day, because index quotes at 16:15 do not match the index close at 16:00. Option
 * quotes and underlying prices must be taken from the same snapshot.
 */
function datashop(snapshot: 'eod' | '1545'): VendorTable['columns'] {
  return {
    symbol: ['underlying_symbol'],
    date: ['quote_date'],
    root: ['root'],
    expiration: ['expiration'],
    strike: ['strike'],
    right: ['option_type'],
    bid: [`bid_${snapshot}`],
    ask: [`ask_${snapshot}`],
    bid_size: [`bid_size_${snapshot}`],
    ask_size: [`ask_size_${snapshot}`],
    underlying_bid: [`underlying_bid_${snapshot}`],
    underlying_ask: [`underlying_ask_${snapshot}`],
    open_interest: ['open_interest'],
    adjusted: ['delivery_code']
  }
}

/** Tables of vendors. In all of them, a row's open interest was published on the morning of its date. */
const tables: readonly VendorTable[] = [
  {
    name: 'datashop',
    columns: { ...datashop('eod'), volume: ['trade_volume'] },
    beforeClose: 0,
    rootsOfSymbol: true
  },
  // Has no volume: the column holds the whole day's volume, which was not known at 15:45.
  { name: 'datashop-1545', columns: datashop('1545'), beforeClose: 15, rootsOfSymbol: true },
  {
    name: 'historicaloptiondata',
    columns: {
      symbol: ['UnderlyingSymbol', 'underlying'],
      underlying_price: ['UnderlyingPrice', 'underlying_last'],
      occ: ['OptionSymbol', 'optionroot'],
      date: ['DataDate', 'quotedate'],
      last: ['Last'],
      bid: ['Bid'],
      ask: ['Ask'],
      volume: ['Volume'],
      open_interest: ['OpenInterest']
    },
    beforeClose: 0,
    rootsOfSymbol: false
  },
  {
    name: 'optionsdx',
    columns: {
      date: ['[QUOTE_DATE]'],
      time: ['[QUOTE_UNIXTIME]'],
      underlying_price: ['[UNDERLYING_LAST]'],
      expiration: ['[EXPIRE_DATE]'],
      strike: ['[STRIKE]'],
      call_bid: ['[C_BID]'],
      call_ask: ['[C_ASK]'],
      call_last: ['[C_LAST]'],
      call_sizes: ['[C_SIZE]'],
      call_volume: ['[C_VOLUME]'],
      put_bid: ['[P_BID]'],
      put_ask: ['[P_ASK]'],
      put_last: ['[P_LAST]'],
      put_sizes: ['[P_SIZE]'],
      put_volume: ['[P_VOLUME]']
    },
    beforeClose: 0,
    rootsOfSymbol: false
  }
]

export const vendorTableNames: readonly string[] = tables.map(({ name }) => name)

/** Column names of the imported tables: a vendor's layout or the operator's column map. */
export interface ChainColumns {
  readonly vendor: VendorTable | undefined
  readonly columns: ColumnMap | undefined
}

/** Reads a vendor's table name or a column map (see `parseColumnMap`). Throws a `FilesError` if the text is neither. */
export function chainColumnsFrom(text: string): ChainColumns {
  const vendor = tables.find(({ name }) => name === text)
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

/** Finds the vendor's columns in a heading. Throws a `FilesError` that names missing columns. */
export function vendorLayout(heading: Line, { name, columns }: VendorTable): ChainLayout {
  const found = namesIn(heading)
  const { layout, absent } = placed(found, columns)
  if (absent.length === 0) return layout
  throw new FilesError(`its heading is not that of ${name}: there is no column ${absent.join(', ')}`)
}

/** Name of the vendor whose table has this heading, e.g. `optionsdx`; undefined if there is none. */
export function vendorOf(heading: Line): string | undefined {
  const found = namesIn(heading)
  return tables.find(({ columns }) => placed(found, columns).absent.length === 0)?.name
}

function namesIn(heading: Line): readonly string[] {
  return Array.from({ length: heading.count }, (_, column) => textOf(heading, column).toLowerCase())
}

function placed(names: readonly string[], columns: VendorTable['columns']) {
  const layout: { -readonly [Field in keyof ChainLayout]: ChainLayout[Field] } = {}
  const absent: string[] = []
  for (const [field, known] of Object.entries(columns) as [ChainField, readonly string[]][]) {
    const name = known.find((each) => names.includes(each.toLowerCase()))
    if (name === undefined) absent.push(known[0])
    else layout[field] = { column: names.indexOf(name.toLowerCase()), divisor: 1 }
  }
  return { layout, absent }
}
