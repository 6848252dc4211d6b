import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isEngineInstalled } from '../../src/archive/clickhouse/embedded.ts'
import { enginePath } from '../../src/archive/open.ts'

/** Whether the tests of the archive can run: `npm test` fetches the engine where there is one for the machine. */
export const hasEngine = isEngineInstalled(enginePath)
if (!hasEngine) console.log('skipped: the tests of the archive need the database engine; npm test fetches it')

/** A data folder that goes with the test file. */
export { temporaryFolder as dataFolder } from './temporary-folder.ts'

interface Session {
  queryAsync(query: string, options?: { readonly format: string }): Promise<{ bytes(): Uint8Array }>
  close(): void
}

/** Parameters that the client sends only because it uses HTTP. */
const ofHttp =
  /^(send_progress_in_http_headers|http_headers_progress_interval_ms|query|query_id|database|default_format|wait_end_of_query|enable_http_compression|session_id|role)$/

/**
 * ClickHouse's HTTP protocol in front of the engine of this process, as far as the client uses it: the statement in the
 * query string or the body, settings as parameters, rows in the body, refusals as a status and a text. A database is
 * made when it is first named.
 */
export async function startBridge(folder: string) {
  const require = createRequire(join(enginePath, 'package.json'))
  const { Session }: { Session: new (folder: string) => Session } = require('chdb')
  const sessions = new Map<string, Promise<Session>>()
  const open = async (database: string) => {
    const session = new Session(folder)
    await session.queryAsync(`CREATE DATABASE IF NOT EXISTS ${database}`)
    await session.queryAsync(`USE ${database}`)
    return session
  }
  let turn: Promise<unknown> = Promise.resolve()

  const server = createServer(async (request, response) => {
    const body: Buffer[] = []
    for await (const part of request) body.push(part)
    const { searchParams } = new URL(request.url ?? '/', 'http://bridge')
    const database = searchParams.get('database')!
    if (!sessions.has(database)) sessions.set(database, open(database))
    const work = turn.then(async () => {
      const session = (await sessions.get(database))!
      for (const [name, value] of searchParams) {
        if (!ofHttp.test(name)) await session.queryAsync(`SET ${name} = '${value}'`)
      }
      const statement = searchParams.get('query')
      const text = Buffer.concat(body).toString()
      return session.queryAsync(statement === null ? text : `${statement}\n${text}`, { format: 'TabSeparated' })
    })
    turn = work.catch(() => {})
    try {
      const result = await work
      response.writeHead(200).end(result.bytes())
    } catch (error) {
      response.writeHead(500, { 'x-clickhouse-exception-code': '1' }).end((error as Error).message)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    addressOf: (database: string) => `http://default:@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      for (const session of sessions.values()) (await session).close()
    }
  }
}
