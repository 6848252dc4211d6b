import { easternDate } from '../market/eastern.ts'
import type { Instant } from '../market/units.ts'
import { type Connection, moment } from './clickhouse-connection.ts'
import { rowsOf } from './decode-rows.ts'

/** A list that no image names is left alone for as long as its images may still be on their way. */
const ON_THEIR_WAY = 'INTERVAL 1 HOUR'

/**
 * Deletes recorded images before a moment (what was imported stays), and the contract lists that no image names any more. They are out of sight when this
 * resolves; the database clears the files away some minutes later.
 */
export async function forgetImages(connection: Connection, before: Instant, keepCloses: boolean): Promise<void> {
  const { local, onCluster } = await placement(connection)
  const remove = (table: string, where: string) =>
    connection.run(
      `ALTER TABLE ${table}${local}${onCluster} DELETE WHERE ${where} SETTINGS mutations_sync = 2, allow_nondeterministic_mutations = 1`
    )
  const images = `option_images${local}`
  const old = `fidelity = 'recorded' AND ts < ${moment(Math.ceil(before))}`
  const closes = `SELECT symbol, max(ts) FROM ${images} WHERE session <= '${easternDate(before)}' GROUP BY symbol, session`
  await remove('option_images', keepCloses ? `${old} AND (symbol, ts) NOT IN (${closes})` : old)
  const named = `SELECT symbol, session, series FROM ${images}`
  await remove('option_series', `written < now64(6) - ${ON_THEIR_WAY} AND (symbol, session, id) NOT IN (${named})`)
}

/** Where rows really lie: in the tables themselves, or on the servers of a cluster. */
async function placement(connection: Connection): Promise<{ readonly local: string; readonly onCluster: string }> {
  const [found] = rowsOf(
    await connection.read(`SELECT engine, extract(engine_full, '''([^'']+)''') AS cluster FROM system.tables
WHERE database = currentDatabase() AND name = 'option_images'`)
  )
  return found.engine === 'Distributed'
    ? { local: '_local', onCluster: ` ON CLUSTER '${found.cluster}'` }
    : { local: '', onCluster: '' }
}
