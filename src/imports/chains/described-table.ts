import type { Absence } from '../../archive/history-store.ts'
import { type Line, textOf } from '../tables/csv-line.ts'
import type { ChainReader } from './chain-reader.ts'
import { hasFigure, missingFrom } from './chain-table.ts'

/** Description of a table of chains as an import has understood it. */
export interface DescribedTable {
  readonly path: string
  /** Name of the vendor's table, or how columns were assigned to fields. */
  layout: string
  /** Columns of the heading. */
  columns: readonly string[]
  /** For each field that is read: `bid from best_bid`, `strike from strike_price / 1000`. */
  fields: readonly string[]
  /** Sign between its fields, in a word. */
  delimiter: string
  /** Sentence about the moments of its rows. */
  moments: string
  /** Sentence about a column that is not read and seems to be wanted. */
  hint: string | undefined
  /** Data that snapshots of this table lack. */
  missing: readonly Absence[]
  /** Whether its open interest was counted at the end of the session. */
  isAfter: boolean
  /** Whether its last line has no line break. */
  isUnended: boolean
}

/** A table of which nothing is known yet. */
export function unreadTable(path: string): DescribedTable {
  return {
    path,
    layout: 'no heading was read',
    columns: [],
    fields: [],
    delimiter: '',
    moments: '',
    hint: undefined,
    missing: [],
    isAfter: false,
    isUnended: false
  }
}

const delimiters = new Map(
  [',', ';', '\t', '|'].map((sign, k) => [sign.charCodeAt(0), ['commas', 'semicolons', 'tabs', 'bars'][k]])
)

/** Describes a table by its heading and by the way in which it is read. */
export function describeTable(
  table: DescribedTable,
  heading: Line,
  { layout, layoutName, moments, hint }: Pick<ChainReader, 'layout' | 'layoutName' | 'moments' | 'hint'>
): void {
  table.layout = layoutName
  table.moments = moments
  table.hint = hint
  table.delimiter = delimiters.get(heading.dialect.delimiter) ?? ''
  const columns = Array.from({ length: heading.count }, (_, column) => textOf(heading, column))
  table.columns = columns
  table.fields = Object.entries(layout).map(([field, { column, divisor }]) => {
    const by = divisor === 1 ? '' : ` / ${divisor}`
    return columns[column].toLowerCase() === field && by === '' ? field : `${field} from ${columns[column]}${by}`
  })
  table.missing = missingFrom(layout)
  table.isAfter = hasFigure(layout, 'open_interest_after')
}
