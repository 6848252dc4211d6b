import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { assistantOperations } from '../../../src/app/assistant-operations.ts'
import { methodPages } from '../../../src/config/method-pages.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { mountMcp } from '../../../src/server/assistants/mount-mcp.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { movingFigures, recordedDay } from '../../support/recorded-days.ts'
import { replayService } from '../../support/replay.ts'
import { scriptedSource } from '../../support/scripted-source.ts'
import { pastStrikes } from '../openapi/asked-examples.ts'

export interface McpServiceOptions {
  readonly writes?: boolean
  readonly origins?: '*' | readonly string[]
}

export interface Called {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any tool
  readonly structuredContent: any
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** Both hosts with /mcp on the scripted day, listening on a port each, and clients of the protocol. */
export async function mcpService({ writes = false, origins = [] }: McpServiceOptions = {}) {
  const rows = await recordedDay('2026-07-29')
  const history = memoryStore({ ...rows, figures: rows.snapshots.map(movingFigures) })
  const service = replayService({ history, market: { source: scriptedSource(), archive: history, pastStrikes } })
  const { app, replay } = service
  const errors: unknown[] = []
  const shared = {
    pages: methodPages(),
    version: '1.0.0',
    onError: (error: unknown) => errors.push(error),
    counting: service.http,
    isOwnHost: service.isOwnHost,
    origins
  }
  const operations = assistantOperations(endpoints, { writes })
  mountMcp(app, { ...shared, operations, isPast: false, hosts: { live: app, past: replay } })
  const replayed = operations.filter((operation) => operation.replay)
  mountMcp(replay, { ...shared, operations: replayed, isPast: true, hosts: { live: undefined, past: replay } })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`
  const pastUrl = `${await replay.listen({ port: 0, host: '127.0.0.1' })}/mcp`
  const key = service.keyOn('enterprise')

  const clients: Client[] = []
  /** A client as assistants have it: with a key, by default that of the Enterprise plan. */
  const connect = async ({ at = url, with: own = key, era = 'auto' as Era } = {}) => {
    const client = new Client(
      { name: 'test', version: '1' },
      era === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {}
    )
    const requestInit = { headers: { authorization: `Bearer ${own}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(at), { requestInit }))
    clients.push(client)
    const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as Called
    return { client, call }
  }
  const close = async () => {
    await Promise.all(clients.map((client) => client.close()))
    await service.close()
  }
  return { ...service, url, pastUrl, key, errors, operations, connect, close }
}

type Era = 'auto' | '2025'
