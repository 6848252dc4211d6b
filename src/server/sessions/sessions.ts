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
  /** Whether requests of sessions that were begun on this machine go uncounted. */
  readonly freeHere?: boolean
}

/** A session as its browser is told of it. */
export interface OpenedSession {
  readonly token: string
  readonly expiresAt: Instant
}

interface Session {
  readonly keyId: string
  readonly expiresAt: Instant
  readonly uncounted: NonNullable<Account['uncounted']>
}

/** What a plan is to a session that is not counted: the same without a limit. Kept, since headers are known by plan. */
const unlimited = new WeakMap<Plan, Plan>()

/** How long a session lasts, seconds. */
export const SESSION_SECONDS = 12 * 3600
/** Beyond these the oldest session of a key, or of all, ends. */
const MAX_SESSIONS_OF_KEY = 20
const MAX_SESSIONS = 10_000

/**
 * Browsers that are signed in. The page holds no key: a key is exchanged for a cookie, of which the SHA-256 is kept with
 * the id of the key, so that a session ends with its key. Kept in memory alone: they last half a day, and a user who
 * restarts the service signs in again.
 */
export class Sessions {
  readonly #options: BrowserSessionOptions
  /** By hash, oldest first: all last equally long. */
  readonly #sessions = new Map<string, Session>()

  constructor(options: BrowserSessionOptions) {
    this.#options = options
  }

  /** Begins a session, always under a new name: what the browser sent is never taken up. `isHere`: on this machine. */
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
   * The account of the session that a request names, where that counts: not from another site's page, not under a
   * foreign name of this machine, not once it or its key has ended.
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

  /** Why the session that a request names gives it no account; undefined where it names none. */
  refusal(headers: IncomingHttpHeaders): string | undefined {
    if (sessionToken(headers) === undefined) return undefined
    if (!this.#counts(headers)) return 'the session of a browser counts for pages of this service alone'
    return 'the session is over: sign in again'
  }

  /** Ends the session that a request names. */
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
