import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../market/units.ts'

/** How long a ticket can be used, milliseconds. */
const TICKET_LIFETIME = 60_000
const MAX_TICKETS = 50_000

export interface Ticket {
  readonly ticket: string
  readonly expiresAt: Instant
}

/**
 * Tickets for browsers, which cannot send a header with a handshake. Each stands for the key it was issued to and can be
 * used once, within a minute.
 */
export class Tickets {
  readonly #now: () => Instant
  readonly #keys = new LRUCache<string, { readonly key: string; readonly expiresAt: Instant }>({ max: MAX_TICKETS })

  constructor(now: () => Instant) {
    this.#now = now
  }

  issue(key: string): Ticket {
    const ticket = `t_${randomBytes(24).toString('base64url')}`
    const expiresAt = this.#now() + TICKET_LIFETIME
    this.#keys.set(ticket, { key, expiresAt })
    return { ticket, expiresAt }
  }

  /** The key of a ticket, which cannot be used again; undefined for one that is unknown or too old. */
  redeem(ticket: string): string | undefined {
    const found = this.#keys.get(ticket)
    this.#keys.delete(ticket)
    return found !== undefined && found.expiresAt > this.#now() ? found.key : undefined
  }
}
