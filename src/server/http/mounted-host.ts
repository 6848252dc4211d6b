import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A host mounted below a path of another one, so that a browser reaches both at one origin. */
export interface MountedHost {
  /** Path prefix; it begins with a slash and ends without one. */
  readonly prefix: string
  /** The mounted application. It may also listen on a port of its own; its owner closes it. */
  readonly app: FastifyInstance
}

const prefixes = new WeakMap<IncomingMessage, string>()

/** The prefix that a request was sent to; empty if it came to a port of the mounted host's own. */
export function prefixOf(request: IncomingMessage): string {
  return prefixes.get(request) ?? ''
}

/**
 * Passes a request below the prefix to the mounted host, as if it had come to that host's own port. Returns false, and
 * leaves the request untouched, if it lies elsewhere.
 */
export function serveMounted(
  { prefix, app }: MountedHost,
  request: IncomingMessage,
  response: ServerResponse
): boolean {
  const { url = '/' } = request
  if (!url.startsWith(prefix)) return false
  const rest = url.slice(prefix.length)
  if (rest !== '' && rest[0] !== '/' && rest[0] !== '?') return false
  request.url = rest[0] === '/' ? rest : `/${rest}`
  prefixes.set(request, prefix)
  app.routing(request, response)
  return true
}

/** Makes the mounted host ready together with the host it is mounted on. */
export function readyTogether(app: FastifyInstance, { app: mounted }: MountedHost): void {
  app.addHook('onReady', async () => {
    await mounted.ready()
  })
}
