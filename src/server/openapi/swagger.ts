import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { type Encoding, encodingFor } from '../answers/answers.ts'

/**
 * Everything comes from this service, styles that scripts set included. HTTPS is not asked for: the page must work on a
 * plain local address.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/**
 * GET /openapi.json and the interactive pages under /swagger, both without a key. They live in a scope of their own:
 * what is registered here runs for no other route. `prefix` is the path that the host is mounted below, where it is.
 */
export function mountSwagger(app: FastifyInstance, document: object, prefix = ''): void {
  const plain = Buffer.from(JSON.stringify(document))
  const etag = `"${createHash('sha1').update(plain).digest('base64url')}"`
  const forms: Readonly<Record<Encoding, Buffer>> = {
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: gzipSync(plain)
  }
  app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    })
    scope.get('/openapi.json', async (request, reply) => {
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')
      reply.header('etag', etag).header('vary', 'accept-encoding')
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      const encoding = encodingFor(request.headers['accept-encoding'], plain.length)
      if (encoding === undefined) return reply.send(plain)
      return reply.header('content-encoding', encoding).send(forms[encoding])
    })
    // The plug-in is typed for OpenAPI 3.0; it hands the document on without looking at it.
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } })
    await scope.register(swaggerUi, {
      routePrefix: '/swagger',
      indexPrefix: prefix,
      staticCSP: contentSecurityPolicy,
      theme: { title: 'gammawall' },
      uiConfig: {
        layout: 'BaseLayout',
        deepLinking: true,
        docExpansion: 'none',
        filter: true,
        tryItOutEnabled: true,
        displayRequestDuration: true,
        defaultModelsExpandDepth: -1,
        // A key that was typed in goes with the page instead of staying behind in the browser.
        persistAuthorization: false
      }
    })
  })
}
