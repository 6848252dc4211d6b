import { createHash } from 'node:crypto'
import { type Compilable, sql } from 'kysely'
import { type Instant, isoInstant } from '../market/units.ts'
import { countedTables, logged, statement, type Tables } from './accounts-schema.ts'
import type { Changes, Database, Queries } from './database.ts'
import { DatabaseError } from './storage-error.ts'

/** Tables in an order in which each row follows those that it refers to, with their keys. Triggers fill the others. */
export const copiedTables = {
  users: ['id'],
  keys: ['id'],
  bundles: ['id'],
  identities: ['issuer', 'subject'],
  documents: ['user_id', 'kind', 'id'],
  alert_webhooks: ['id'],
  alerts: ['id'],
  alert_firings: ['id'],
  push_key: ['id'],
  audit: ['id'],
  usage: ['user_id', 'day']
} as const satisfies Partial<{ readonly [Name in keyof Tables]: readonly (keyof Tables[Name])[] }>
type TableName = keyof typeof copiedTables
type Row = Readonly<Record<string, string | number | null>>

const names = Object.keys(copiedTables) as readonly TableName[]
/** All but the counts of requests, which go on where no account can be changed any more. */
const closedTables = names.filter((name) => name !== 'usage')

/** Parameters of one statement: both databases take more. */
const MAX_PARAMETERS = 30_000

/** Result of a copy. */
export interface Copied {
  /** Moment of the copy, which may be an earlier one of the same accounts. */
  readonly at: string
  /** Rows that were copied by table; undefined if they had been copied before. */
  readonly rows: ReadonlyMap<TableName, number> | undefined
}

/**
 * Copies all accounts into a database without any, and closes those that are copied to changes; requests are still
 * counted there, see `copyUsage`. Either everything is there, compared row by row, or nothing is. Copying once more
 * changes nothing. Throws a DatabaseError if the other database holds other accounts.
 */
export function copyAccounts(from: Database, to: Database, now: Instant): Promise<Copied> {
  return from.durably(async (source) => {
    await run(source, closedTables.flatMap(from.words.close))
    const columns = await columnsOf(source)
    const tables = await rowsOfAll(source, names, columns)
    const digest = digestOf(tables)
    return to.durably(async (target) => {
      const earlier = await earlierCopy(target, digest)
      if (earlier !== undefined) return { at: earlier, rows: undefined }
      await requireEmpty(target)
      for (const [name, rows] of tables) {
        const { before, after } = to.words.fill(name)
        await run(target, before)
        await insert(target, name, rows)
        await run(target, after)
      }
      await insert(target, 'copied_usage', tables.get('usage')!)
      await run(target, [...countedAnew, ...readAnew])
      await requireEqual(target, tables, columns)
      const at = isoInstant(now)
      await target.insertInto('copies').values({ digest, at }).execute()
      return { at, rows: new Map([...tables].map(([name, rows]) => [name, rows.length])) }
    })
  })
}

/**
 * Adds the requests that `from` counted since its accounts were copied to `to`, and returns how many. It may be repeated,
 * also while services run over either. Throws a DatabaseError if the accounts were not copied there.
 */
export async function copyUsage(from: Database, to: Database): Promise<number> {
  const tables = await rowsOfAll(from.read, closedTables, await columnsOf(from.read))
  if ((await earlierCopy(to.read, digestOf(tables))) === undefined) {
    throw new DatabaseError('these accounts were not copied there: run gammawall accounts copy first')
  }
  const copied = await to.read.selectFrom('copied_usage').selectAll().execute()
  const known = new Set(copied.map((row) => JSON.stringify([row.user_id, row.day, row.count, row.panel_count])))
  let requests = 0
  for (const row of await from.read.selectFrom('usage').selectAll().execute()) {
    const { user_id, day, count, panel_count } = row
    if (known.has(JSON.stringify([user_id, day, count, panel_count]))) continue
    // A row at a time: services that grant requests lock several in another order.
    requests += await to.durably((target) => addUsage(target, { user_id, day, count, panel_count }))
  }
  return requests
}

/** Lets accounts be changed again that were closed by a copy. */
export function reopenAccounts(database: Database): Promise<void> {
  return database.durably((tx) => run(tx, closedTables.flatMap(database.words.reopen)))
}

async function run(tx: Changes, statements: readonly Compilable[]): Promise<void> {
  for (const each of statements) await tx.executeQuery(each.compile())
}

/** Counts the rows of tables that were filled without their triggers. */
const countedAnew = countedTables.map((name) =>
  statement(`UPDATE revision SET ${name} = (SELECT count(*) FROM ${name})`)
)

/** Leaves a gap in the log of changes, after which every service reads all accounts anew. */
const readAnew = [
  statement(logged(`VALUES ('copied', NULL, NULL)`)),
  statement(logged(`VALUES ('copied', NULL, NULL)`)),
  statement('DELETE FROM account_changes WHERE number < (SELECT max(number) FROM account_changes)')
]

async function addUsage(target: Changes, row: Tables['usage']): Promise<number> {
  const { user_id, day, count, panel_count } = row
  const before = await target
    .selectFrom('copied_usage')
    .select(['count', 'panel_count'])
    .where('user_id', '=', user_id)
    .where('day', '=', day)
    .executeTakeFirst()
  const more = { count: count - (before?.count ?? 0), panel_count: panel_count - (before?.panel_count ?? 0) }
  const key = ['user_id', 'day'] as const
  await target
    .insertInto('usage')
    .values({ user_id, day, ...more })
    .onConflict((conflict) =>
      conflict.columns(key).doUpdateSet((eb) => ({
        count: eb('usage.count', '+', more.count),
        panel_count: eb('usage.panel_count', '+', more.panel_count)
      }))
    )
    .execute()
  await target
    .insertInto('copied_usage')
    .values(row)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet({ count, panel_count }))
    .execute()
  return more.count
}

/** Names of the columns of each table, in one order for every database. */
type Columns = ReadonlyMap<string, readonly string[]>

async function columnsOf(queries: Queries): Promise<Columns> {
  const tables = await queries.introspection.getTables()
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]))
}

async function rowsOfAll(
  queries: Queries,
  tables: readonly TableName[],
  columns: Columns
): Promise<ReadonlyMap<TableName, readonly Row[]>> {
  const found = new Map<TableName, readonly Row[]>()
  for (const name of tables) found.set(name, await rowsOf(queries, name, columns))
  return found
}

async function rowsOf(queries: Queries, name: TableName, columns: Columns): Promise<readonly Row[]> {
  const list = (of: readonly string[]) => sql.join(of.map((column) => sql.ref(column)))
  const { rows } = await sql<Row>`SELECT ${list(columns.get(name)!)} FROM ${sql.table(name)}
    ORDER BY ${list(copiedTables[name])}`.execute(queries)
  return rows
}

const textOf = (rows: readonly Row[]) => JSON.stringify(rows.map((row) => Object.values(row)))

function digestOf(tables: ReadonlyMap<TableName, readonly Row[]>): string {
  const hash = createHash('sha256')
  for (const name of closedTables) hash.update(`${name} ${textOf(tables.get(name)!)}\n`)
  return hash.digest('hex')
}

/** When the accounts of a digest were copied; undefined if they were not. */
async function earlierCopy(target: Queries, digest: string): Promise<string | undefined> {
  const found = await target.selectFrom('copies').select('at').where('digest', '=', digest).executeTakeFirst()
  return found?.at
}

async function requireEmpty(target: Queries): Promise<void> {
  const filled: string[] = []
  for (const name of names) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(name)} LIMIT 1`.execute(target)
    if (rows.length > 0) filled.push(name)
  }
  if (filled.length === 0) return
  throw new DatabaseError(
    `other accounts are there already (${filled.join(', ')}): a copy needs a database without any`
  )
}

async function insert(target: Changes, name: TableName | 'copied_usage', rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const atOnce = Math.floor(MAX_PARAMETERS / Object.keys(rows[0]!).length)
  for (let from = 0; from < rows.length; from += atOnce) {
    // The rows have the columns of their table.
    const values = rows.slice(from, from + atOnce) as never
    await target.insertInto(name).values(values).execute()
  }
}

async function requireEqual(
  target: Queries,
  tables: ReadonlyMap<TableName, readonly Row[]>,
  columns: Columns
): Promise<void> {
  for (const [name, rows] of tables) {
    if (textOf(await rowsOf(target, name, columns)) === textOf(rows)) continue
    throw new DatabaseError(`the copy of ${name} is not the same as what was copied; nothing was copied`)
  }
}
