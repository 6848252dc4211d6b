import { session } from '../../market/calendar.ts'
import { easternDateTime } from '../../market/eastern.ts'
import type { Ticker } from '../../market/units.ts'
import { FilesError } from '../import-files.ts'
import { type ColumnMap, type ColumnPlace, columnLayout } from '../tables/column-map.ts'
import { type Line, surplusFields, textOf } from '../tables/csv-line.ts'
import { checkCurrency, inBillionths, layoutIn, layoutOf } from '../tables/known-layout.ts'
import { numberIn } from '../tables/number-forms.ts'
import { optionNamed } from '../tables/row-contract.ts'
import { tableDate } from '../tables/table-dates.ts'
import { textAt } from '../tables/table-fields.ts'
import type { TableSample } from '../tables/table-opening.ts'
import type { RowReader } from '../tables/table-rows.ts'
import { type Forms, noForms, type SaidForms, writtenForms } from '../tables/written-forms.ts'
import { DEFAULT_ZONE } from '../tables/zones.ts'
import {
  type ChainLayout,
  type ChainRow,
  chainLayoutProblem,
  chainRowReader,
  chainTableFields,
  rowPlaceReader
} from './chain-table.ts'
import { proposedMap } from './proposed-map.ts'
import { checkedFacts, factsInName, type SaidFacts, type StatedFacts, sessionInName } from './stated-facts.ts'
import type { VendorTable } from './vendor-layout.ts'
import { vendorTables } from './vendor-tables.ts'

export interface ChainReaderInput {
  readonly columns: ColumnMap | undefined
  readonly vendor?: VendorTable | undefined
  /** Symbol that applies to all rows if the table has no symbol column. */
  readonly symbol: Ticker | undefined
  /** How the operator said that dates, times and numbers are written. */
  readonly forms?: SaidForms | undefined
  /** Facts that the operator said of all rows. */
  readonly facts?: SaidFacts | undefined
}

export interface ChainReader extends RowReader<ChainRow> {
  readonly layout: ChainLayout
  /** Name of the vendor's table, or how columns were assigned to fields. */
  readonly layoutName: string
  /** Sentence about the moments of the rows, for the operator. */
  readonly moments: string
  /** Sentence about a column that is not read and seems to be wanted. */
  readonly hint: string | undefined
  /** Symbol and moment that a row is of, even if the rest of it cannot be used. */
  readonly placeOf: ReturnType<typeof rowPlaceReader>
}

/**
 * Builds the reader for the rows below a heading. Without a map the heading is that of our own fields, or that of a
 * vendor. A row with too few fields is refused, because its last figure may have been cut off.
 */
export function chainReaderOf(path: string, heading: Line, sample: TableSample, input: ChainReaderInput): ChainReader {
  const { vendor, layout: named } = recognized(heading, sample, input)
  checkCurrency(heading, sample)
  const layout = inBillionths(named, vendor, sample)
  const said = { zone: vendor?.zone, ...definedIn(input.forms) }
  const forms = writtenForms(datesIn(layout, sample), said, vendor?.dates)
  const stated = factsOf(path, sample, layout, input, forms, vendor)
  const symbol = input.symbol ?? (layout.symbol === undefined ? stated.symbol : undefined)
  const adjustedName = textAt(heading, layout.adjusted).trim() || undefined
  const known = { ...vendor, symbol, adjustedName, forms, stated }
  const read = chainRowReader(layout, known)
  const fields = heading.count
  const told =
    chainLayoutProblem(layout, symbol, stated) ?? (layout.date === undefined ? momentProblem(stated) : undefined)
  return {
    layout,
    layoutName: vendor?.name ?? (input.columns === undefined ? 'columns named like fields' : 'columns by the map'),
    moments: momentsText(stated, forms, vendor),
    hint: vendor === undefined && input.columns === undefined ? hintOf(heading, sample, layout, stated) : undefined,
    placeOf: rowPlaceReader(layout, known),
    problem: told === undefined ? undefined : `${told}${advice(heading, told, { input, vendor, sample, forms })}`,
    read: (line) =>
      line.count < fields
        ? { wrong: `it breaks off: ${line.count} of ${fields} fields` }
        : (surplusFields(line, fields) ?? read(line))
  }
}

/** Names the column by which a table without a price of the underlying seems to state it. */
function hintOf(heading: Line, sample: TableSample, layout: ChainLayout, { price }: StatedFacts): string | undefined {
  if (price !== undefined || layout.underlying_price !== undefined) return undefined
  const proposed = proposedMap(heading, sample, noForms)
  const [, column] = /(?:^|,)([^,]+)=underlying_price(?:,|$)/.exec(proposed ?? '') ?? []
  if (column === undefined) return undefined
  return `its column ${column} is not read: if it is the price of the underlying, use --map "${proposed}"`
}

/** Explains why the rows of a table cannot be of the moment that is stated outside of them; undefined if they can. */
function momentProblem({ stamp }: StatedFacts): string | undefined {
  if (stamp === undefined) return undefined
  const day = session(stamp.date)
  if (day !== undefined && (stamp.moment === undefined || stamp.moment >= day.open)) return undefined
  const time = stamp.moment === undefined ? stamp.date : easternDateTime(stamp.moment).replace('T', ' ').slice(0, 16)
  return `it is of ${time} New York, when no session was open: say by --date of which session its quotes are`
}

function momentsText({ stamp }: StatedFacts, { zone }: Forms, vendor: VendorTable | undefined): string {
  if (stamp?.moment !== undefined) return 'rows without a date are of the moment that is stated'
  const { beforeClose = 0 } = vendor ?? {}
  const close = beforeClose === 0 ? 'the close' : `${beforeClose} minutes before the close`
  return `times without a zone are of ${zone === DEFAULT_ZONE ? 'New York' : zone}, rows without a time of ${close}`
}

const definedIn = (said: SaidForms = {}) =>
  Object.fromEntries(Object.entries(said).filter(([, text]) => text !== undefined))

interface Recognized {
  readonly vendor: VendorTable | undefined
  readonly layout: ChainLayout
}

function recognized(heading: Line, sample: TableSample, { columns, vendor }: ChainReaderInput): Recognized {
  if (vendor !== undefined) return { vendor, layout: layoutIn(heading, vendor) }
  if (columns !== undefined) return { vendor, layout: columnLayout(heading, columns, chainTableFields) }
  const known = layoutOf(heading, vendorTables)
  if (known !== undefined) return { vendor: known, layout: layoutIn(heading, known) }
  try {
    return { vendor, layout: columnLayout(heading, undefined, chainTableFields) }
  } catch (error) {
    const proposed = proposedMap(heading, sample, noForms)
    if (!(error instanceof FilesError) || proposed === undefined) throw error
    throw new FilesError(`${error.message}. If the first of two columns is of the call, use --map "${proposed}"`)
  }
}

/** Texts of the columns of dates. None if a heading fills no contract: then missing columns are told, not doubtful dates. */
function datesIn(layout: ChainLayout, sample: TableSample): readonly string[] {
  if (layout.occ === undefined && layout.strike === undefined) return []
  return [layout.date, layout.expiration].flatMap((place) => (place === undefined ? [] : sample.texts(place.column)))
}

function factsOf(
  path: string,
  sample: TableSample,
  layout: ChainLayout,
  { facts = {} }: ChainReaderInput,
  forms: Forms,
  vendor: VendorTable | undefined
): StatedFacts {
  const said = checkedFacts(facts, forms)
  const above = vendor?.preamble?.(sample.preamble)
  const named = factsInName(path, vendor?.inName)
  return {
    symbol: named.symbol,
    expiration: named.expiration,
    stamp:
      said.stamp ??
      above?.stamp ??
      named.stamp ??
      (layout.date === undefined ? dateInName(path, sample, layout) : undefined),
    price: said.price ?? above?.price,
    bid: above?.bid,
    ask: above?.ask
  }
}

function dateInName(path: string, sample: TableSample, layout: ChainLayout): StatedFacts['stamp'] {
  const texts = (place: ColumnPlace | undefined) => (place === undefined ? [] : sample.texts(place.column))
  const listed = texts(layout.occ).map((text) => optionNamed(text)?.expiration)
  const expirations = new Set([...listed, ...texts(layout.expiration).map((text) => tableDate(text))])
  const date = sessionInName(path, expirations)
  return date === undefined ? undefined : { date, moment: undefined }
}

const flags: Readonly<Record<string, string>> = { symbol: '--symbol', date: '--date' }

interface Advised {
  readonly input: ChainReaderInput
  readonly vendor: VendorTable | undefined
  readonly sample: TableSample
  readonly forms: Forms
}

/** Advice to the operator about a heading in which fields are missing. */
function advice(heading: Line, problem: string, { input, vendor, sample, forms }: Advised): string {
  const missing = /^no column fills (.+)$/.exec(problem)?.[1].split(', ')
  if (missing === undefined) return ''
  const flagged = (lacking: readonly string[]) => lacking.flatMap((field) => flags[field] ?? [])
  if (vendor !== undefined) {
    if (vendor.inName !== undefined && missing.includes('expiration')) {
      return ': the name of the file states it, as long as it is called as it was downloaded'
    }
    const said = flagged(missing)
    return said.length === missing.length ? `: say it with ${said.join(' and ')}` : ''
  }
  if (input.columns !== undefined) return ''
  const proposed = proposedMap(heading, sample, forms)
  if (proposed === undefined) return noHeading(heading)
  const open = missing.filter((field) => !fillsIn(proposed, field))
  const also = flagged(open).map((flag) => ` and ${flag}`)
  return `. If the columns mean what their names say, use --map "${proposed}"${also.join('')}`
}

/** Whether a map fills a field; an OCC symbol states all of the contract. */
function fillsIn(map: string, field: string): boolean {
  const fills = (name: string) => new RegExp(`=(?:call_)?${name}(?:,|$)`).test(map)
  return fills(field) || (field !== 'date' && fills('occ'))
}

/** Says of a first line that it is not the heading of a table. */
function noHeading(heading: Line): string {
  const texts = Array.from({ length: heading.count }, (_, column) => textOf(heading, column))
  if (texts.length === 1) return ': it has a single column, as with blanks between its fields'
  const numbers = texts.filter((text) => text !== '' && numberIn(text) !== undefined)
  return numbers.length >= 3 ? ': its first line seems to be a row, so write the names of the columns above it' : ''
}
