import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../api/endpoint.ts'
import type { Config } from '../config/config.ts'
import { methodPages } from '../config/method-pages.ts'
import { mountMcp } from '../server/assistants/mount-mcp.ts'
import type { AuthorizeOptions } from '../server/http/authorize.ts'
import type { IsOwnHost } from '../server/sessions/own-host.ts'
import { assistantOperations } from './assistant-operations.ts'
import type { Foundations } from './foundations.ts'

export interface AssistantHosts {
  readonly live: FastifyInstance
  readonly past: FastifyInstance
  readonly endpoints: readonly Endpoint[]
  readonly counting: AuthorizeOptions
  readonly isOwnHost: IsOwnHost
  readonly version: string
}

/** Adds the tools for assistants to the live host and to the replay host, unless they are off. */
export function mountAssistants(
  hosts: AssistantHosts,
  { mcp }: Pick<Config, 'mcp'>,
  { log }: Pick<Foundations, 'log'>
): void {
  if (!mcp.on) return
  const { live, past, endpoints, counting, isOwnHost, version } = hosts
  const shared = {
    pages: methodPages(),
    version,
    counting,
    isOwnHost,
    origins: mcp.origins,
    onError: (error: unknown) => log.error({ err: error }, 'a call of an assistant failed')
  }
  const operations = assistantOperations(endpoints, mcp)
  mountMcp(live, { ...shared, operations, isPast: false, hosts: { live, past } })
  const replayed = operations.filter(({ replay }) => replay)
  mountMcp(past, { ...shared, operations: replayed, isPast: true, hosts: { live: undefined, past } })
}
