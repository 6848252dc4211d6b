import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rowsOf } from '../codec/native-rows.ts'
import { DATABASE, damagedFiles, databaseLost, isReadOnly } from '../folder-check.ts'
import { HistoryDamage, HistoryError } from '../history-error.ts'
import {
  type DatabaseConnection,
  databaseFormats,
  type ExportFormat,
  inputSettings,
  textLiteral
} from './database-connection.ts'
import { tableTextQuery } from './table-text.ts'

/**
 * The part of the package chdb that we use. The package is installed separately from our dependencies, so its types are
 * not available.
 */
interface Chdb {
  readonly Session: new (folder: string, options: { readonly connectionArgs: readonly string[] }) => Session
  drainPending(): Promise<void>
}

interface Session {
  queryAsync(query: string, options?: { readonly format: string }): Promise<{ bytes(): Uint8Array }>
  insert(rows: {
    readonly table: string
    readonly columns: readonly string[]
    readonly values: Uint8Array
    readonly format: 'TabSeparated'
    readonly settings: Readonly<Record<string, number>>
  }): Promise<unknown>
  close(): void
}

/**
 * Number of engine sessions that read; one more session writes. A session runs one query at a time, so with two readers
 * quick queries can pass a slow one.
 */
const READERS = 2
/**
 * Name of the engine's npm package. It is loaded from the engine's own folder, so it is deliberately not in
 * package.json.
 */
const PACKAGE = 'chdb'

/** Default size of the larger caches, bytes. Those of the engine would take gigabytes of a machine that others use too. */
const CACHE_BYTES = 2 ** 27
const CONDITION_CACHE_BYTES = 2 ** 23

/**
 * Milliseconds after which the engine's allocator gives freed memory back. Its own 5,000 made the peak of a backfilled day
 * some 30 MB higher.
 */
const FREED_AFTER = 200

const cacheArgs = (bytes: number) => [
  `--mark_cache_size=${bytes}`,
  `--primary_index_cache_size=${bytes}`,
  `--query_condition_cache_size=${Math.min(bytes, CONDITION_CACHE_BYTES)}`
]

/**
 * Keeps the engine from making machine code of expressions. Its compiler brings 14 MB of pages of the library and 3 MB of
 * its own into memory, and queries as short as ours are over before it pays.
 */
const interpreted = ['--compile_expressions=0', '--compile_aggregate_expressions=0', '--compile_sort_description=0']

export function isEngineInstalled(engine: string): boolean {
  return existsSync(join(engine, 'node_modules', PACKAGE, 'package.json'))
}

/**
 * Opens ClickHouse inside this process, with its files in `folder`. Only one process at a time can use a folder; if
 * another one does, throws an error that says so. `cacheBytes` limits each of the engine's larger caches.
 */
export async function openEmbedded(
  folder: string,
  engine: string,
  cacheBytes: number = CACHE_BYTES
): Promise<DatabaseConnection> {
  const require = createRequire(join(engine, 'package.json'))
  // Read once, as the library is loaded; this has no effect in a thread, whose environment is a copy.
  process.env['JE_MALLOC_CONF'] ??= `dirty_decay_ms:${FREED_AFTER}`
  const { Session, drainPending }: Chdb = require(PACKAGE)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lost = databaseLost(folder)
  if (lost !== undefined) throw new HistoryDamage(lost)
  const sessions: Session[] = []
  const connectionArgs = [...cacheArgs(cacheBytes), ...interpreted]
  try {
    for (let k = 0; k <= READERS; k++) sessions.push(new Session(folder, { connectionArgs }))
  } catch (error) {
    for (const session of sessions) session.close()
    throw refusal(folder, error)
  }
  await sessions[0].queryAsync(`CREATE DATABASE IF NOT EXISTS ${DATABASE}`)
  for (const session of sessions) await session.queryAsync(`USE ${DATABASE}`)
  const [writer, ...readers] = sessions
  const writes = new ResourcePool([writer])
  const reads = new ResourcePool(readers)

  const run = (statement: string) => writes.take(async (session) => void (await session.queryAsync(statement)))

  return {
    read: (query) => reads.take(async (session) => (await session.queryAsync(query, { format: 'Native' })).bytes()),
    run,
    // Joined into one call, because each call waits for its turn on this thread, which is busy during a start.
    runAll: (statements) => run(statements.join(';\n')),
    insert: (table, columns, values) =>
      writes.take(async (session) => {
        await session.insert({ table, columns, values, format: 'TabSeparated', settings: inputSettings })
      }),
    save: (query, format: ExportFormat, path) =>
      reads.take(async (session) => {
        if (existsSync(path)) throw new Error(`${path} exists already`) // the engine would append to the file
        const target = `file(${textLiteral(path)}, ${databaseFormats[format]})`
        await session.queryAsync(`INSERT INTO FUNCTION ${target} ${query}`)
      }),
    writeTableText: (table, path) =>
      reads.take(async (session) => {
        const rowsIn = async (query: string) => rowsOf((await session.queryAsync(query, { format: 'Native' })).bytes())
        await session.queryAsync(`INSERT INTO FUNCTION file(${textLiteral(path)}, ${await tableTextQuery(table, rowsIn)}
SETTINGS session_timezone = 'UTC', max_threads = 1, input_format_parquet_preserve_order = 1`)
      }),
    async close() {
      await Promise.all([writes.close(), reads.close()])
      for (const session of sessions) session.close()
      await drainPending()
    }
  }
}

/**
 * Explains why the engine did not open a folder. The engine prints the reason only to standard error; the id of the
 * owning process is in a file.
 */
function refusal(folder: string, cause: unknown): HistoryError {
  const owner = ownerOf(folder)
  if (owner !== undefined) {
    const message = `the history in ${folder} is in use by process ${owner}: a data folder belongs to one process at a time`
    return new HistoryError(message, { cause })
  }
  if (isReadOnly(folder))
    return new HistoryError(`the history in ${folder} cannot be opened: the disk is read-only`, { cause })
  const [damage = { path: 'history', reason: 'the engine does not open it and says why above' }] = damagedFiles(folder)
  return new HistoryDamage(damage, cause)
}

function ownerOf(folder: string): number | undefined {
  try {
    const pid = Number(/PID:\s*(\d+)/.exec(readFileSync(join(folder, 'status'), 'utf8'))?.[1])
    process.kill(pid, 0)
    return pid === process.pid ? undefined : pid
  } catch {
    return undefined
  }
}

/** A pool of resources that do one job at a time. Callers wait in order. */
class ResourcePool<Resource> {
  readonly #free: Resource[]
  readonly #count: number
  readonly #waiting: ((resource: Resource) => void)[] = []
  #closed = false

  constructor(pool: readonly Resource[]) {
    this.#free = [...pool]
    this.#count = pool.length
  }

  async take<Result>(job: (resource: Resource) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('the history is closed')
    const resource = await this.#next()
    try {
      return await job(resource)
    } finally {
      const waiting = this.#waiting.shift()
      if (waiting === undefined) this.#free.push(resource)
      else waiting(resource)
    }
  }

  /** Refuses new jobs; resolves when the running ones are finished. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all(Array.from({ length: this.#count }, () => this.#next()))
  }

  #next(): Resource | Promise<Resource> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve))
  }
}
