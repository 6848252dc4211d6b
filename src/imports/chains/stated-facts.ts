import { basename } from 'node:path'
import { session } from '../../market/calendar.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { FilesError } from '../import-files.ts'
import { tableDate } from '../tables/table-dates.ts'
import { tableSymbol } from '../tables/table-fields.ts'
import { type Stamp, stampIn } from '../tables/table-times.ts'
import { type Forms, noForms } from '../tables/written-forms.ts'

/** Facts about all rows of a table that are stated outside of its rows. */
export interface StatedFacts {
  readonly symbol?: Ticker | undefined
  /** Session of the quotes, and their moment if a time is stated. */
  readonly stamp?: Stamp | undefined
  readonly expiration?: IsoDate | undefined
  /** Price of the underlying, USD per share, and its quote. */
  readonly price?: number | undefined
  readonly bid?: number | undefined
  readonly ask?: number | undefined
}

/** Facts that the operator says of all rows of a file. */
export interface SaidFacts {
  /** A date, or a date with a time. */
  readonly date?: string | undefined
  readonly underlyingPrice?: number | undefined
}

/** Checks what the operator said. Throws a `FilesError` if it is no date or no price. */
export function checkedFacts({ date, underlyingPrice }: SaidFacts, forms: Forms): StatedFacts {
  const stamp = date === undefined ? undefined : stampIn(date, forms)
  if (date !== undefined && stamp === undefined) throw new FilesError(`--date must be a date, not ${date}`)
  if (underlyingPrice !== undefined && !(underlyingPrice > 0)) {
    throw new FilesError('--underlying-price must be a number above 0')
  }
  return { stamp, price: underlyingPrice }
}

/** Reads facts from the name of a file, by the groups `symbol`, `date` and `expiration` of a vendor's pattern. */
export function factsInName(path: string, pattern: RegExp | undefined): StatedFacts {
  const { symbol, date, expiration } = pattern?.exec(basename(path))?.groups ?? {}
  const inOrder: Forms = { ...noForms, order: 'mdy' }
  return {
    symbol: symbol === undefined ? undefined : tableSymbol(symbol),
    stamp: date === undefined ? undefined : stampIn(date, inOrder),
    expiration: expiration === undefined ? undefined : tableDate(expiration, inOrder)
  }
}

const dated = /(?<!\d)(\d{4}-\d{2}-\d{2}|\d{4}_\d{2}_\d{2}|20\d{6})(?!\d)/g

/**
 * Session in the name of a file whose rows have no date, such as SPY_2024-03-05.csv. Undefined if there is none, if
 * there are several, or if it is an expiration of the rows.
 */
export function sessionInName(path: string, expirations: ReadonlySet<string | undefined>): IsoDate | undefined {
  const found = new Set<IsoDate>()
  for (const [text] of basename(path).matchAll(dated)) {
    const date = tableDate(text.replaceAll('_', '-'))
    if (date !== undefined && session(date) !== undefined && !expirations.has(date)) found.add(date)
  }
  return found.size === 1 ? [...found][0] : undefined
}
