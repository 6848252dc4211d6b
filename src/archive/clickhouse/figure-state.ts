import { overnightRate, PAR_YIELDS, parYields } from '../../market/macro-series.ts'
import { textLiteral } from './database-connection.ts'

/** A figure that every row made with prints has, and no other row. */
export const OF_TAPE = 'flow.net_premium'

/** Which rows of figures are valid. */
export interface FigureVersions {
  /** Version of the formulas and assumptions that make rows. */
  readonly figureVersion: string
  /** The index whose options tell interest rates, or `PAR_YIELDS`; undefined when rates are configured. */
  readonly ratesIndex: string | undefined
}

/**
 * SQL conditions: `where` on the snapshots (symbol, session, ts), `closes` on the sessions whose closes tell their
 * rates.
 */
export interface SnapshotFilter {
  readonly where: string
  readonly closes: string
}

const never = "toDateTime64(0, 6, 'UTC')"

/**
 * A query with one row for each snapshot and these `columns` of its figures. `is_current`: the figures are by the
 * present formulas and from the newest inputs. `lacks_tape`: the session has a tape that the figures do not use. The
 * inputs are the snapshot, the dividends known at its moment, the close that tells the rates of the session before, and
 * the tape. Each input is stamped when its write began, and a row with the clock before its inputs were read. A
 * replaced dividend counts from the first moment at which any version of it was known.
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
  // One level, since planning this statement takes longer than running it, and longer still when it is nested.
  return `SELECT images.symbol AS symbol, images.session AS session, images.ts AS ts, images.fidelity AS fidelity, ${wanted.join(', ')},
  made > greatest(${newest.join(', ')}) AND NOT (${hasTape} AND made <= taped) AS is_current,
  made_rows.elapsed >= 0 AND taped > ${never} AND NOT ${hasTape} AS lacks_tape
FROM (${snapshotsWritten(where)}) AS images
${joined.join('\n')}`
}

/** Snapshots with the moment at which their newest version was written. */
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

/** When the newest yield of each day was written. A writer that changes one yield writes all later ones anew. */
function yieldsWritten(closes: string): string {
  const symbols = [overnightRate, ...parYields.map(({ series }) => series)].map(({ symbol }) => textLiteral(symbol))
  return `SELECT 1 AS one, session, max(daily_bars.written) AS closed
FROM daily_bars WHERE symbol IN (${symbols.join(', ')}) AND ${closes} GROUP BY session`
}
