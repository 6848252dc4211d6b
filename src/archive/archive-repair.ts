import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ArchiveDamage, DamagedPart } from './archive-check.ts'
import { withArchive } from './archive-check.ts'
import { type DatabaseConnection, textLiteral } from './clickhouse/database-connection.ts'
import { keepPartList } from './clickhouse/part-list.ts'
import { archiveTables, schemaMigrations } from './clickhouse/schema/migrations.ts'
import { addColumns, createTable, createView, replaceView, singleServer } from './clickhouse/schema/statements.ts'
import { rowsOf } from './codec/native-rows.ts'
import { DATABASE, databaseIdOf, tableIdOf } from './folder-check.ts'
import { dayOf, ofPart, type SymbolDay, weekOf } from './lost-days.ts'

/** Something that was moved out of an archive, and what is lost with it. */
export interface Moved {
  /** Where it was, below the folder of the archive. */
  readonly path: string
  /** Undefined if there was nothing left to move. */
  readonly to: string | undefined
  readonly lost: readonly SymbolDay[]
}

/**
 * Makes an archive that no service uses answer again. Damaged descriptions of tables are moved into the folder `aside`
 * and written anew, damaged parts are moved there after their readable days were copied. Nothing is deleted. Damage of
 * tables shows only once their descriptions are sound, so the archive must be checked again afterwards.
 */
export async function repairArchive(
  folder: string,
  { files, tables, parts }: ArchiveDamage,
  { engine, aside }: { readonly engine: string; readonly aside: string }
): Promise<readonly Moved[]> {
  const moved: Moved[] = []
  const move = (path: string, lost: readonly SymbolDay[] = []) => {
    const from = join(folder, path)
    if (!existsSync(from)) return void moved.push({ path, to: undefined, lost })
    const to = join(aside, path)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    renameSync(from, to)
    moved.push({ path, to, lost })
  }
  for (const { path } of files.filter(({ path }) => isDescription(path))) {
    const database = databaseIdOf(folder)
    move(path)
    if (path === join('metadata', `${DATABASE}.sql`) && database !== undefined) {
      writeFileSync(join(folder, path), `ATTACH DATABASE _ UUID '${database}'\nENGINE = Atomic\n`, { mode: 0o600 })
    }
    if (path.endsWith('format_version.txt')) writeFileSync(join(folder, path), '1', { mode: 0o600 })
  }
  const isBroken = moved.length > 0 || tables.length > 0 || parts.length > 0
  if (!isBroken) return moved
  await withArchive(folder, engine, async (connection) => {
    await describeTables(connection, folder)
    for (const part of parts) {
      const { table, part: name, state, path, holds } = part
      const lost = state === 'damaged' ? await copyReadable(connection, part) : holds
      if (state === 'damaged') await connection.run(`ALTER TABLE ${table} DETACH PART ${textLiteral(name)}`)
      move(state === 'damaged' ? join(dirname(path), 'detached', name) : path, lost)
      for (const rows of orphansOf(part, lost)) moved.push(...(await setRowsAside(connection, rows, aside)))
    }
    await keepPartList(connection, folder)
  })
  return moved
}

/** Rows that can be read and mean nothing, or something wrong, without those that were lost. */
interface Orphans {
  readonly table: 'option_images' | 'tapes'
  readonly where: string
}

const kindOfTable: Readonly<Record<string, string>> = {
  option_tape: 'option',
  tape_series: 'option',
  stock_tape: 'stock'
}

/**
 * Snapshots without their list of contracts, and the heads of tapes that have lost prints: half a tape would give wrong
 * sums. Of a part that could not be asked, all tapes of its week are such.
 */
function orphansOf({ table, part, state }: DamagedPart, lost: readonly SymbolDay[]): readonly Orphans[] {
  if (table === 'option_series') {
    const where = '(symbol, session, series) NOT IN (SELECT symbol, session, id FROM option_series)'
    return [{ table: 'option_images', where }]
  }
  const kind = kindOfTable[table]
  if (kind === undefined || (state === 'damaged' && lost.length === 0)) return []
  const areKnown = state === 'damaged' && lost.every(({ symbol }) => symbol !== undefined)
  const days = lost.map(({ symbol = '', day }) => `(${textLiteral(symbol)}, ${textLiteral(day)})`)
  const when = areKnown
    ? `(CAST(symbol AS String), toString(session)) IN (${days.join(', ')})`
    : `toMonday(session) = toDate32(${textLiteral(weekOf(part)[0]?.day ?? '')})`
  return [{ table: 'tapes', where: `kind = ${textLiteral(kind)} AND ${when}` }]
}

/** Writes rows into a Parquet file in `aside` and takes them out of their table. */
async function setRowsAside(
  connection: DatabaseConnection,
  { table, where }: Orphans,
  aside: string
): Promise<readonly Moved[]> {
  const held = rowsOf(
    await connection.read(`SELECT DISTINCT CAST(symbol AS String) AS symbol, toString(session) AS day
FROM ${table} WHERE ${where} ORDER BY symbol, day`)
  )
  if (held.length === 0) return []
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  const to = join(aside, `${table}-${readdirSync(aside).length}.parquet`)
  await connection.save(`SELECT * FROM ${table} WHERE ${where}`, 'parquet', to)
  const settings = 'mutations_sync = 1, allow_nondeterministic_mutations = 1'
  await connection.run(`ALTER TABLE ${table} DELETE WHERE ${where} SETTINGS ${settings}`)
  const lost = held.map(({ symbol, day }): SymbolDay => ({ symbol: symbol as string, day: day as string }))
  return [{ path: table, to, lost }]
}

const isDescription = (path: string) => path.endsWith('.sql') || path.endsWith('format_version.txt')

/** Tells the engine of tables whose files are there and whose description is not, and makes those that are missing. */
async function describeTables(connection: DatabaseConnection, folder: string): Promise<void> {
  for (const table of archiveTables) {
    const id = tableIdOf(folder, table.name)
    const create = createTable(table, singleServer)
    const named = `CREATE TABLE IF NOT EXISTS ${table.name}`
    if (id !== undefined && create.startsWith(named)) {
      await connection.run(`ATTACH TABLE IF NOT EXISTS ${table.name} UUID '${id}'${create.slice(named.length)}`)
    } else await connection.run(create)
  }
  for (const { columns = [], views, replacedViews = [] } of schemaMigrations) {
    for (const added of columns) await connection.run(addColumns(added, singleServer))
    for (const view of views) await connection.run(createView(view, singleServer))
    for (const view of replacedViews) await connection.run(replaceView(view, singleServer))
  }
}

/** Copies the days of a part that can be read into a new part, symbol by symbol. Returns those that cannot be read. */
async function copyReadable(connection: DatabaseConnection, { table, part, holds }: DamagedPart) {
  const day = dayOf.get(table)
  const lost: SymbolDay[] = []
  await connection.run(`SYSTEM STOP MERGES ${table}`)
  for (const held of holds) {
    if (held.symbol === undefined || day === undefined) {
      lost.push(held)
      continue
    }
    const where = `${ofPart(part)} AND symbol = ${textLiteral(held.symbol)} AND ${day} = ${textLiteral(held.day)}`
    try {
      await connection.run(`INSERT INTO ${table} SELECT * FROM ${table} WHERE ${where}`)
    } catch {
      lost.push(held)
    }
  }
  return lost
}
