import { FilesError } from '../import-files.ts'
import type { ColumnLayout, ColumnPlace } from './column-map.ts'
import { type Line, textOf } from './csv-line.ts'
import type { DateOrder } from './date-forms.ts'
import { isAbsent } from './number-forms.ts'
import type { TableSample } from './table-opening.ts'

/**
 * Columns for each field, by the names that a vendor has used; case does not matter. `Bid#2` is the second column of
 * that name, `strike_price/1000` a column whose numbers are divided.
 */
type NamedColumns<Field extends string> = Readonly<Partial<Record<Field, readonly string[]>>>

/** Table of a vendor, recognized by its heading. */
export interface KnownLayout<Field extends string> {
  readonly name: string
  /** Columns that the table must have. */
  readonly columns: NamedColumns<Field>
  /** Columns that it may have. */
  readonly optional?: NamedColumns<Field>
  /** Columns without a field that tell the table from others. */
  readonly telling?: readonly string[]
  /** Order of day and month in its dates. */
  readonly dates?: DateOrder
  /** Zone of its times that name none, if it is not New York. */
  readonly zone?: string
  /** Columns whose prices may be whole numbers of billionths of a USD. */
  readonly billionths?: readonly Field[]
}

/** Digits of a price of a cent in billionths; other prices of options and shares have no more before the point. */
const BILLIONTHS = /^\d{7,}$/

/** The layout, whose prices are divided if all of the sample are whole numbers of billionths. */
export function inBillionths<Field extends string>(
  layout: ColumnLayout<Field>,
  known: KnownLayout<Field> | undefined,
  sample: TableSample
): ColumnLayout<Field> {
  const places = (known?.billionths ?? []).map((field) => [field, layout[field]] as const)
  const texts = places.flatMap(([, place]) => (place === undefined ? [] : sample.texts(place.column)))
  const prices = texts.filter((text) => !isAbsent(text) && text !== '0')
  if (prices.length === 0 || !prices.every((text) => BILLIONTHS.test(text))) return layout
  const divided = places.flatMap(([field, place]) => (place ? [[field, { ...place, divisor: 1e9 }] as const] : []))
  return { ...layout, ...Object.fromEntries(divided) }
}

/** Finds the columns of a known layout in a heading. Throws a `FilesError` that names missing columns. */
export function layoutIn<Field extends string>(heading: Line, known: KnownLayout<Field>): ColumnLayout<Field> {
  const { layout, absent } = placed(namesIn(heading), known)
  if (absent.length === 0) return layout
  throw new FilesError(`its heading is not that of ${known.name}: there is no column ${absent.join(', ')}`)
}

/** Names of the currency of prices, and of the US dollar. */
const currencyNames = new Set(['currency', 'ccy', 'currency_code', 'price_currency', 'meta.currency'])
export const usDollar = /^(usd|us\$|\$|u\.?s\.? ?dollars?)$/i

/** Refuses a table whose own column says that its prices are in another currency. */
export function checkCurrency(heading: Line, sample: TableSample): void {
  const column = namesIn(heading).findIndex((name) => currencyNames.has(name))
  const other = column < 0 ? undefined : sample.texts(column).find((text) => !isAbsent(text) && !usDollar.test(text))
  if (other !== undefined) throw new FilesError(`its prices are in ${other}, and only those in USD are read`)
}

/** The first of the layouts that a heading fits. */
export function layoutOf<Known extends KnownLayout<string>>(heading: Line, known: readonly Known[]): Known | undefined {
  const names = namesIn(heading)
  return known.find((each) => placed(names, each).absent.length === 0)
}

function namesIn(heading: Line): readonly string[] {
  return Array.from({ length: heading.count }, (_, column) => textOf(heading, column).toLowerCase())
}

function placed<Field extends string>(
  names: readonly string[],
  { columns, optional, telling = [] }: KnownLayout<Field>
) {
  const layout: Partial<Record<Field, ColumnPlace>> = {}
  const absent: string[] = telling.filter((name) => !names.includes(name.toLowerCase()))
  for (const [field, known] of Object.entries(columns) as [Field, readonly string[]][]) {
    const place = firstPlace(names, known)
    if (place === undefined) absent.push(known[0])
    else layout[field] = place
  }
  for (const [field, known] of Object.entries(optional ?? {}) as [Field, readonly string[]][]) {
    const place = firstPlace(names, known)
    if (place !== undefined) layout[field] = place
  }
  return { layout, absent }
}

function firstPlace(names: readonly string[], known: readonly string[]): ColumnPlace | undefined {
  for (const each of known) {
    const [, name = '', divisor = '1'] = /^(.*?)(?:\/(\d+))?$/.exec(each) ?? []
    const column = columnNamed(names, name.toLowerCase())
    if (column >= 0) return { column, divisor: Number(divisor) }
  }
  return undefined
}

/** Position of a column by its name, or of the second of that name by `bid#2`; -1 if there is none. */
export function columnNamed(names: readonly string[], name: string): number {
  const plain = names.indexOf(name)
  if (plain >= 0) return plain
  const [, same, count] = /^(.*)#([1-9])$/.exec(name) ?? []
  let column = -1
  for (let k = 0; k < Number(count); k++) {
    column = names.indexOf(same, column + 1)
    if (column < 0) return -1
  }
  return column
}
