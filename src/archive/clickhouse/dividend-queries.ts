import { byExDate, type Dividend } from '../../market/dividend.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { arrayField, floatField, rowBytes, rowText, textField } from '../codec/tab-separated.ts'
import { type DatabaseConnection, textLiteral } from './database-connection.ts'

/** Inserts dividends; all existing dividends of the same ex-dates are replaced. */
export async function insertDividends(
  connection: DatabaseConnection,
  symbol: Ticker,
  dividends: readonly Dividend[]
): Promise<void> {
  if (dividends.length === 0) return
  const before = await readSince(connection, symbol)
  const rows = [...byExDate(dividends)].map(([exDate, paid]) => {
    const known = arrayField(paid.map(({ knownFrom }) => floatField(knownFrom)))
    const since = Math.min(before.get(exDate) ?? Number.POSITIVE_INFINITY, ...paid.map(({ knownFrom }) => knownFrom))
    return rowText([
      textField(symbol),
      exDate,
      known,
      arrayField(paid.map(({ amount }) => floatField(amount))),
      floatField(since)
    ])
  })
  await connection.insert('dividends', ['symbol', 'ex_date', 'known_from', 'amount', 'since'], rowBytes(rows))
}

/**
 * Reads, for each ex-date, the earliest moment at which any of its dividends was known, including dividends that were
 * replaced later. It tells which figures were computed from a replaced dividend.
 */
async function readSince(connection: DatabaseConnection, symbol: Ticker): Promise<ReadonlyMap<IsoDate, Instant>> {
  const bytes = await connection.read(`SELECT toString(ex_date) AS date, min(dividends.since) AS since FROM dividends
WHERE symbol = ${textLiteral(symbol)} GROUP BY ex_date`)
  return new Map(rowsOf(bytes).map(({ date, since }) => [date as IsoDate, since as Instant]))
}

/** Dividends known by `at`, ascending by ex-date. */
export async function selectDividends(
  connection: DatabaseConnection,
  symbol: Ticker,
  at: Instant
): Promise<readonly Dividend[]> {
  const bytes = await connection.read(`SELECT toString(ex_date) AS date, known_from, amount FROM dividends
WHERE symbol = ${textLiteral(symbol)}
ORDER BY ex_date, written DESC LIMIT 1 BY ex_date`)
  return rowsOf(bytes).flatMap(({ date, known_from: known, amount }) =>
    (known as readonly number[]).flatMap((knownFrom, k): Dividend[] =>
      knownFrom <= at ? [{ exDate: date as IsoDate, amount: (amount as readonly number[])[k], knownFrom }] : []
    )
  )
}
