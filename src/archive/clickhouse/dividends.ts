import type { Dividend } from '../../market/dividend.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { array, float, lines, row, text } from '../codec/tab-separated.ts'
import { type Connection, literal } from './connection.ts'

/** Adds dividends; what is there already of their ex-dates is replaced. */
export async function writeDividends(
  connection: Connection,
  symbol: Ticker,
  dividends: readonly Dividend[]
): Promise<void> {
  if (dividends.length === 0) return
  const byExDate = new Map<IsoDate, Dividend[]>()
  for (const dividend of dividends) {
    const paid = byExDate.get(dividend.exDate)
    if (paid === undefined) byExDate.set(dividend.exDate, [dividend])
    else paid.push(dividend)
  }
  const rows = [...byExDate].map(([exDate, paid]) => {
    const known = array(paid.map(({ knownFrom }) => float(knownFrom)))
    return row([text(symbol), exDate, known, array(paid.map(({ amount }) => float(amount)))])
  })
  await connection.insert('dividends', ['symbol', 'ex_date', 'known_from', 'amount'], lines(rows))
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
