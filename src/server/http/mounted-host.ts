import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A host that is also reached under a path of another host, so that a browser finds both at one origin. */
export interface MountedHost {
  /** Path prefix; it begins with a slash and ends without one. */
  readonly prefix: string
  /** The mounted host's application. It may also listen on a separate port. Whoever created it closes it. */
  readonly app: FastifyInstance
}

const prefixes = new WeakMap<IncomingMessage, string>()

/** Path prefix under which a request was sent; empty if it was sent to the mounted host's separate port. */
export function prefixOf(request: IncomingMessage): string {
  return prefixes.get(request) ?? ''
}

/**
 * Passes a request to the mounted host if its path begins with the prefix, as if it had come to that host's port.
 * Otherwise leaves the request untouched and returns false.
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

/** Makes sure that both hosts become ready at the same time. */
export function readyTogether(app: FastifyInstance, { app: mounted }: MountedHost): void {
  app.addHook('onReady', async () => {
    await mounted.ready()
  })
}
