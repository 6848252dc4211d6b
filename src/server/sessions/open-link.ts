import { hash, randomBytes } from 'node:crypto'
import type { Instant } from '../../market/units.ts'

/** How long a sign-in link is valid, milliseconds. */
const LIFETIME = 10 * 60_000

/** A link that opens one session without a key. It works once. Only the hash of its secret is stored. */
export class OpenLink {
  readonly #now: () => Instant
  #issued: { readonly hashed: string; readonly expiresAt: Instant } | undefined

  constructor(now: () => Instant) {
    this.#now = now
  }

  /** Creates the secret text that the link carries in its parameter `open`. The previous secret stops working. */
  issue(): string {
    const once = randomBytes(32).toString('base64url')
    this.#issued = { hashed: hashOf(once), expiresAt: this.#now() + LIFETIME }
    return once
  }

  /** Whether the secret text from a link is valid. A valid secret works only once, so this call uses it up. */
  redeem(once: string): boolean {
    const issued = this.#issued
    if (issued === undefined || issued.hashed !== hashOf(once)) return false
    this.#issued = undefined
    return issued.expiresAt > this.#now()
  }
}

const hashOf = (once: string) => hash('sha256', once, 'hex')
