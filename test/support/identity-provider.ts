import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the stand-in differs from an honest provider; a test sets what it needs. */
export interface Manners {
  /** Claims of the ID token beside the usual ones, or in place of them. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly userInfo?: Readonly<Record<string, unknown>>
  /** Algorithm that the header of the ID token names; `none` leaves out the signature. */
  readonly alg?: 'RS256' | 'none' | 'HS256'
  /** Whether another key signs than the one that is published. */
  readonly isForged?: boolean
  /** Answer of a path instead of the usual one; undefined body: the connection is cut. */
  readonly broken?: Readonly<Record<string, { readonly status: number; readonly body?: unknown }>>
  /** Methods of client authentication that it names. */
  readonly methods?: readonly string[]
}

export interface StandInProvider {
  readonly issuer: string
  readonly client: { readonly id: string; readonly secret: string }
  manners: Manners
  /** Paths that were asked, in order. */
  readonly asked: string[]
  /** Authorization headers of the token endpoint, with the fields of its bodies. */
  readonly tokenRequests: { readonly authorization: string | undefined; readonly body: URLSearchParams }[]
  close(): Promise<void>
}

/** The published key, and another one. */
const [own, foreign] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 })) as [Pair, Pair]

/** An OpenID Connect provider in the process of a test. It signs everybody in at once as the subject `ann-1`. */
export async function standInProvider(): Promise<StandInProvider> {
  const begun = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: StandInProvider = {
    issuer,
    client: { id: 'gammawall', secret: 'client secret of tests' },
    manners: {},
    asked: [],
    tokenRequests: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }

  const routes: Readonly<Record<string, (url: URL, request: IncomingMessage, response: ServerResponse) => unknown>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      ...(provider.manners.methods && { token_endpoint_auth_methods_supported: provider.manners.methods })
    }),
    '/jwks': () => ({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] }),
    '/authorize': (url, _request, response) => {
      const code = randomUUID()
      begun.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri')!)
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state')!)
      response.writeHead(302, { location: back.href }).end()
      return undefined
    },
    '/token': async (_url, request, response) => {
      const body = new URLSearchParams(await textOf(request))
      provider.tokenRequests.push({ authorization: request.headers.authorization, body })
      const asked = begun.get(body.get('code') ?? '')
      begun.delete(body.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url')
      if (asked === undefined || asked.get('code_challenge') !== challenge) {
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
        return undefined
      }
      return { access_token: 'opaque', token_type: 'Bearer', id_token: idToken(asked.get('nonce')!) }
    },
    '/userinfo': () => ({ sub: 'ann-1', ...provider.manners.userInfo })
  }

  function idToken(nonce: string): string {
    const { claims, alg = 'RS256', isForged } = provider.manners
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: issuer, sub: 'ann-1', aud: provider.client.id, iat: now, exp: now + 300, nonce }
    const head = encoded({ alg, kid: 'own', typ: 'JWT' })
    const body = encoded({ ...usual, email: 'ann@desk.example', email_verified: true, ...claims })
    const signed = Buffer.from(`${head}.${body}`)
    const signature =
      alg === 'none' ? '' : sign('sha256', signed, (isForged ? foreign : own).privateKey).toString('base64url')
    return `${head}.${body}.${signature}`
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, issuer)
    provider.asked.push(url.pathname)
    const broken = provider.manners.broken?.[url.pathname]
    if (broken !== undefined && broken.body === undefined) return void request.socket.destroy()
    const body = broken?.body ?? (await routes[url.pathname]?.(url, request, response))
    if (body === undefined) return
    response.writeHead(broken?.status ?? 200, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  return provider
}

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
