import { overnightRate, PAR_YIELDS, parYields } from '../../market/macro-series.ts'
import { textLiteral } from './database-connection.ts'

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
export interface SnapshotFilter {
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
  { where, closes }: SnapshotFilter,
  columns: readonly string[],
  { figureVersion, ratesIndex }: FigureVersions
): string {
  const wanted = [...new Set(['elapsed', ...columns])].map((name) => `made_rows.${name} AS ${name}`)
  const read = [...new Set(['elapsed', 'field', ...columns])].map((name) => `figure_rows.${name} AS ${name}`)
  const hasTape = `has(made_rows.field, ${textLiteral(OF_TAPE)})`
  const counts = `d -> if(d.1 > images.session AND d.2 <= toUnixTimestamp64Milli(images.ts), d.3, ${never})`
  const newest = ['taken', `arrayMax(arrayPushBack(arrayMap(${counts}, paid), ${never}))`]
  const joined = [
    `(${madeRows(where, read, figureVersion)}) AS made_rows ON images.symbol = made_rows.symbol AND images.ts = made_rows.ts`,
    `(${dividendsWritten}) AS paying ON images.symbol = paying.symbol`,
    `(${tapesWritten}) AS heads ON images.symbol = heads.symbol AND images.session = heads.session`
  ].map((table) => `LEFT JOIN ${table}`)
  if (ratesIndex !== undefined) {
    newest.push('closed')
    const closing = ratesIndex === PAR_YIELDS ? yieldsWritten(closes) : closeWritten(ratesIndex, closes)
    joined.push(`ASOF LEFT JOIN (${closing}) AS closes ON images.one = closes.one AND images.session > closes.session`)
  }
  // One level, since a statement of this size takes longer to be planned than to be run, the more so the deeper it is.
  return `SELECT images.symbol AS symbol, images.session AS session, images.ts AS ts, images.fidelity AS fidelity, ${wanted.join(', ')},
  made > greatest(${newest.join(', ')}) AND NOT (${hasTape} AND made <= taped) AS is_current,
  made_rows.elapsed >= 0 AND taped > ${never} AND NOT ${hasTape} AS lacks_tape
FROM (${snapshotsWritten(where)}) AS images
${joined.join('\n')}`
}

/** Snapshots, each with when the newest of its versions was written. */
const snapshotsWritten = (where: string) => `SELECT symbol, session, ts, 1 AS one, max(option_images.written) AS taken,
  argMax(option_images.fidelity, option_images.written) AS fidelity
FROM option_images WHERE ${where} GROUP BY symbol, session, ts`

const madeRows = (where: string, columns: readonly string[], figureVersion: string) =>
  `SELECT symbol, ts, figure_rows.written AS made, ${columns.join(', ')}
FROM figure_rows FINAL WHERE ${where} AND version = ${textLiteral(figureVersion)}`

const dividendsWritten =
  'SELECT symbol, groupArray((ex_date, since, dividends.written)) AS paid FROM dividends GROUP BY symbol'

const tapesWritten = `SELECT symbol, session, max(tapes.written) AS taped FROM tapes WHERE kind = 'option' GROUP BY symbol, session`

/** When the last snapshot of the index in each session was written. */
function closeWritten(ratesIndex: string, closes: string): string {
  return `SELECT 1 AS one, session, argMax(option_images.written, (ts, option_images.written)) AS closed
FROM option_images WHERE symbol = ${textLiteral(ratesIndex)} AND ${closes} GROUP BY session`
}

/** When the newest of the yields of each day was written. A writer that writes one anew writes those after it anew, too. */
function yieldsWritten(closes: string): string {
  const symbols = [overnightRate, ...parYields.map(({ series }) => series)].map(({ symbol }) => textLiteral(symbol))
  return `SELECT 1 AS one, session, max(daily_bars.written) AS closed
FROM daily_bars WHERE symbol IN (${symbols.join(', ')}) AND ${closes} GROUP BY session`
}
