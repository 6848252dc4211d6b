import type { FastifyInstance } from 'fastify'
import type { PageFiles } from './dashboard-files.ts'
import { sendPageFile } from './pages.ts'

/** Headers of the documentation's pages. They show text and pictures of this service and run no script. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff'
}

/** Programs that follow every link may read the documentation. Everything else costs its caller quota, or needs a key. */
const ROBOTS = 'User-agent: *\nAllow: /docs/\nAllow: /llms.txt\nAllow: /llms-full.txt\nDisallow: /\n'

/**
 * Adds GET /docs/{page} as HTML, GET /docs/{page}.md as Markdown, an index at /docs/ and /robots.txt (RFC 9309). None needs a
 * key. The list of files is made at the start, so a request can never reach another file. Without files there is no documentation.
 */
export function mountDocs(app: FastifyInstance, files: PageFiles | undefined): void {
  app.get('/robots.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(ROBOTS)
  )
  if (files === undefined) return
  app.get('/docs', (request, reply) => sendPageFile(files.get('index.html')!, 'no-cache', request, reply, headers))
  app.get('/docs/*', (request, reply) => {
    const { '*': rest } = request.params as { readonly '*': string }
    const name = rest.replace(/\/$/, '') || 'index'
    const file = files.get(`${name}.html`) ?? files.get(name)
    return file === undefined ? reply.callNotFound() : sendPageFile(file, 'no-cache', request, reply, headers)
  })
}
