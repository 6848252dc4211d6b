import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { andThen } from '../../api/maybe-promise.ts'
import { lazily } from '../../market/memoize.ts'
import { encoded, encodingFor } from '../http/content-negotiation.ts'
import { entityTag, isHeldBy } from '../http/entity-tag.ts'
import { prefixOf } from '../http/mounted-host.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { postmanText } from './postman.ts'

/**
 * Content security policy of the documentation pages. Everything they load comes from this service, and scripts may set
 * styles. HTTPS is not required, because the pages must work at a local http address.
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

/** Texts made from the OpenAPI document, by their paths. */
const texts: Readonly<Record<string, { readonly type: string; readonly write: (document: object) => string }>> = {
  '/openapi.json': { type: 'application/json', write: JSON.stringify },
  '/postman.json': { type: 'application/json', write: postmanText },
  '/llms.txt': { type: 'text/plain', write: llmsText },
  '/llms-full.txt': { type: 'text/plain', write: llmsFullText }
}

/**
 * Adds GET /openapi.json, /postman.json, /llms.txt, /llms-full.txt and interactive pages under /swagger. None needs a key. All are built
 * when first requested, so that they do not delay the start. `prefixes` are the paths below which the host is reached; an empty
 * prefix stands for a separate port.
 */
export function mountSwagger(
  app: FastifyInstance,
  documentOf: (prefix: string) => object,
  prefixes: readonly string[] = ['']
): void {
  const made = new Map(prefixes.map((prefix) => [prefix, documentation(() => documentOf(prefix), prefix)]))
  const below = ({ raw }: FastifyRequest) => made.get(prefixOf(raw))!
  for (const [path, { type }] of Object.entries(texts)) {
    app.get(path, (request, reply) => {
      const file = below(request).files[path]()
      const { body, etag } = file
      reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache')
      reply.header('etag', etag).header('vary', 'accept-encoding')
      if (isHeldBy(request.headers, etag)) return reply.code(304).send()
      const encoding = encodingFor(request.headers['accept-encoding'], body.length)
      if (encoding === undefined) return reply.send(body)
      return andThen(encoded(file, encoding, 'thorough'), (bytes) =>
        reply.header('content-encoding', encoding).send(bytes)
      )
    })
  }
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

/** OpenAPI document, texts and pages for one path prefix. Each is built when first requested. */
function documentation(documentOf: () => object, prefix: string) {
  const document = lazily(documentOf)
  const fileOf = (write: (document: object) => string) =>
    lazily(() => {
      const body = Buffer.from(write(document()))
      return { body, etag: entityTag(body), compressed: {} }
    })
  const files = Object.fromEntries(Object.entries(texts).map(([path, { write }]) => [path, fileOf(write)]))
  let made: Promise<FastifyInstance> | undefined
  const pages = () =>
    (made ??= swaggerPages(document(), prefix).catch((error) => {
      made = undefined
      throw error
    }))
  return { files, pages }
}

/**
 * Builds the pages as a separate application without a port, which is called directly. Its hooks therefore run for no
 * other route.
 */
async function swaggerPages(document: object, prefix: string): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui')
  ])
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
  })
  // The plug-in's types know OpenAPI 3.0 only, but it passes the document on without reading it.
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
      // Do not store a key that the user types into the page; it is gone when the page closes.
      persistAuthorization: false
    }
  })
  return app
}
