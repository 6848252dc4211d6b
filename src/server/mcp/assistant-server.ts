import type { McpHttpHandler, McpServerFactory } from '@modelcontextprotocol/server'
import type { ApiOperation } from './api-operation.ts'
import type { Backend } from './backend.ts'
import { callTool } from './call.ts'
import { Finder } from './find.ts'
import { instructionsFor } from './instructions.ts'
import { prompts, promptText } from './prompts.ts'
import type { ToolArguments } from './question.ts'
import { type DocumentPage, listedResources, resourceTemplates, resourceText } from './resources.ts'
import { refusedCall } from './result.ts'
import { listedTools } from './tool-list.ts'
import { toolsOf } from './toolbox.ts'

export interface AssistantOptions {
  /** What the tools offer. */
  readonly operations: readonly ApiOperation[]
  /** Pages of the documentation that can be read. */
  readonly pages: readonly DocumentPage[]
  readonly version: string
  /** Whether only past moments are answered about, as on the replay host. */
  readonly isPast: boolean
  /** Told of faults of our own, which callers hear of in one sentence. */
  readonly onError: (error: unknown) => void
}

const HOUR = 3_600_000
const forAll = { ttlMs: HOUR, cacheScope: 'public' } as const
const cacheHints = {
  'tools/list': forAll,
  'prompts/list': forAll,
  'resources/list': forAll,
  'resources/templates/list': forAll,
  'resources/read': forAll
} as const

/**
 * Makes servers of the Model Context Protocol, one for each connection or request. `askingFor` gives the way to the API
 * for the caller of a request.
 */
export async function serversOf(
  { operations, pages, version, isPast, onError }: AssistantOptions,
  askingFor: (caller: unknown) => Backend
): Promise<McpServerFactory> {
  const { ProtocolError, ProtocolErrorCode, Server } = await import('@modelcontextprotocol/server')
  const tools = toolsOf(operations)
  const finder = new Finder(tools)
  const listed = listedTools(tools, isPast)
  const instructions = instructionsFor({ isPast })
  const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  const promptOf = (name: string, sent: ToolArguments) => {
    try {
      return promptText(name, sent)
    } catch (error) {
      throw invalid((error as Error).message)
    }
  }
  return ({ authInfo }) => {
    const ask = askingFor(authInfo?.extra?.['caller'])
    const options = { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions, cacheHints }
    const server = new Server({ name: 'gammawall', title: 'gammawall', version }, options)
    server.setRequestHandler('tools/list', () => ({ tools: listed as never }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      try {
        const sent = (params.arguments ?? {}) as ToolArguments
        const { result, cost } = await callTool(params.name, sent, { tools, finder, ask, isPast })
        return { ...result, _meta: { 'gammawall/cost': cost } } as never
      } catch (error) {
        onError(error)
        return refusedCall('internal_error', 'the call failed here; the operator finds out why in the log') as never
      }
    })
    server.setRequestHandler('prompts/list', () => ({
      prompts: prompts.map(({ asks, task, ...told }) => told) as never
    }))
    server.setRequestHandler('prompts/get', ({ params }) => {
      const found = promptOf(params.name, params.arguments ?? {})
      if (found === undefined)
        throw invalid(`there is no such prompt; there are ${prompts.map(({ name }) => name).join(', ')}`)
      const { description, text } = found
      return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
    })
    server.setRequestHandler('resources/list', () => ({ resources: listedResources(pages) }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resourceTemplates] }))
    server.setRequestHandler('resources/read', ({ params }) => {
      const found = resourceText(params.uri, tools, pages)
      if (found === undefined) throw invalid('there is no such resource: resources/list names those that there are')
      return { contents: [found] }
    })
    return server
  }
}

export type HttpHandler = Pick<McpHttpHandler, 'fetch'>

/** Serves the protocol over HTTP: one exchange for each request, without sessions. */
export async function httpHandler(
  options: AssistantOptions,
  askingFor: (caller: unknown) => Backend
): Promise<HttpHandler> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const factory = await serversOf(options, askingFor)
  // The lists never change, so there is nothing to subscribe to.
  return createMcpHandler(factory, { maxSubscriptions: 0 })
}

/** Serves the protocol on stdin and stdout until stdin ends. Nothing else may write to stdout. */
export async function serveOnStdio(options: AssistantOptions, ask: Backend): Promise<void> {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  const factory = await serversOf(options, () => ask)
  const transport = new StdioServerTransport()
  await new Promise<void>((resolve) => {
    serveStdio(factory, { transport, maxSubscriptions: 0 })
    process.stdin.once('end', resolve).once('close', resolve)
  })
}
