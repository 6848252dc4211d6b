import { hash, randomBytes } from 'node:crypto'
import type { Instant } from '../../market/units.ts'

/** How long a link is valid, milliseconds. */
const LIFETIME = 10 * 60_000

/** A link that opens one session without a key, once. Only the hash of its secret is kept. */
export class OpenLink {
  readonly #now: () => Instant
  #issued: { readonly hashed: string; readonly expiresAt: Instant } | undefined

  constructor(now: () => Instant) {
    this.#now = now
  }

  /** A new secret for the `open` parameter of the link. It replaces the previous one. */
  issue(): string {
    const once = randomBytes(32).toString('base64url')
    this.#issued = { hashed: hashOf(once), expiresAt: this.#now() + LIFETIME }
    return once
  }

  /** Whether the secret is valid. It is used up by this call. */
  redeem(once: string): boolean {
    const issued = this.#issued
    if (issued === undefined || issued.hashed !== hashOf(once)) return false
    this.#issued = undefined
    return issued.expiresAt > this.#now()
  }
}

const hashOf = (once: string) => hash('sha256', once, 'hex')
