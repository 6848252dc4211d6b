import { overnightRate, PAR_YIELDS, parYields } from '../../market/macro-series.ts'
import { textLiteral } from './database-connection.ts'

/** Name of a figure that every row computed with prints has, and no other row. */
export const OF_TAPE = 'flow.net_premium'

/** Versions and settings that decide which rows of figures are valid. */
export interface FigureVersions {
  readonly figureVersion: string
  /** Index whose options imply interest rates, or `PAR_YIELDS`; undefined if rates are configured. */
  readonly ratesIndex: string | undefined
}

/**
 * SQL conditions of a query for figures. `where` selects snapshots by symbol, session and ts. `closes` selects the
 * sessions whose closing snapshots or yields give the interest rates.
 */
export interface SnapshotFilter {
  readonly where: string
  readonly closes: string
}

const never = "toDateTime64(0, 6, 'UTC')"

/**
 * Returns a query with one row for each snapshot and these `columns` of its figures, plus two flags:
 *
 * - `is_current`: the figures were computed with the current formulas from the newest inputs.
 * - `lacks_tape`: the session has a tape that the figures do not include.
 *
 * The inputs are the snapshot, the dividends known at its moment, the previous session's close that gives the interest
 * rates, and the tape. An input is stamped when its write begins. A row of figures is stamped with the clock time just
 * before its inputs were read, so it is current if its stamp is later than the stamp of every input. A replaced
 * dividend counts from the first moment at which any version of it was known.
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
  // The query has no nested levels, because planning takes longer than running it, and nesting makes planning slower
  // still.
  return `SELECT images.symbol AS symbol, images.session AS session, images.ts AS ts, images.fidelity AS fidelity, ${wanted.join(', ')},
  made > greatest(${newest.join(', ')}) AND NOT (${hasTape} AND made <= taped) AS is_current,
  made_rows.elapsed >= 0 AND taped > ${never} AND NOT ${hasTape} AS lacks_tape
FROM (${snapshotsWritten(where)}) AS images
${joined.join('\n')}`
}

/** SQL that selects snapshots, with the time at which the newest version of each was written. */
const snapshotsWritten = (where: string) => `SELECT symbol, session, ts, 1 AS one, max(option_images.written) AS taken,
  argMax(option_images.fidelity, option_images.written) AS fidelity
FROM option_images WHERE ${where} GROUP BY symbol, session, ts`

const madeRows = (where: string, columns: readonly string[], figureVersion: string) =>
  `SELECT symbol, ts, figure_rows.written AS made, ${columns.join(', ')}
FROM figure_rows FINAL WHERE ${where} AND version = ${textLiteral(figureVersion)}`

const dividendsWritten =
  'SELECT symbol, groupArray((ex_date, since, dividends.written)) AS paid FROM dividends GROUP BY symbol'

const tapesWritten = `SELECT symbol, session, max(tapes.written) AS taped FROM tapes WHERE kind = 'option' GROUP BY symbol, session`

/** SQL for the time at which the last snapshot in each session of the interest-rate index was written. */
function closeWritten(ratesIndex: string, closes: string): string {
  return `SELECT 1 AS one, session, argMax(option_images.written, (ts, option_images.written)) AS closed
FROM option_images WHERE symbol = ${textLiteral(ratesIndex)} AND ${closes} GROUP BY session`
}

/**
 * SQL for the time at which the newest yield of each day was written. If one yield changes, all later ones are written
 * again too.
 */
function yieldsWritten(closes: string): string {
  const symbols = [overnightRate, ...parYields.map(({ series }) => series)].map(({ symbol }) => textLiteral(symbol))
  return `SELECT 1 AS one, session, max(daily_bars.written) AS closed
FROM daily_bars WHERE symbol IN (${symbols.join(', ')}) AND ${closes} GROUP BY session`
}
