import { hash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import type { Plan } from '../../api/plan.ts'
import type { Instant } from '../../market/units.ts'
import { sessionToken } from './cookie.ts'
import type { IsOwnHost } from './own-host.ts'
import { isOfOwnOrigin } from './own-origin.ts'
import type { SessionStore, StoredSession } from './sessions-file.ts'

export interface BrowserSessionOptions {
  readonly accounts: Pick<Accounts, 'findById'>
  readonly isOwnHost: IsOwnHost
  readonly now: () => Instant
  /** Whether requests in browser sessions that began on this machine do not count against the quota. */
  readonly freeHere?: boolean
  /** Whether there is a past that pages may show, as plans with a page allowance need. */
  readonly hasPast?: boolean
  /** Where sessions are kept over a restart; without it they end with the process. */
  readonly store?: SessionStore | undefined
}

export interface OpenedSession {
  readonly token: string
  readonly expiresAt: Instant
}

type Session = Omit<StoredSession, 'hash'>

/**
 * For sessions whose requests are not counted: copies of plans without a daily limit. They are kept, because headers
 * are cached by plan object.
 */
const unlimited = new WeakMap<Plan, Plan>()

/** How long a browser session lasts, seconds. */
export const SESSION_SECONDS = 12 * 3600
/** Maximum number of sessions per key. If another one begins, the oldest ends. */
const MAX_SESSIONS_OF_KEY = 20
const MAX_SESSIONS = 10_000

/**
 * The sessions of browsers that are signed in. A page stores no key: it exchanges a key for a cookie. Only the SHA-256
 * hash of the cookie's token is kept, with the id of the key, so a session ends when its key does. Sessions last half a
 * day. With a store they survive a restart.
 */
export class Sessions {
  readonly #options: BrowserSessionOptions
  /** Sessions by hash of their token. The oldest comes first, because all last equally long. */
  readonly #sessions = new Map<string, Session>()

  constructor(options: BrowserSessionOptions) {
    this.#options = options
    const { store, now, freeHere } = options
    const open = (store?.read() ?? []).filter(({ expiresAt }) => expiresAt > now())
    for (const { hash: hashed, ...session } of open.slice(-MAX_SESSIONS)) {
      this.#sessions.set(hashed, freeHere ? session : { ...session, uncounted: 'held' })
    }
  }

  /**
   * Begins a session with a new random token; a token that the browser sent is never used. `isHere` tells that the
   * session begins on this machine.
   */
  open(keyId: string, isHere = false): OpenedSession {
    const now = this.#options.now()
    this.#makeRoom(keyId, now)
    const token = randomBytes(32).toString('base64url')
    const expiresAt = now + SESSION_SECONDS * 1000
    this.#sessions.set(hashOf(token), {
      keyId,
      expiresAt,
      uncounted: isHere && this.#options.freeHere ? 'all' : 'held'
    })
    this.#save()
    return { token, expiresAt }
  }

  /**
   * The account of a request's session. Undefined if the request comes from a page of another site or names a foreign
   * host, or if the session or its key has ended.
   */
  accountOf(headers: IncomingHttpHeaders): Account | undefined {
    const token = sessionToken(headers)
    if (token === undefined || !this.#counts(headers)) return undefined
    const session = this.#sessions.get(hashOf(token))
    if (session === undefined || session.expiresAt <= this.#options.now()) return undefined
    const account = this.#options.accounts.findById(session.keyId)
    if (account === undefined) return undefined
    const { uncounted } = session
    const { page, entitlements } = account.plan
    const isPage = this.#options.hasPast === true && page !== undefined && !entitlements.includes('replay')
    const plan = uncounted === 'all' ? withoutLimit(account.plan) : account.plan
    return { ...account, uncounted, plan, ...(isPage && { page }) }
  }

  /** Says why a request's session is not accepted; undefined if the request has no session cookie. */
  refusal(headers: IncomingHttpHeaders): string | undefined {
    if (sessionToken(headers) === undefined) return undefined
    if (!this.#counts(headers)) return 'the session of a browser counts for pages of this service alone'
    return 'the session is over: sign in again'
  }

  end(headers: IncomingHttpHeaders): void {
    const token = sessionToken(headers)
    if (token !== undefined && this.#sessions.delete(hashOf(token))) this.#save()
  }

  /** Ends every session of the user whose session a request has, on all devices and of all keys of the user. */
  endAll(headers: IncomingHttpHeaders): void {
    const userId = this.accountOf(headers)?.userId
    if (userId === undefined) return
    for (const [hashed, { keyId }] of this.#sessions) {
      if (this.#options.accounts.findById(keyId)?.userId === userId) this.#sessions.delete(hashed)
    }
    this.#save()
  }

  #save(): void {
    this.#options.store?.write([...this.#sessions].map(([hashed, session]) => ({ hash: hashed, ...session })))
  }

  #makeRoom(keyId: string, now: Instant): void {
    let ofKey = 0
    let oldestOfKey: string | undefined
    for (const [hashed, session] of this.#sessions) {
      if (session.expiresAt <= now) this.#sessions.delete(hashed)
      else if (session.keyId === keyId) {
        ofKey++
        oldestOfKey ??= hashed
      }
    }
    if (ofKey >= MAX_SESSIONS_OF_KEY) this.#sessions.delete(oldestOfKey!)
    if (this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value!)
  }

  #counts(headers: IncomingHttpHeaders): boolean {
    return this.#options.isOwnHost(headers.host) && isOfOwnOrigin(headers)
  }
}

function withoutLimit(plan: Plan): Plan {
  let found = unlimited.get(plan)
  if (found === undefined) unlimited.set(plan, (found = { ...plan, dailyLimit: undefined }))
  return found
}

const hashOf = (token: string) => hash('sha256', token, 'hex')
