import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { HistoryError } from '../history-error.ts'
import { type DatabaseConnection, databaseFormats, type ExportFormat, inputSettings } from './database-connection.ts'
import { isEngineInstalled, openEmbedded } from './embedded.ts'

const REQUEST_TIMEOUT = 120_000
/** Makes the server send progress headers during a long statement, so that no proxy closes the connection as idle. */
const signsOfLife: Readonly<Record<string, number | string>> = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '15000'
}

/** Settings of a write: it is confirmed only when every shard that receives rows has them on its disk. */
const durable: Readonly<Record<string, number>> = {
  async_insert: 0,
  distributed_foreground_insert: 1,
  wait_end_of_query: 1
}

/**
 * Connects to ClickHouse at an address such as https://user:password@host:8443/database. A server cannot read files of
 * this machine, so those are read by the embedded engine, if it is installed.
 */
export function openServer(address: string, engine: string): DatabaseConnection {
  const client = createClient({
    url: address,
    request_timeout: REQUEST_TIMEOUT,
    compression: { response: true },
    log: { level: ClickHouseLogLevel.OFF }, // callers log errors themselves
    clickhouse_settings: signsOfLife
  })
  const drained = async (stream: Readable) => {
    for await (const _ of stream);
  }
  const run = async (statement: string) => {
    await client.command({ query: statement, clickhouse_settings: durable })
  }
  return {
    async read(query) {
      const { stream } = await client.exec({ query: `${query}\nFORMAT Native` })
      const parts: Uint8Array[] = []
      for await (const part of stream) parts.push(part)
      return new Uint8Array(Buffer.concat(parts))
    },
    run,
    async runAll(statements) {
      for (const statement of statements) await run(statement)
    },
    async insert(table, columns, rows) {
      const { stream } = await client.exec({
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT TabSeparated`,
        values: Readable.from([rows], { objectMode: false }),
        clickhouse_settings: { ...durable, ...inputSettings }
      })
      await drained(stream)
    },
    async save(query, format: ExportFormat, path) {
      const { stream } = await client.exec({ query: `${query}\nFORMAT ${databaseFormats[format]}` })
      await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    },
    writeTableText: (parquet, path) => withEngine(engine, (local) => local.writeTableText(parquet, path)),
    close: () => client.close()
  }
}

/** Runs `work` with an embedded engine on an empty temporary folder. */
async function withEngine(engine: string, work: (local: DatabaseConnection) => Promise<void>): Promise<void> {
  if (!isEngineInstalled(engine)) {
    throw new HistoryError('Parquet is read by the embedded engine, which is not installed here: convert it to CSV')
  }
  const folder = await mkdtemp(join(tmpdir(), 'gammawall-engine-'))
  try {
    const local = await openEmbedded(folder, engine)
    await work(local).finally(() => local.close())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
