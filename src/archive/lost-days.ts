import { type DatabaseConnection, textLiteral } from './clickhouse/database-connection.ts'
import { archiveTables } from './clickhouse/schema/migrations.ts'
import { rowsOf } from './codec/native-rows.ts'

/** A symbol and a day of which a table has rows; the symbol is undefined if it cannot be told. */
export interface SymbolDay {
  readonly symbol: string | undefined
  readonly day: string
}

/** Columns that say of which day a row is, the best first. */
const dayColumns = ['session', 'date', 'ex_date', 'day', 'since', 'ts', 'before', 'report_date'] as const

/** Expression for the day of a row, for each table that has symbols and days. */
export const dayOf: ReadonlyMap<string, string> = new Map(
  archiveTables.flatMap(({ name, columns }): [string, string][] => {
    const names = new Set(columns.map((column) => column.split(' ')[0]))
    const column = dayColumns.find((each) => names.has(each))
    return names.has('symbol') && column !== undefined ? [[name, `toString(toDate32(${column}))`]] : []
  })
)

/** Condition for the rows of a part. */
export const ofPart = (part: string) => `_part = ${textLiteral(part)}`

/** Symbols and days of the rows of a part in use. Its week alone if those columns are damaged too. */
export async function lostDaysIn(
  connection: Pick<DatabaseConnection, 'read'>,
  table: string,
  part: string
): Promise<readonly SymbolDay[]> {
  const day = dayOf.get(table)
  if (day === undefined) return weekOf(part)
  try {
    return symbolDays(
      await connection.read(
        `SELECT DISTINCT CAST(symbol AS String) AS symbol, ${day} AS day FROM ${table} WHERE ${ofPart(part)} ORDER BY symbol, day`
      )
    )
  } catch {
    return weekOf(part)
  }
}

/**
 * Symbols and days that other tables have in the week of a part and its own table has not: what is lost with a part that
 * cannot be asked any more.
 */
export async function lostWith(
  connection: Pick<DatabaseConnection, 'read'>,
  table: string,
  part: string
): Promise<readonly SymbolDay[]> {
  const own = dayOf.get(table)
  const [week] = weekOf(part)
  if (own === undefined || week === undefined) return weekOf(part)
  const found = new Map<string, SymbolDay>()
  for (const [other, day] of dayOf) {
    if (other === table) continue
    try {
      const inWeek = `toMonday(toDate32(${day})) = toDate32(${textLiteral(week.day)})`
      const rows = await connection.read(`SELECT DISTINCT CAST(symbol AS String) AS symbol, ${day} AS day FROM ${other}
WHERE ${inWeek} AND (symbol, day) NOT IN (SELECT CAST(symbol AS String), ${own} FROM ${table}) ORDER BY symbol, day`)
      for (const each of symbolDays(rows)) found.set(`${each.symbol} ${each.day}`, each)
    } catch {
      // That table is damaged itself, or missing.
    }
  }
  return found.size > 0 ? [...found.values()] : weekOf(part)
}

/** Says which symbols and days these are, in a few words. */
export function lostText(lost: readonly SymbolDay[]): string {
  if (lost.length === 0) return 'rows without a day'
  const days = [...new Set(lost.map(({ day }) => day))].sort()
  const symbols = [...new Set(lost.flatMap(({ symbol }) => symbol ?? []))].sort()
  const span = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)} (${days.length} days)`
  if (symbols.length === 0) return `the week of ${span}`
  const shown = symbols.slice(0, MAX_SYMBOLS).join(', ')
  const more = symbols.length > MAX_SYMBOLS ? ` and ${symbols.length - MAX_SYMBOLS} more` : ''
  return `${shown}${more} of ${span}`
}

const MAX_SYMBOLS = 20

const symbolDays = (bytes: Uint8Array) =>
  rowsOf(bytes).map(({ symbol, day }): SymbolDay => ({ symbol: symbol as string, day: day as string }))

/** Parts are named after the week that they hold: its Monday, without hyphens. */
export function weekOf(part: string): readonly SymbolDay[] {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})_/.exec(part) ?? []
  return year === undefined ? [] : [{ symbol: undefined, day: `${year}-${month}-${day}` }]
}
