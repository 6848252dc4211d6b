import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { type NewestSamples, SAMPLE_STEP, type StrikeMinute, type ZeroDteSample } from '../../market/zero-dte-sample.ts'
import { type NativeValue, rowsOf } from '../codec/native-rows.ts'
import {
  arrayField,
  floatField,
  instantField,
  quotedText,
  rowBytes,
  rowText,
  textField
} from '../codec/tab-separated.ts'
import type { ZeroDteRow } from '../history-store.ts'
import { type DatabaseConnection, momentLiteral, textLiteral } from './database-connection.ts'
import { strikeMinuteColumns } from './schema/tape-tables.ts'

type Figure = Exclude<keyof ZeroDteSample, 't'>

const fieldOf: Readonly<Record<(typeof strikeMinuteColumns)[number], Exclude<keyof StrikeMinute, 't' | 'spot'>>> = {
  strike: 'strike',
  gex: 'gex',
  dex: 'dex',
  vex: 'vex',
  chex: 'chex',
  oi: 'oi',
  signed_delta: 'signedDelta',
  signed_gamma: 'signedGamma',
  contracts: 'contracts'
}

/** Inserts 0DTE bars and the strikes of their minutes; existing ones of the same symbol and moment are replaced. */
export async function insertZeroDte(connection: DatabaseConnection, rows: readonly ZeroDteRow[]): Promise<void> {
  const minutes = rows.flatMap(({ minute, ...of }) => (minute === undefined ? [] : [{ ...of, minute }]))
  // Strikes are written first, so that a bar that can be read already has its strikes.
  if (minutes.length > 0) {
    const columns = ['symbol', 'session', 'ts', 'version', 'spot', ...strikeMinuteColumns]
    const written = minutes.map(({ minute, ...of }) =>
      rowText([
        ...keyOf(of, minute.t),
        floatField(minute.spot),
        ...strikeMinuteColumns.map((name) => numbers(minute[fieldOf[name]]))
      ])
    )
    await connection.insert('zero_dte_strikes', columns, rowBytes(written))
  }
  if (rows.length === 0) return
  const written = rows.map(({ sample: { t, ...figures }, ...of }) => {
    const names = Object.keys(figures) as Figure[]
    const values = names.map((name) => floatField(figures[name] ?? Number.NaN))
    return rowText([...keyOf(of, t), arrayField(names.map(quotedText)), arrayField(values)])
  })
  await connection.insert(
    'zero_dte_samples',
    ['symbol', 'session', 'ts', 'version', 'field', 'figure'],
    rowBytes(written)
  )
}

/**
 * Reads the 0DTE bars of a session that were complete at `at`, in ascending order. A bar describes the contracts that
 * expire on the day of the session.
 */
export async function selectSamples(
  connection: DatabaseConnection,
  symbol: Ticker,
  session: IsoDate,
  at: Instant
): Promise<readonly ZeroDteSample[]> {
  const found = await connection.read(`SELECT ${millisecond}, field, figure FROM zero_dte_samples FINAL
WHERE symbol = ${textLiteral(symbol)} AND session = ${textLiteral(session)} AND ts <= ${momentLiteral(at - SAMPLE_STEP)} ORDER BY ts`)
  return rowsOf(found).map(sampleOf)
}

/** Reads the values by strike of a session, one row for each minute that was complete at `at`, in ascending order. */
export async function selectStrikeMinutes(
  connection: DatabaseConnection,
  symbol: Ticker,
  session: IsoDate,
  at: Instant
): Promise<readonly StrikeMinute[]> {
  const found = await connection.read(`SELECT ${millisecond}, spot, ${strikeMinuteColumns.join(', ')}
FROM zero_dte_strikes FINAL WHERE symbol = ${textLiteral(symbol)} AND session = ${textLiteral(session)}
AND ts <= ${momentLiteral(at - MILLISECONDS_PER_MINUTE)} ORDER BY ts`)
  return rowsOf(found).map(minuteOf)
}

/** The two newest complete 0DTE bars of every symbol in a session, ascending by symbol. */
export async function selectNewestSamples(
  connection: DatabaseConnection,
  session: IsoDate,
  at: Instant
): Promise<ReadonlyMap<Ticker, NewestSamples>> {
  const found =
    await connection.read(`SELECT CAST(symbol AS String) AS ticker, ${millisecond}, field, figure FROM zero_dte_samples FINAL
WHERE session = ${textLiteral(session)} AND ts <= ${momentLiteral(at - SAMPLE_STEP)}
ORDER BY symbol, ts DESC LIMIT 2 BY symbol`)
  const newest = new Map<Ticker, NewestSamples>()
  for (const read of rowsOf(found)) {
    const [symbol, sample] = [read['ticker'] as Ticker, sampleOf(read)]
    const later = newest.get(symbol)?.newest
    newest.set(symbol, later === undefined ? { newest: sample, before: undefined } : { newest: later, before: sample })
  }
  return newest
}

const millisecond = 'toUnixTimestamp64Milli(ts) AS t'

const keyOf = ({ symbol, session, version }: Pick<ZeroDteRow, 'symbol' | 'session' | 'version'>, t: Instant) => [
  textField(symbol),
  session,
  instantField(t),
  String(version)
]

const numbers = (values: Float64Array) => arrayField(Array.from(values, floatField))

function sampleOf({ t, field, figure }: Readonly<Record<string, NativeValue>>): ZeroDteSample {
  const names = field as readonly string[]
  const figures = (figure as readonly number[]).map((value) => (Number.isNaN(value) ? undefined : value))
  return { t, ...Object.fromEntries(names.map((name, k) => [name, figures[k]])) } as unknown as ZeroDteSample
}

function minuteOf(read: Readonly<Record<string, NativeValue>>): StrikeMinute {
  const columns = strikeMinuteColumns.map((name) => [fieldOf[name], Float64Array.from(read[name] as readonly number[])])
  return { t: read['t'], spot: read['spot'], ...Object.fromEntries(columns) } as StrikeMinute
}
