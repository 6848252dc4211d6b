import { overnightRate, PAR_YIELDS, parYields } from '../../market/macro-series.ts'
import { literal } from './connection.ts'

/** A field that every row with figures made of prints has, and no other. */
export const OF_TAPE = 'flow.net_premium'

/** What tells which rows of figures are good. */
export interface FigureVersions {
  /** Version of the formulas and assumptions that make rows. */
  readonly figureVersion: string
  /** The index whose options tell what money costs, or `PAR_YIELDS`; undefined where that is given. */
  readonly ratesIndex: string | undefined
}

/** Which snapshots are looked at: a condition on symbol, session and ts, and on the sessions of closes that they rest on. */
export interface Looked {
  readonly where: string
  readonly closes: string
}

const never = "toDateTime64(0, 6, 'UTC')"

/**
 * One row for each snapshot, beside those `columns` of its figures: `is_current` where these are by the present formulas and
 * rest on the newest of everything that they are made of, `lacks_tape` where there is a tape of the session that they do not
 * hold. What they are made of is the snapshot, the dividends that were known by it, the last snapshot of the index that tells
 * the rates in the session before, and the tape: all of it has the moment at which its write began, and the row the moment
 * of the clock before it was read. Another version of a dividend counts from the first moment that any version counted from.
 */
export function figureState(
  { where, closes }: Looked,
  columns: readonly string[],
  { figureVersion, ratesIndex }: FigureVersions
): string {
  const wanted = [...new Set(['elapsed', ...columns])].map((name) => `made_rows.${name} AS ${name}`)
  const read = [...new Set(['elapsed', 'field', ...columns])].map((name) => `figure_rows.${name} AS ${name}`)
  const hasTape = `has(made_rows.field, ${literal(OF_TAPE)})`
  return `SELECT shown.symbol AS symbol, shown.session AS session, shown.ts AS ts, shown.fidelity AS fidelity, ${wanted.join(', ')},
  made > newest AND NOT (${hasTape} AND made <= taped) AS is_current,
  elapsed >= 0 AND taped > ${never} AND NOT ${hasTape} AS lacks_tape
FROM (${withInputs(where, closes, ratesIndex)}) AS shown
LEFT JOIN (
  SELECT symbol, ts, figure_rows.written AS made, ${read.join(', ')}
  FROM figure_rows FINAL WHERE ${where} AND version = ${literal(figureVersion)}
) AS made_rows ON shown.symbol = made_rows.symbol AND shown.ts = made_rows.ts`
}

/** Snapshots, each with when the newest of what its figures rest on was written, and its tape. */
function withInputs(where: string, closes: string, ratesIndex: string | undefined): string {
  const snapshots = `SELECT symbol, session, ts, 1 AS one, max(option_images.written) AS taken,
  argMax(option_images.fidelity, option_images.written) AS fidelity
FROM option_images WHERE ${where} GROUP BY symbol, session, ts`
  const paying = 'SELECT symbol, groupArray((ex_date, since, dividends.written)) AS paid FROM dividends GROUP BY symbol'
  const taped = `SELECT symbol, session, max(tapes.written) AS head FROM tapes WHERE kind = 'option' GROUP BY symbol, session`
  const counts = 'd -> if(d.1 > session AND d.2 <= toUnixTimestamp64Milli(ts), d.3, ' + `${never})`
  const dated = `SELECT snapshots.symbol AS symbol, snapshots.session AS session, snapshots.ts AS ts, one, taken, fidelity, head AS taped,
  arrayMax(arrayPushBack(arrayMap(${counts}, paid), ${never})) AS paid_anew
FROM (${snapshots}) AS snapshots
LEFT JOIN (${paying}) AS paying ON snapshots.symbol = paying.symbol
LEFT JOIN (${taped}) AS heads ON snapshots.symbol = heads.symbol AND snapshots.session = heads.session`
  if (ratesIndex === undefined) return `SELECT *, greatest(taken, paid_anew) AS newest FROM (${dated})`
  const closing = ratesIndex === PAR_YIELDS ? yieldsWritten(closes) : closeWritten(ratesIndex, closes)
  return `SELECT dated.*, greatest(taken, paid_anew, closed) AS newest
FROM (${dated}) AS dated ASOF LEFT JOIN (${closing}) AS closes ON dated.one = closes.one AND dated.session > closes.session`
}

/** When the last snapshot of the index in each session was written. */
function closeWritten(ratesIndex: string, closes: string): string {
  return `SELECT 1 AS one, session, argMax(option_images.written, (ts, option_images.written)) AS closed
FROM option_images WHERE symbol = ${literal(ratesIndex)} AND ${closes} GROUP BY session`
}

/** When the newest of the yields of each day was written. A writer that writes one anew writes those after it anew, too. */
function yieldsWritten(closes: string): string {
  const symbols = [overnightRate, ...parYields.map(({ series }) => series)].map(({ symbol }) => literal(symbol))
  return `SELECT 1 AS one, session, max(daily_bars.written) AS closed
FROM daily_bars WHERE symbol IN (${symbols.join(', ')}) AND ${closes} GROUP BY session`
}
