import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import type { EndableSession, EndedSessions } from '../../accounts/ended-sessions.ts'
import type { SigningSecrets } from '../../accounts/secrets.ts'
import type { Plan } from '../../api/plan.ts'
import type { Instant } from '../../market/units.ts'
import { SignedText } from '../http/signed-text.ts'
import { sessionToken } from './cookie.ts'
import type { IsOwnHost } from './own-host.ts'
import { isOfOwnOrigin } from './own-origin.ts'

export interface BrowserSessionOptions {
  readonly accounts: Pick<Accounts, 'findById'>
  readonly isOwnHost: IsOwnHost
  readonly now: () => Instant
  /** Whether requests in browser sessions that began on this machine do not count against the quota. */
  readonly freeHere?: boolean
  /** Whether there is a past that pages may show, as plans with a page allowance need. */
  readonly hasPast?: boolean
  readonly secrets: SigningSecrets
  readonly ended: Pick<EndedSessions, 'has' | 'end' | 'endAll'>
}

export interface OpenedSession {
  readonly token: string
  readonly expiresAt: Instant
}

/** Contents of a session's cookie, signed. */
export interface SessionClaims {
  readonly id: string
  readonly keyId: string
  readonly expiresAt: Instant
  /** Whether it began on the machine of a service that counts no requests of such sessions. */
  readonly isFree: boolean
}

/**
 * For sessions whose requests are not counted: copies of plans without a daily limit. They are kept, because headers
 * are cached by plan object.
 */
const unlimited = new WeakMap<Plan, Plan>()

/** How long a browser session lasts, seconds. */
export const SESSION_SECONDS = 12 * 3600
const LIFETIME = SESSION_SECONDS * 1000

/**
 * The sessions of browsers that are signed in. A page stores no key: it exchanges a key for a cookie, which holds the id of
 * the key and is signed. So no session is stored, any service of the same accounts takes it, also after a restart, and it
 * ends when its key does, when it is signed out, or after half a day.
 */
export class Sessions {
  readonly #options: BrowserSessionOptions
  readonly #cookies: SignedText<SessionClaims>

  constructor(options: BrowserSessionOptions) {
    this.#options = options
    this.#cookies = new SignedText(options.secrets, 'session')
  }

  /** Begins a session. `isHere` tells that it begins on this machine. */
  open(keyId: string, isHere = false): OpenedSession {
    const expiresAt = this.#options.now() + LIFETIME
    const isFree = isHere && this.#options.freeHere === true
    return { token: this.#cookies.write({ id: randomUUID(), keyId, expiresAt, isFree }), expiresAt }
  }

  /**
   * The account of a request's session. Undefined if the request comes from a page of another site or names a foreign
   * host, or if the session or its key has ended.
   */
  accountOf(headers: IncomingHttpHeaders): Account | undefined {
    const claims = this.claimsOf(headers)
    return claims && this.accountOfClaims(claims)
  }

  /** The signed claims of a request's session, whether or not it has ended; undefined as for `accountOf`. */
  claimsOf(headers: IncomingHttpHeaders): SessionClaims | undefined {
    return this.#counts(headers) ? this.#read(headers) : undefined
  }

  /** The account of a session; undefined once the session or its key has ended. */
  accountOfClaims({ id, keyId, expiresAt, isFree }: SessionClaims): Account | undefined {
    const { accounts, ended, freeHere, hasPast, now } = this.#options
    const account = expiresAt > now() ? accounts.findById(keyId) : undefined
    if (account === undefined) return undefined
    if (ended.has(endable({ id, expiresAt }, account))) return undefined
    const isUncounted = isFree && freeHere === true
    const { page, entitlements } = account.plan
    const isPage = hasPast === true && page !== undefined && !entitlements.includes('replay')
    const plan = isUncounted ? withoutLimit(account.plan) : account.plan
    return { ...account, uncounted: isUncounted ? 'all' : 'held', plan, ...(isPage && { page }) }
  }

  /** Says why a request's session is not accepted; undefined if the request has no session cookie. */
  refusal(headers: IncomingHttpHeaders): string | undefined {
    if (sessionToken(headers) === undefined) return undefined
    if (!this.#counts(headers)) return 'the session of a browser counts for pages of this service alone'
    return 'the session is over: sign in again'
  }

  /** Ends the session of a request, if it has one. */
  async end(headers: IncomingHttpHeaders): Promise<void> {
    const claims = this.#read(headers)
    const account = claims && this.accountOfClaims(claims)
    if (account === undefined) return
    await this.#options.ended.end(endable(claims!, account))
  }

  /** Ends every session of the user whose session a request has, on all devices and of all keys of the user. */
  async endAll(headers: IncomingHttpHeaders): Promise<void> {
    const userId = this.accountOf(headers)?.userId
    if (userId !== undefined) await this.#options.ended.endAll(userId, this.#options.now() + LIFETIME)
  }

  #read(headers: IncomingHttpHeaders): SessionClaims | undefined {
    const token = sessionToken(headers)
    return token === undefined ? undefined : this.#cookies.read(token)
  }

  #counts(headers: IncomingHttpHeaders): boolean {
    return this.#options.isOwnHost(headers.host) && isOfOwnOrigin(headers)
  }
}

function endable({ id, expiresAt }: Pick<SessionClaims, 'id' | 'expiresAt'>, { userId }: Account): EndableSession {
  return { id, userId, beganAt: expiresAt - LIFETIME, expiresAt }
}

function withoutLimit(plan: Plan): Plan {
  let found = unlimited.get(plan)
  if (found === undefined) unlimited.set(plan, (found = { ...plan, dailyLimit: undefined }))
  return found
}
