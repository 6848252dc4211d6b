import type { FastifyInstance } from 'fastify'
import { type AllowedOrigins, allowedOrigin } from './headers.ts'

/** Answers the question a browser asks before it lets a page call. Keys travel in a header, not in cookies. */
export function mountCrossOrigin(app: FastifyInstance, allowed: AllowedOrigins): void {
  app.options('*', (request, reply) => {
    if (allowedOrigin(request.headers.origin, allowed) !== undefined) {
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
        .header('access-control-allow-headers', 'X-Api-Key, Content-Type, If-None-Match')
        .header('access-control-max-age', '86400')
    }
    return reply.code(204).send()
  })
}
