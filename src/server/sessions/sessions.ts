import { hash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import type { Plan } from '../../api/plan.ts'
import type { Instant } from '../../market/units.ts'
import { sessionToken } from './cookie.ts'
import type { IsOwnHost } from './own-host.ts'
import { isOfOwnOrigin } from './own-origin.ts'

export interface BrowserSessionOptions {
  readonly accounts: Pick<Accounts, 'findById'>
  readonly isOwnHost: IsOwnHost
  readonly now: () => Instant
  /** Whether requests of sessions that began on this machine are free of quota. */
  readonly freeHere?: boolean
}

export interface OpenedSession {
  readonly token: string
  readonly expiresAt: Instant
}

interface Session {
  readonly keyId: string
  readonly expiresAt: Instant
  readonly uncounted: NonNullable<Account['uncounted']>
}

/**
 * Copies of plans without a daily limit, for free sessions. They are cached, because headers are cached by plan object.
 */
const unlimited = new WeakMap<Plan, Plan>()

/** How long a browser session lasts, seconds. */
export const SESSION_SECONDS = 12 * 3600
/** Maximum number of sessions per key; beyond it the oldest session ends. */
const MAX_SESSIONS_OF_KEY = 20
const MAX_SESSIONS = 10_000

/**
 * Browsers that are signed in. A page stores no key: it exchanges a key for a cookie, whose SHA-256 is kept here with
 * the id of the key, so a session ends with its key. Sessions live in memory only: they last half a day, and after a
 * restart users sign in again.
 */
export class Sessions {
  readonly #options: BrowserSessionOptions
  /** Sessions by hash of the token, oldest first, since all last equally long. */
  readonly #sessions = new Map<string, Session>()

  constructor(options: BrowserSessionOptions) {
    this.#options = options
  }

  /**
   * Begins a session under a new random token, never one that the browser sent. `isHere`: the session begins on this
   * machine.
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
    return { token, expiresAt }
  }

  /**
   * Account of a request's session; undefined if the request comes from another site's page or under a foreign host
   * name, or if the session or its key has ended.
   */
  accountOf(headers: IncomingHttpHeaders): Account | undefined {
    const token = sessionToken(headers)
    if (token === undefined || !this.#counts(headers)) return undefined
    const session = this.#sessions.get(hashOf(token))
    if (session === undefined || session.expiresAt <= this.#options.now()) return undefined
    const account = this.#options.accounts.findById(session.keyId)
    if (account === undefined) return undefined
    const { uncounted } = session
    return { ...account, uncounted, plan: uncounted === 'all' ? withoutLimit(account.plan) : account.plan }
  }

  /** Why the session of a request is not accepted; undefined if the request names none. */
  refusal(headers: IncomingHttpHeaders): string | undefined {
    if (sessionToken(headers) === undefined) return undefined
    if (!this.#counts(headers)) return 'the session of a browser counts for pages of this service alone'
    return 'the session is over: sign in again'
  }

  end(headers: IncomingHttpHeaders): void {
    const token = sessionToken(headers)
    if (token !== undefined) this.#sessions.delete(hashOf(token))
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
