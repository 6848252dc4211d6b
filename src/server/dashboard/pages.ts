import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '../../accounts/accounts.ts'
import { type Brand, plainBrand } from '../../api/brand/brand.ts'
import { apiError } from '../../api/error.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import { encoded, encodingFor } from '../http/content-negotiation.ts'
import { isHeldBy } from '../http/entity-tag.ts'
import type { OpenLink } from '../sessions/open-link.ts'
import type { IsOwnHost } from '../sessions/own-host.ts'
import { beginSession, cameFromHere, requireOwnHost } from '../sessions/session-routes.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { brandedPage, logoFile, type PageFacts } from './branded-pages.ts'
import { isTextFile, type PageFile, type PageFiles } from './dashboard-files.ts'
import type { VisitorOf } from './visitor.ts'

/** A link that signs a browser in without a key, and the id of the key whose account it opens. */
export interface OpenLinkOptions {
  readonly link: OpenLink
  readonly keyId: string
}

export interface PagesOptions {
  readonly files: PageFiles
  readonly isOwnHost: IsOwnHost
  readonly accounts: Pick<Accounts, 'findById'>
  readonly sessions: Sessions
  /** The link that signs a browser in without a key; undefined if there is none. */
  readonly open: OpenLinkOptions | undefined
  readonly trustProxy: boolean
  /** The company of now. */
  readonly brand: () => Brand
  /** Words of the button that signs in by the identity provider, and its refusals as sentences by their codes. */
  readonly provider?: ProviderWords | undefined
  /** Finds out who reads a page. Without it a page learns that from refusals. */
  readonly visitorOf?: VisitorOf | undefined
}

export interface ProviderWords {
  readonly label: string
  readonly troubles: Readonly<Record<string, string>>
}

/**
 * Content security policy of the dashboard's pages. Everything they load comes from this service. Bars and plots need
 * inline styles, but there are no inline scripts. HTTPS is not required, because the pages must work at a local http
 * address.
 */
const contentSecurityPolicy = (frameAncestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`
  ].join('; ')

export function pageHeaders(frameAncestors = "'none'") {
  return {
    'content-security-policy': contentSecurityPolicy(frameAncestors),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin'
  }
}

const ownPage = pageHeaders()

/**
 * Adds the dashboard: its page at / for browsers, and its other files under their names. The list of files is made at
 * the start, so a request can never reach another file. A request for / that does not come from a browser gets
 * not_found.
 */
export function mountPages(app: FastifyInstance, options: PagesOptions): void {
  const { files, isOwnHost } = options
  app.get('/', (request, reply) => {
    if (options.open !== undefined && followsLink(request)) return openByLink(request, reply, options.open, options)
    if (!wantsPage(request)) return reply.callNotFound()
    requireOwnHost(request.headers.host, isOwnHost)
    reply.header('vary', 'accept, accept-encoding, cookie')
    return sendPageFile(pageOf(files.get('index.html')!, options, request), 'no-cache', request, reply)
  })
  app.get('/session/upgrade', (request, reply) => {
    requireOwnHost(request.headers.host, isOwnHost)
    const { upgrade } = options.brand()
    if (upgrade === undefined) return reply.callNotFound()
    const account = options.sessions.accountOf(request.headers)
    const ids: Readonly<Record<string, string | undefined>> = { user: account?.userId, plan: account?.plan.id }
    const address = upgrade.address.replace(/\{(user|plan)\}/g, (_, name) => encodeURIComponent(ids[name] ?? ''))
    return reply.headers(ownPage).header('cache-control', 'no-store').redirect(address, 303)
  })
  app.get('/assets/*', (request, reply) => {
    const { '*': name } = request.params as { readonly '*': string }
    const file = files.get(`assets/${name}`)
    if (file === undefined) return reply.callNotFound()
    requireOwnHost(request.headers.host, isOwnHost)
    return sendPageFile(file, 'public, max-age=31536000, immutable', request, reply)
  })
  // Earlier versions had the pages about methods here.
  app.get('/methods/*', (request, reply) => {
    const { '*': name } = request.params as { readonly '*': string }
    if (!/^[\w-]+\.html$/.test(name)) return reply.callNotFound()
    return reply.redirect(`/docs/methods${name === 'index.html' ? '' : `/${name.slice(0, -'.html'.length)}`}`, 301)
  })
  for (const [name, file] of files) {
    if (name.endsWith('.html') || name.startsWith('assets/')) continue
    app.get(`/${name}`, (request, reply) => {
      requireOwnHost(request.headers.host, isOwnHost)
      const logo = name === LOGO ? logoFile(options.brand()) : undefined
      if (logo !== undefined) return sendPageFile(logo, 'no-cache', request, reply, logoHeaders)
      // Browsers request the icon again for each address that a page shows in the address bar. The worker of a release
      // must not outlive it in a cache.
      return sendPageFile(file, name === 'worker.js' ? 'no-cache' : 'public, max-age=3600', request, reply)
    })
  }
}

/** The picture at the head of the pages, which the logo of a company replaces. */
const LOGO = 'mark.svg'

/** Headers of a logo. Whoever opens it alone gets a picture that runs and loads nothing. */
const logoHeaders = {
  ...ownPage,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
}

/**
 * A page with the company's name and links, and what is known of its reader. The address may say why a sign-in did not work,
 * by its code. The copy that a worker keeps is of no reader.
 */
function pageOf(
  file: PageFile,
  { brand, provider, visitorOf }: PagesOptions,
  { query, headers }: FastifyRequest
): PageFile {
  const { trouble: code } = query as { readonly trouble?: unknown }
  const { label, troubles = {} }: Partial<ProviderWords> = provider ?? {}
  const trouble = typeof code === 'string' && Object.hasOwn(troubles, code) ? troubles[code] : undefined
  const isOpened = (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate'
  return withFacts(file, {
    brand: brand(),
    signIn: label,
    trouble,
    visitor: isOpened ? visitorOf?.(headers) : undefined
  })
}

/** A page that carries facts, if there are any. */
export function withFacts(file: PageFile, facts: PageFacts): PageFile {
  const isPlain = facts.brand === plainBrand && facts.signIn === undefined && facts.visitor === undefined
  return isPlain ? file : brandedPage(file, facts)
}

/** Sends a file in the smallest encoding that the browser accepts. Sends 304 if the browser has the file already. */
export function sendPageFile(
  file: PageFile,
  cacheControl: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  head = ownPage
): MaybePromise<FastifyReply> {
  const { type, body, etag } = file
  reply.headers(head)
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding')
  reply.header('cache-control', cacheControl).header('etag', etag)
  if (isHeldBy(headers, etag)) return reply.code(304).send()
  reply.type(type)
  const encoding = isTextFile(file)
    ? encodingFor(headers['accept-encoding'] as string | undefined, body.length)
    : undefined
  if (encoding === undefined) return reply.send(body)
  return andThen(encoded(file, encoding, 'thorough'), (bytes) => reply.header('content-encoding', encoding).send(bytes))
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

/** Whether a request comes from the sign-in link. Only GET counts: programs that preview links send HEAD. */
function followsLink({ method, query }: FastifyRequest): boolean {
  return method === 'GET' && (query as { readonly open?: unknown }).open !== undefined
}

/**
 * Signs a browser in through the link that was printed at the start, from this machine only. A browser that is signed
 * in already also passes, because some browsers request an address twice.
 */
function openByLink(
  request: FastifyRequest,
  reply: FastifyReply,
  { link, keyId }: OpenLinkOptions,
  { accounts, sessions, trustProxy }: PagesOptions
): FastifyReply {
  const { open: once } = request.query as { readonly open?: unknown }
  if (
    cameFromHere(request, trustProxy) &&
    typeof once === 'string' &&
    link.redeem(once) &&
    accounts.findById(keyId) !== undefined
  ) {
    beginSession({ keyId }, sessions, request, reply, trustProxy)
  } else if (sessions.accountOf(request.headers) === undefined) {
    throw apiError('unauthorized', 'this link was used, or is over: open / and sign in with a key, or start again')
  }
  reply.headers(ownPage)
  return reply.header('cache-control', 'no-store').redirect('/', 303)
}
