import { easternDate } from '../../market/eastern.ts'
import type { TapeKind } from '../../market/print.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import type { TapeId, TapeTable } from '../history-store.ts'
import { type DatabaseConnection, momentLiteral, textLiteral } from './database-connection.ts'

/**
 * Minimum age of a contract list to be deleted. Snapshots that use a younger list may still be on their way to the
 * database.
 */
const ON_THEIR_WAY = 'INTERVAL 1 HOUR'
/** Pause between checks whether a deletion is finished, milliseconds. */
const CHECK_EVERY = 50

/**
 * Deletes recorded snapshots before a moment, their figures, and contract lists that no snapshot uses. Imported
 * snapshots stay. When this resolves, queries no longer see the rows; the database frees their files some minutes
 * later. It rewrites old files one by one, which may take minutes. Snapshots can be written and read meanwhile.
 */
export async function deleteSnapshots(
  connection: DatabaseConnection,
  before: Instant,
  keepCloses: boolean
): Promise<void> {
  const placed = await placement(connection)
  const { local } = placed
  const remove = (table: string, where: string) => removeRows(connection, placed, table, where)
  const snapshots = `option_images${local}`
  const old = `fidelity = 'recorded' AND ts < ${momentLiteral(Math.ceil(before))}`
  const closes = `SELECT symbol, max(ts) FROM ${snapshots} WHERE session <= '${easternDate(before)}' GROUP BY symbol, session`
  await remove('option_images', keepCloses ? `${old} AND (symbol, ts) NOT IN (${closes})` : old)
  await remove(
    'figure_rows',
    `ts < ${momentLiteral(Math.ceil(before))} AND (symbol, ts) NOT IN (SELECT symbol, ts FROM ${snapshots})`
  )
  const named = `SELECT symbol, session, series FROM ${snapshots}`
  await remove('option_series', `written < now64(6) - ${ON_THEIR_WAY} AND (symbol, session, id) NOT IN (${named})`)
}

/**
 * Deletes recorded tapes, 0DTE bars and hedging pressure of sessions before a date; imported tapes stay. Heads of tapes (rows of table
 * `tapes`) are deleted first, so that no reader finds half a tape. If a deletion fails halfway, the next call continues
 * it.
 */
export async function deleteSessions(connection: DatabaseConnection, before: IsoDate): Promise<void> {
  const placed = await placement(connection)
  const old = `session < ${textLiteral(before)}`
  const recorded = (kind: TapeKind) => {
    const imported = `fidelity = 'imported' AND kind = ${textLiteral(kind)}`
    return `${old} AND (symbol, session) NOT IN (SELECT symbol, session FROM tapes${placed.local} WHERE ${imported})`
  }
  await removeFound(connection, placed, [
    ['tapes', `${old} AND fidelity = 'recorded'`],
    ['option_tape', recorded('option')],
    ['stock_tape', recorded('stock')],
    ['tape_series', recorded('option')],
    ['zero_dte_samples', old],
    ['zero_dte_strikes', old],
    ['flow_pressure', old],
    ['customer_sums', old]
  ])
}

/** Deletes a tape. Its head (the row of table `tapes`) goes first, so that no reader finds half a tape. */
export async function deleteTape(connection: DatabaseConnection, { symbol, kind, session }: TapeId): Promise<void> {
  const where = `symbol = ${textLiteral(symbol)} AND session = ${textLiteral(session)}`
  const tables: readonly (readonly [TapeTable, string])[] = [
    ['tapes', `${where} AND kind = ${textLiteral(kind)}`],
    [`${kind}_tape`, where],
    ...(kind === 'option' ? [['tape_series', where] as const] : [])
  ]
  await removeFound(connection, await placement(connection), tables)
}

/** Deletes the matching rows of each table, one table after the other. Tables without such rows are skipped. */
async function removeFound(
  connection: DatabaseConnection,
  placed: Placed,
  tables: readonly (readonly [table: string, where: string])[]
): Promise<void> {
  const asked = tables.map(
    ([table, where]) => `SELECT ${textLiteral(table)} AS name FROM ${table}${placed.local} WHERE ${where} LIMIT 1`
  )
  const held = new Set(rowsOf(await connection.read(asked.join(' UNION ALL '))).map(({ name }) => name))
  for (const [table, where] of tables) if (held.has(table)) await removeRows(connection, placed, table, where)
}

/** Deletes rows of a table. Resolves when queries no longer see them. */
async function removeRows(
  connection: DatabaseConnection,
  { local, onCluster }: Placed,
  table: string,
  where: string
): Promise<void> {
  const settings = 'mutations_sync = 0, allow_nondeterministic_mutations = 1'
  await connection.run(`ALTER TABLE ${table}${local}${onCluster} DELETE WHERE ${where} SETTINGS ${settings}`)
  await carriedOut(connection, `${table}${local}`)
}

/** Waits until a table has finished its deletions. Rejects if one cannot be done. */
async function carriedOut(connection: DatabaseConnection, table: string): Promise<void> {
  for (;;) {
    const [{ left, failure }] = rowsOf(
      await connection.read(`SELECT count() AS left, max(latest_fail_reason) AS failure FROM system.mutations
WHERE NOT is_done AND database = currentDatabase() AND table = '${table}'`)
    )
    if (left === 0) return
    if (failure !== '') throw new Error(`rows of ${table} cannot be deleted: ${failure}`)
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY).unref())
  }
}

/**
 * Parts of SQL statements that name the tables in which the rows are stored. On a cluster these are the local tables of
 * each server.
 */
interface Placed {
  readonly local: string
  readonly onCluster: string
}

async function placement(connection: DatabaseConnection): Promise<Placed> {
  const [found] = rowsOf(
    await connection.read(`SELECT engine, extract(engine_full, '''([^'']+)''') AS cluster FROM system.tables
WHERE database = currentDatabase() AND name = 'option_images'`)
  )
  return found.engine === 'Distributed'
    ? { local: '_local', onCluster: ` ON CLUSTER '${found.cluster}'` }
    : { local: '', onCluster: '' }
}
