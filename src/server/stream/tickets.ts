import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../accounts/accounts.ts'
import type { Instant } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'

/** How long a ticket is valid, milliseconds. */
const TICKET_LIFETIME = 60_000
const MAX_TICKETS = 50_000

export interface Ticket {
  readonly ticket: string
  readonly expiresAt: Instant
}

/** Returns the account to which a key or session belongs; undefined once that key or session is no longer valid. */
export type FindAccount = () => Account | undefined

interface Issued {
  readonly find: FindAccount
  readonly expiresAt: Instant
}

/**
 * Tickets for browsers, which cannot send a key in a header when they open a WebSocket. A ticket stands for a key or
 * session. It works once, within a minute.
 */
export class Tickets {
  readonly #now: () => Instant
  readonly #issued = new LRUCache<string, Issued>(entriesUpTo(MAX_TICKETS))

  constructor(now: () => Instant) {
    this.#now = now
  }

  issue(find: FindAccount): Ticket {
    const ticket = `t_${randomBytes(24).toString('base64url')}`
    const expiresAt = this.#now() + TICKET_LIFETIME
    this.#issued.set(ticket, { find, expiresAt })
    return { ticket, expiresAt }
  }

  /** Uses up a ticket and returns what it stands for; undefined if the ticket is unknown or expired. */
  redeem(ticket: string): FindAccount | undefined {
    const found = this.#issued.get(ticket)
    this.#issued.delete(ticket)
    return found !== undefined && found.expiresAt > this.#now() ? found.find : undefined
  }
}
