import { byExDate, type Dividend } from '../../market/dividend.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { array, float, lines, row, text } from '../codec/tab-separated.ts'
import { type Connection, literal } from './database-connection.ts'

/** Adds dividends; what is there already of their ex-dates is replaced. */
export async function writeDividends(
  connection: Connection,
  symbol: Ticker,
  dividends: readonly Dividend[]
): Promise<void> {
  if (dividends.length === 0) return
  const before = await readSince(connection, symbol)
  const rows = [...byExDate(dividends)].map(([exDate, paid]) => {
    const known = array(paid.map(({ knownFrom }) => float(knownFrom)))
    const since = Math.min(before.get(exDate) ?? Number.POSITIVE_INFINITY, ...paid.map(({ knownFrom }) => knownFrom))
    return row([text(symbol), exDate, known, array(paid.map(({ amount }) => float(amount))), float(since)])
  })
  await connection.insert('dividends', ['symbol', 'ex_date', 'known_from', 'amount', 'since'], lines(rows))
}

/** From when on anything was ever known of each ex-date: what rests on a dividend that is replaced is found by it. */
async function readSince(connection: Connection, symbol: Ticker): Promise<ReadonlyMap<IsoDate, Instant>> {
  const bytes = await connection.read(`SELECT toString(ex_date) AS date, min(dividends.since) AS since FROM dividends
WHERE symbol = ${literal(symbol)} GROUP BY ex_date`)
  return new Map(rowsOf(bytes).map(({ date, since }) => [date as IsoDate, since as Instant]))
}

/** The dividends that were known by a moment, ascending by ex-date. */
export async function readDividends(connection: Connection, symbol: Ticker, at: Instant): Promise<readonly Dividend[]> {
  const bytes = await connection.read(`SELECT toString(ex_date) AS date, known_from, amount FROM dividends
WHERE symbol = ${literal(symbol)}
ORDER BY ex_date, written DESC LIMIT 1 BY ex_date`)
  return rowsOf(bytes).flatMap(({ date, known_from: known, amount }) =>
    (known as readonly number[]).flatMap((knownFrom, k): Dividend[] =>
      knownFrom <= at ? [{ exDate: date as IsoDate, amount: (amount as readonly number[])[k], knownFrom }] : []
    )
  )
}
