import type { TapeKind, TapeSource } from '../../market/print.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { tapeColumns } from '../codec/encode-tape.ts'
import { rowsOf } from '../codec/native-rows.ts'
import type { StoredTape, TapeHead, TapeId, TapeTable, TapeText, WrittenAt } from '../history-store.ts'
import { type DatabaseConnection, textLiteral } from './database-connection.ts'
import { fromBid } from './schema/archive-views.ts'

/** Order in which tables are written. Prints come last, so that everything they refer to exists by then. */
const order: readonly TapeTable[] = ['tapes', 'tape_series', 'option_tape', 'stock_tape']

export async function insertTapes(connection: DatabaseConnection, given: TapeText): Promise<void> {
  for (const table of order) {
    const rows = given[table]
    if (rows !== undefined) await connection.insert(table, tapeColumns[table], rows)
  }
}

/**
 * Rows read with one query. A tape is read in pieces because the engine keeps the whole result of a query in memory until
 * it is copied: 60 bytes a row, of which the busiest symbols have millions.
 */
const ROWS_PER_READ = 2 ** 18

/** Reads a tape as bytes. If a row was written twice, both versions may be returned, the later one first. */
export async function selectTape(connection: DatabaseConnection, id: TapeId): Promise<StoredTape | undefined> {
  let head = await selectTapeHead(connection, id)
  while (head !== undefined) {
    const packed = await selectRows(connection, id)
    const after = await selectTapeHead(connection, id)
    if (after?.written === head.written) return { ...id, ...head, packed }
    head = after // the tape was replaced while its pieces were read
  }
  return undefined
}

async function selectRows(connection: DatabaseConnection, id: TapeId): Promise<StoredTape['packed']> {
  const { symbol, kind, session } = id
  const where = `symbol = ${textLiteral(symbol)} AND session = ${textLiteral(session)}`
  const [[counted], series] = await Promise.all([
    connection
      .read(`SELECT toFloat64(if(count() = 0, 0, max(position) + 1)) AS end FROM ${kind}_tape WHERE ${where}`)
      .then(rowsOf),
    connection.read(`SELECT instrument, toString(expiration) AS date, CAST(root AS String) AS root,
  CAST(settlement AS String) AS settlement, strike, \`right\`, adjusted FROM tape_series FINAL
WHERE ${kind === 'option' ? where : '0'} ORDER BY instrument`)
  ])
  const end = counted['end'] as number
  const rows: Uint8Array[] = []
  for (let from = 0; from < end; from += ROWS_PER_READ) {
    rows.push(
      await connection.read(`SELECT position, toFloat64(known) AS known, toFloat64(behind) AS behind,
  toFloat64(sequence) AS sequence, instrument, ${fromBid('price')} AS price, size, bid,
  ${fromBid('ask')} AS ask, spot, flags, judged, exchange
FROM ${kind}_tape WHERE ${where} AND position >= ${from} AND position < ${from + ROWS_PER_READ}
ORDER BY position, written DESC SETTINGS max_block_size = 65536`)
    )
  }
  return { rows, end, series }
}

export async function selectTapeHead(
  connection: DatabaseConnection,
  { symbol, kind, session }: TapeId
): Promise<TapeHead | undefined> {
  const [head] = rowsOf(
    await connection.read(`SELECT CAST(source AS String) AS source, unit,
  toUnixTimestamp64Micro(written) AS head FROM tapes FINAL
WHERE symbol = ${textLiteral(symbol)} AND session = ${textLiteral(session)} AND kind = ${textLiteral(kind)}`)
  )
  if (head === undefined) return undefined
  return { source: head['source'] as TapeSource, unit: head['unit'] as number, written: head['head'] as WrittenAt }
}

/** Symbols that have a tape of this kind in a session, ascending. */
export async function tapedSymbols(
  connection: DatabaseConnection,
  kind: TapeKind,
  session: IsoDate
): Promise<readonly Ticker[]> {
  const found = rowsOf(
    await connection.read(`SELECT DISTINCT CAST(symbol AS String) AS ticker FROM tapes
WHERE session = ${textLiteral(session)} AND kind = ${textLiteral(kind)} ORDER BY ticker`)
  )
  return found.map(({ ticker }) => ticker as Ticker)
}

/** Sessions in which a symbol has a tape of option prints, ascending. */
export async function tapedSessions(connection: DatabaseConnection, symbol: Ticker): Promise<readonly IsoDate[]> {
  const found = rowsOf(
    await connection.read(`SELECT DISTINCT toString(session) AS date FROM tapes
WHERE symbol = ${textLiteral(symbol)} AND kind = 'option' ORDER BY date`)
  )
  return found.map(({ date }) => date as IsoDate)
}
