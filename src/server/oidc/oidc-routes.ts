import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '../../accounts/accounts.ts'
import type { SigningSecrets } from '../../accounts/secrets.ts'
import type { Plans } from '../../api/plan.ts'
import { AddressLimit } from '../http/address-limit.ts'
import { cameByTls, clientAddress } from '../http/client-address.ts'
import type { Log } from '../operations/log.ts'
import type { IsOwnHost } from '../sessions/own-host.ts'
import { beginSession, requireOwnHost } from '../sessions/session-routes.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type AdmissionTerms, admit } from './admit.ts'
import { IdentityProvider, type ProviderOptions } from './provider.ts'
import { OIDC_PATH, SealedCookie } from './sealed-cookie.ts'
import { SignInTrouble, type TroubleCode } from './trouble.ts'

export interface OidcRoutesOptions {
  readonly settings: Omit<ProviderOptions, 'now'> & AdmissionTerms
  readonly accounts: Pick<Accounts, 'identities' | 'refresh'>
  readonly plans: Plans
  readonly secrets: SigningSecrets
  readonly sessions: Sessions
  readonly isOwnHost: IsOwnHost
  readonly trustProxy: boolean
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly now: () => number
}

/** How often an address may begin or end a sign-in. */
const rate = { burst: 30, perMinute: 30 } as const

/**
 * Adds GET /session/oidc, which sends a browser to the identity provider, and the address to which it comes back. There
 * the browser gets the cookie of a session, as with a key. With `link` the signed-in user is linked with the identity.
 * A failure leads to the sign-in page, which says why; the log says more.
 */
export function mountOidc(app: FastifyInstance, options: OidcRoutesOptions): void {
  const { settings, accounts, plans, secrets, sessions, isOwnHost, trustProxy, log, now } = options
  const provider = new IdentityProvider({ ...settings, now })
  const cookie = new SealedCookie(secrets, now)
  const limit = new AddressLimit({ ...rate, now })
  const came = (request: FastifyRequest) =>
    new URL(`${cameByTls(request, trustProxy) ? 'https' : 'http'}://${request.headers.host}${request.url}`)

  const route = (url: string, work: (request: FastifyRequest, reply: FastifyReply) => Promise<string>) =>
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false, // programs that preview links must not use up a code
      handler: async (request, reply) => {
        requireOwnHost(request.headers.host, isOwnHost)
        reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        try {
          if (limit.take(clientAddress(request, trustProxy)) > 0) throw new SignInTrouble('busy')
          return reply.redirect(await work(request, reply), 303)
        } catch (error) {
          return reply.redirect(`/?trouble=${codeOf(error)}`, 303)
        }
      }
    })

  function codeOf(error: unknown): TroubleCode {
    if (!(error instanceof SignInTrouble)) throw error
    log.warn({ code: error.code, reason: error.message }, 'a sign-in by the identity provider did not work')
    return error.code
  }

  route(OIDC_PATH, async (request, reply) => {
    const { link } = request.query as { readonly link?: unknown }
    const owner = link === undefined ? undefined : sessions.accountOf(request.headers)?.userId
    if (link !== undefined && owner === undefined) return '/'
    const { address, begun } = await provider.begin(`${came(request).origin}${OIDC_PATH}/callback`)
    const kept = owner === undefined ? begun : { ...begun, link: owner }
    reply.header('set-cookie', cookie.seal(kept, cameByTls(request, trustProxy)))
    return address
  })

  route(`${OIDC_PATH}/callback`, async (request, reply) => {
    const begun = cookie.open(request.headers)
    reply.header('set-cookie', cookie.cleared(cameByTls(request, trustProxy)))
    if (begun === undefined) throw new SignInTrouble('over', 'the browser holds no begun sign-in')
    const claims = await provider.finish(came(request), begun)
    await admit(claims, begun.link, settings, accounts.identities, plans)
    const keyId = await accounts.identities.sessionKey(claims)
    await accounts.refresh()
    beginSession({ keyId }, sessions, request, reply, trustProxy)
    return '/'
  })
}
