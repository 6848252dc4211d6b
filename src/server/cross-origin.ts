import type { FastifyInstance } from 'fastify'

const exposed = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Data-Age',
  'X-Data-Source',
  'X-Data-Stale',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id'
].join(', ')

/** Lets pages of the allowed origins call the interface and read its headers. Keys travel in a header, not in cookies. */
export function crossOrigin(app: FastifyInstance, allowed: '*' | readonly string[]): void {
  const originFor = (origin: string | undefined) => {
    if (allowed === '*') return '*'
    return origin !== undefined && allowed.includes(origin) ? origin : undefined
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin === undefined) return
    const origin = originFor(request.headers.origin)
    if (origin === undefined) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
    if (origin !== '*') reply.header('vary', 'origin')
  })
  app.options('*', { exposeHeadRoute: false } as object, async (request, reply) => {
    if (originFor(request.headers.origin) === undefined) return reply.code(204).send()
    return reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE, OPTIONS')
      .header('access-control-allow-headers', 'X-Api-Key, Content-Type, If-None-Match')
      .header('access-control-max-age', '86400')
      .send()
  })
}
