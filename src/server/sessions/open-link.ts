import { hash, randomBytes } from 'node:crypto'
import type { Instant } from '../../market/units.ts'

/** How long a link can be used, milliseconds. */
const LIFETIME = 10 * 60_000

/** A link that opens one session without a key, once. Only the hash of what it carries is kept. */
export class OpenLink {
  readonly #now: () => Instant
  #issued: { readonly hashed: string; readonly expiresAt: Instant } | undefined

  constructor(now: () => Instant) {
    this.#now = now
  }

  /** What a link to carry under `open`. One that was issued before cannot be used any more. */
  issue(): string {
    const once = randomBytes(32).toString('base64url')
    this.#issued = { hashed: hashOf(once), expiresAt: this.#now() + LIFETIME }
    return once
  }

  /** Whether the link may be followed, which it then cannot be again. */
  redeem(once: string): boolean {
    const issued = this.#issued
    if (issued === undefined || issued.hashed !== hashOf(once)) return false
    this.#issued = undefined
    return issued.expiresAt > this.#now()
  }
}

const hashOf = (once: string) => hash('sha256', once, 'hex')
