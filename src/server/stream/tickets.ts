import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import type { SigningSecrets } from '../../accounts/secrets.ts'
import type { Instant } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'
import { bringsKey } from '../http/request-key.ts'
import { SignedText } from '../http/signed-text.ts'
import type { SessionClaims, Sessions } from '../sessions/sessions.ts'

/** How long a ticket is valid, milliseconds. */
const TICKET_LIFETIME = 60_000
/** Number of used tickets that are remembered: more than are issued within a minute. */
const MAX_SPENT = 50_000

export interface Ticket {
  readonly ticket: string
  readonly expiresAt: Instant
}

/** Returns the account to which a key or session belongs; undefined once that key or session is no longer valid. */
export type FindAccount = () => Account | undefined

/** A ticket that this service takes for the first time. */
export interface Redeemed {
  /** Resolves to whether no other service took it before; undefined if there is none. */
  readonly spend: (() => Promise<boolean>) | undefined
  readonly find: FindAccount
}

interface TicketClaims {
  readonly id: string
  readonly issuer: string
  readonly expiresAt: Instant
  readonly keyId: string
  /** The session that asked for the ticket; undefined if a key did. */
  readonly session?: SessionClaims
}

export interface TicketOptions {
  readonly secrets: SigningSecrets
  readonly accounts: Pick<Accounts, 'findById'>
  readonly sessions: Pick<Sessions, 'accountOfClaims' | 'claimsOf'>
  readonly now: () => Instant
  /** Uses a ticket up for all services of the database; resolves to whether none had. Undefined if there is one service. */
  readonly spend?: ((id: string) => Promise<boolean>) | undefined
}

/**
 * Tickets for browsers, which cannot send a key in a header when they open a WebSocket. A ticket stands for a key or
 * session. It works once, within a minute, at any service of the same accounts: it is signed, and those that were taken
 * are remembered. A service alone remembers them until it ends, so it takes its own alone.
 */
export class Tickets {
  readonly #options: TicketOptions
  readonly #signed: SignedText<TicketClaims>
  /** Names this process in its tickets. */
  readonly #issuer = randomUUID()
  readonly #spent = new LRUCache<string, true>(entriesUpTo(MAX_SPENT))

  constructor(options: TicketOptions) {
    this.#options = options
    this.#signed = new SignedText(options.secrets, 'ticket')
  }

  /** Issues a ticket for the key or session with which a request came; `account` is its account. */
  issue({ keyId }: Account, headers: IncomingHttpHeaders): Ticket {
    const expiresAt = this.#options.now() + TICKET_LIFETIME
    const session = bringsKey({ headers, query: {} }) ? undefined : this.#options.sessions.claimsOf(headers)
    const claims = {
      id: randomUUID(),
      issuer: this.#issuer,
      expiresAt,
      keyId,
      ...(session !== undefined && { session })
    }
    return { ticket: `t_${this.#signed.write(claims)}`, expiresAt }
  }

  /** Uses up a ticket and returns what it stands for; undefined if the ticket is unknown, used here or expired. */
  redeem(ticket: string): Redeemed | undefined {
    const claims = ticket.startsWith('t_') ? this.#signed.read(ticket.slice(2)) : undefined
    const { accounts, sessions, spend, now } = this.#options
    if (claims === undefined || claims.expiresAt <= now() || this.#spent.has(claims.id)) return undefined
    const { id, issuer, keyId, session } = claims
    if (spend === undefined && issuer !== this.#issuer) return undefined
    this.#spent.set(id, true)
    return {
      spend: spend && (() => spend(id)),
      find: () => (session === undefined ? accounts.findById(keyId) : sessions.accountOfClaims(session))
    }
  }
}
