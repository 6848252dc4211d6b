import { hash, randomBytes } from 'node:crypto'
import type { Instant } from '../../market/units.ts'

/** How long a sign-in link is valid, milliseconds. */
const LIFETIME = 10 * 60_000

/** A link that opens one session without a key, once. Only the hash of its secret is stored. */
export class OpenLink {
  readonly #now: () => Instant
  #issued: { readonly hashed: string; readonly expiresAt: Instant } | undefined

  constructor(now: () => Instant) {
    this.#now = now
  }

  /** Creates a secret for the `open` parameter of the link. It replaces the previous one. */
  issue(): string {
    const once = randomBytes(32).toString('base64url')
    this.#issued = { hashed: hashOf(once), expiresAt: this.#now() + LIFETIME }
    return once
  }

  /** Whether the secret is valid. This call uses it up. */
  redeem(once: string): boolean {
    const issued = this.#issued
    if (issued === undefined || issued.hashed !== hashOf(once)) return false
    this.#issued = undefined
    return issued.expiresAt > this.#now()
  }
}

const hashOf = (once: string) => hash('sha256', once, 'hex')
