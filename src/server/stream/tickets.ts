import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../accounts/accounts.ts'
import type { Instant } from '../../market/units.ts'

/** How long a ticket can be used, milliseconds. */
const TICKET_LIFETIME = 60_000
const MAX_TICKETS = 50_000

export interface Ticket {
  readonly ticket: string
  readonly expiresAt: Instant
}

/** Finds the account of a key or session; undefined when that is no longer valid. */
export type FindAccount = () => Account | undefined

interface Issued {
  readonly find: FindAccount
  readonly expiresAt: Instant
}

/**
 * Tickets for browsers, which cannot send a header with a handshake. Each stands for a key or session and can be used
 * once, within a minute.
 */
export class Tickets {
  readonly #now: () => Instant
  // `maxSize` with sizes of 1: with `max` the cache would allocate all entries at once and delay the start.
  readonly #issued = new LRUCache<string, Issued>({ maxSize: MAX_TICKETS, sizeCalculation: () => 1 })

  constructor(now: () => Instant) {
    this.#now = now
  }

  issue(find: FindAccount): Ticket {
    const ticket = `t_${randomBytes(24).toString('base64url')}`
    const expiresAt = this.#now() + TICKET_LIFETIME
    this.#issued.set(ticket, { find, expiresAt })
    return { ticket, expiresAt }
  }

  /** Uses up a ticket; undefined if it is unknown or expired. */
  redeem(ticket: string): FindAccount | undefined {
    const found = this.#issued.get(ticket)
    this.#issued.delete(ticket)
    return found !== undefined && found.expiresAt > this.#now() ? found.find : undefined
  }
}
