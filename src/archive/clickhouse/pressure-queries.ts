import type { PastPressure, PressureRow, PressureSample } from '../../market/hedge-pressure.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { SAMPLE_STEP } from '../../market/zero-dte-sample.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { arrayField, floatField, instantField, rowBytes, rowText, textField } from '../codec/tab-separated.ts'
import type { SessionMoment } from '../history-store.ts'
import { type DatabaseConnection, momentLiteral, textLiteral } from './database-connection.ts'

const NO_NEXT = '1970-01-01'

export async function insertPressure(connection: DatabaseConnection, rows: readonly PressureRow[]): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map(({ symbol, session, t, next = NO_NEXT, cells }) =>
    rowText([textField(symbol), session, instantField(t), next, arrayField(Array.from(cells, floatField))])
  )
  await connection.insert('flow_pressure', ['symbol', 'session', 'ts', 'next', 'cells'], rowBytes(written))
}

/** Reads the hedging pressure of a session at the half minutes that were over by `at`, ascending. */
export async function selectPressure(
  connection: DatabaseConnection,
  symbol: Ticker,
  session: IsoDate,
  at: Instant
): Promise<readonly PressureSample[]> {
  const found = await connection.read(`SELECT toUnixTimestamp64Milli(ts) AS t, toString(next) AS next_date, cells
FROM flow_pressure FINAL WHERE symbol = ${textLiteral(symbol)} AND ${overBy({ session, at })} ORDER BY ts`)
  return rowsOf(found).map(({ t, next_date, cells }) => ({
    t: t as Instant,
    next: next_date === NO_NEXT ? undefined : (next_date as IsoDate),
    cells: Float64Array.from(cells as readonly number[])
  }))
}

/** Reads the last sums of each session that were over by its moment, ascending by session. */
export async function selectPressureAt(
  connection: DatabaseConnection,
  symbol: Ticker,
  moments: readonly SessionMoment[]
): Promise<readonly PastPressure[]> {
  if (moments.length === 0) return []
  const found = await connection.read(`SELECT toString(session) AS date, argMax(cells, ts) AS sums
FROM flow_pressure FINAL WHERE symbol = ${textLiteral(symbol)} AND (${moments.map(overBy).join(' OR ')})
GROUP BY session ORDER BY session`)
  return rowsOf(found).map(({ date, sums }) => ({
    session: date as IsoDate,
    cells: Float64Array.from(sums as readonly number[])
  }))
}

const overBy = ({ session, at }: SessionMoment) =>
  `(session = ${textLiteral(session)} AND ts <= ${momentLiteral(at - SAMPLE_STEP)})`
