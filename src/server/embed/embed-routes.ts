import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Brand } from '../../api/brand/brand.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { readSymbol } from '../../market/security.ts'
import { isoInstant } from '../../market/units.ts'
import { readShape } from '../admin/body.ts'
import type { PageFile } from '../dashboard/dashboard-files.ts'
import { pageHeaders, sendPageFile, withFacts } from '../dashboard/pages.ts'
import type { AuthorizeOptions } from '../http/authorize.ts'
import { checkCaller, onceChecked } from '../http/authorize.ts'
import { type AllowedOrigins, rateLines, setHeaders } from '../http/headers.ts'
import { readJson } from '../http/json-body.ts'
import type { IsOwnHost } from '../sessions/own-host.ts'
import { requireOwnHost } from '../sessions/session-routes.ts'
import type { EmbedTokens } from './tokens.ts'

/** Paths for embedded panels on the live host. */
export const embedPaths = [{ method: 'POST', path: '/v1/embed/token' }] as const

/** Default lifetime of a token, seconds. */
const USUAL_SECONDS = 3600
const MAX_SECONDS = 86_400
const MAX_BODY_BYTES = 1024

/** Any key may request a token. What the panel shows depends on the plan of that key. */
const terms: Pick<Endpoint, 'plan' | 'keys' | 'keyPlace'> = { plan: 'free', keys: 'counted', keyPlace: 'header' }

export const embedTokenBody = {
  schema: Type.Object(
    {
      panel: Type.String({ maxLength: 40, description: 'the panel that is embedded' }),
      symbol: Type.String({ maxLength: 20, description: 'what it shows' }),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 60,
          maximum: MAX_SECONDS,
          description: `how long it lasts; ${USUAL_SECONDS} unless given`
        })
      ),
      age: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_SECONDS,
          description: 'seconds that its figures may be old before newer ones are made; at least those of the plan'
        })
      )
    },
    { title: 'NewEmbedToken', additionalProperties: false }
  ),
  example: { panel: 'levels', symbol: 'SPY', seconds: 3600 }
}

/**
 * Adds POST /v1/embed/token. The server of a company requests a token there with its key, and passes the token to its
 * web page. The request counts against the quota like any other.
 */
export function mountEmbedTokens(app: FastifyInstance, tokens: EmbedTokens, options: AuthorizeOptions): void {
  const onRequest = (request: Parameters<typeof checkCaller>[1], _reply: unknown, done: () => void) => {
    onceChecked(checkCaller(terms, request, options), done)
  }
  app.post('/v1/embed/token', { onRequest, bodyLimit: MAX_BODY_BYTES }, (request, reply) => {
    const sent = readShape(embedTokenBody.schema, readJson(request, embedTokenBody))
    const { panel, symbol: written, seconds = USUAL_SECONDS, age = 0 } = sent
    if (!Object.hasOwn(tokens.panels, panel)) {
      const names = Object.keys(tokens.panels).join(', ')
      throw apiError('invalid_body', `panel must be one of ${names}`, { parameter: 'panel' })
    }
    const symbol = readSymbol(written)
    if (symbol === undefined) throw apiError('invalid_body', 'symbol must be a ticker', { parameter: 'symbol' })
    const account = request.account!
    const expiresAt = options.wallNow() + seconds * 1000
    const token = tokens.issue({ keyId: account.keyId, panel, symbol, freshness: age * 1000, expiresAt })
    setHeaders(reply, rateLines(account, request.used, options.quota, options.wallNow()))
    return reply.header('cache-control', 'no-store').send({ token, expires_at: isoInstant(expiresAt) })
  })
}

export interface EmbedPagesOptions {
  readonly page: PageFile
  readonly tokens: EmbedTokens
  readonly isOwnHost: IsOwnHost
  readonly origins: AllowedOrigins
  /** The company of now. */
  readonly brand: () => Brand
}

/**
 * Adds GET /embed/{panel}/{SYMBOL}, a page with one panel. Only pages of the allowed origins may show it in a frame.
 */
export function mountEmbedPages(
  app: FastifyInstance,
  { page, tokens, isOwnHost, origins, brand }: EmbedPagesOptions
): void {
  const ancestors = origins === '*' ? '*' : origins.length === 0 ? "'none'" : origins.join(' ')
  const headers = pageHeaders(ancestors)
  app.get('/embed/:panel/:symbol', (request, reply) => {
    const { panel, symbol } = request.params as { readonly panel: string; readonly symbol: string }
    if (!Object.hasOwn(tokens.panels, panel) || readSymbol(symbol) === undefined) return reply.callNotFound()
    requireOwnHost(request.headers.host, isOwnHost)
    const branded = withFacts(page, { brand: brand(), signIn: undefined })
    return sendPageFile(branded, 'no-cache', request, reply, headers)
  })
}
