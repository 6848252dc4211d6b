import type { Split } from '../../market/split.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { floatField, rowBytes, rowText, textField } from '../codec/tab-separated.ts'
import { type DatabaseConnection, textLiteral } from './database-connection.ts'

/** Inserts splits; an existing split of the same date is replaced. */
export async function insertSplits(
  connection: DatabaseConnection,
  symbol: Ticker,
  splits: readonly Split[]
): Promise<void> {
  if (splits.length === 0) return
  const rows = splits.map(({ date, ratio }) => rowText([textField(symbol), date, floatField(ratio)]))
  await connection.insert('splits', ['symbol', 'date', 'ratio'], rowBytes(rows))
}

/** Reads all splits of a symbol, ascending by date. A cancelled one is left out. */
export async function selectSplits(connection: DatabaseConnection, symbol: Ticker): Promise<readonly Split[]> {
  const bytes = await connection.read(`SELECT toString(date) AS day, ratio FROM splits
WHERE symbol = ${textLiteral(symbol)} ORDER BY date, written DESC LIMIT 1 BY date`)
  return rowsOf(bytes).flatMap(({ day, ratio }) =>
    ratio === 1 ? [] : [{ date: day as IsoDate, ratio: ratio as number }]
  )
}
