import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { andThen } from '../../api/maybe-promise.ts'
import { lazily } from '../../market/memoize.ts'
import { encoded, encodingFor } from '../http/content-negotiation.ts'
import { prefixOf } from '../http/mounted-host.ts'

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
 * GET /openapi.json and the interactive pages under /swagger, both without a key. Document and pages are made when they are
 * first asked for, so that no start waits for them. `prefixes` are the paths that the host answers below; empty stands for
 * a port of its own.
 */
export function mountSwagger(
  app: FastifyInstance,
  documentOf: (prefix: string) => object,
  prefixes: readonly string[] = ['']
): void {
  const made = new Map(prefixes.map((prefix) => [prefix, documentation(() => documentOf(prefix), prefix)]))
  const below = ({ raw }: FastifyRequest) => made.get(prefixOf(raw))!
  app.get('/openapi.json', (request, reply) => {
    const file = below(request).file()
    const { body, etag } = file
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')
    reply.header('etag', etag).header('vary', 'accept-encoding')
    if (request.headers['if-none-match']?.includes(etag.slice('W/'.length))) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding'], body.length)
    if (encoding === undefined) return reply.send(body)
    return andThen(encoded(file, encoding, 'thorough'), (bytes) =>
      reply.header('content-encoding', encoding).send(bytes)
    )
  })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const { url, headers } = request
    const found = await (await below(request).pages()).inject({ url, headers })
    if (found.statusCode === 404) return reply.callNotFound()
    const { connection, date, 'transfer-encoding': whole, ...kept } = found.headers
    return reply.code(found.statusCode).headers(kept).send(found.rawPayload)
  }
  app.get('/swagger', page)
  app.get('/swagger/*', page)
}

/** Document and pages of a host below one prefix, each made when it is first asked for. */
function documentation(documentOf: () => object, prefix: string) {
  const document = lazily(documentOf)
  const file = lazily(() => {
    const body = Buffer.from(JSON.stringify(document()))
    return { body, etag: `W/"${createHash('sha1').update(body).digest('base64url')}"`, compressed: {} }
  })
  let made: Promise<FastifyInstance> | undefined
  const pages = () =>
    (made ??= swaggerPages(document(), prefix).catch((error) => {
      made = undefined // the next caller has another attempt
      throw error
    }))
  return { file, pages }
}

/** The pages as an application of their own, which is asked without a socket: what it registers runs for no other route. */
async function swaggerPages(document: object, prefix: string): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui')
  ])
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
  })
  // The plug-in is typed for OpenAPI 3.0; it hands the document on without looking at it.
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
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
  return app
}
