import type { FastifyInstance } from 'fastify'
import { commandSchemas, serverSchemas } from './frame-schemas.ts'

/** Replies to each command; a refused one is answered by `error` instead. */
const replies: Readonly<Record<keyof typeof commandSchemas, keyof typeof serverSchemas>> = {
  subscribe: 'subscribed',
  subscribe_many: 'subscribed_many',
  unsubscribe: 'unsubscribed',
  list: 'subscriptions',
  catalog: 'catalog',
  status: 'status',
  configure: 'configured',
  ping: 'pong',
  resume: 'resumed'
}
const events = ['update', 'batch', 'heartbeat', 'notice', 'error'] as const

export interface AsyncApiOptions {
  readonly version: string
  /** Port of the stream where it has one of its own; undefined where it shares that of REST. */
  readonly streamPort: number | undefined
}

const commandName = (action: string) => `command_${action}`
const messageOf = (name: string) => ({ $ref: `#/channels/stream/messages/${name}` })

/**
 * Builds the AsyncAPI 3.0 document of the stream. Actions are those of the service: it receives commands and sends frames. `host`
 * is the Host header of the request, from which the addresses follow.
 */
export function asyncApiDocument(host: string, secure: boolean, { version, streamPort }: AsyncApiOptions): object {
  const protocol = secure ? 'wss' : 'ws'
  const server = (address: string) => ({
    host: address,
    protocol,
    security: [{ $ref: '#/components/securitySchemes/key' }]
  })
  const own = streamPort === undefined ? {} : { stream: server(host.replace(/(:\d+)?$/, `:${streamPort}`)) }
  const schemas = {
    ...Object.fromEntries(Object.entries(commandSchemas).map(([action, schema]) => [commandName(action), schema])),
    ...serverSchemas
  }
  const messages = Object.fromEntries(
    Object.keys(schemas).map((name) => [
      name,
      { name, contentType: 'application/json', payload: { $ref: `#/components/schemas/${name}` } }
    ])
  )
  const operations = Object.entries(replies).map(([action, reply]) => [
    action,
    {
      action: 'receive',
      channel: { $ref: '#/channels/stream' },
      messages: [messageOf(commandName(action))],
      reply: { channel: { $ref: '#/channels/stream' }, messages: [messageOf(reply), messageOf('error')] }
    }
  ])
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'gammawall stream',
      version,
      description: 'Figures of the REST interface, pushed when they are recomputed: see /docs/streaming.',
      license: { name: 'Apache-2.0' }
    },
    servers: { rest: server(host), ...own },
    channels: { stream: { address: '/ws', messages } },
    operations: {
      ...Object.fromEntries(operations),
      events: { action: 'send', channel: { $ref: '#/channels/stream' }, messages: events.map(messageOf) }
    },
    components: {
      securitySchemes: {
        key: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'or a ticket in the query: /ws?ticket='
        }
      },
      schemas
    }
  }
  return JSON.parse(JSON.stringify(document)) // plain JSON, without hidden fields that TypeBox adds
}

/**
 * Adds GET /asyncapi.json, without a key. `streamPort` is read at each request, since a port may be chosen by the system.
 */
export function mountAsyncApi(
  app: FastifyInstance,
  { version, streamPort }: { readonly version: string; readonly streamPort: () => number | undefined }
): void {
  app.get('/asyncapi.json', ({ headers, protocol }, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').header('vary', 'host')
    const options = { version, streamPort: streamPort() }
    return reply.send(JSON.stringify(asyncApiDocument(headers.host ?? '', protocol === 'https', options)))
  })
}
