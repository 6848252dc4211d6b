import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import type { Instant, Ticker } from '../../market/units.ts'

/** The panels that can be embedded: the ids of the endpoints that each asks, by its name. */
export type EmbedPanels = Readonly<Record<string, readonly string[]>>

export interface EmbedTokenOptions {
  readonly panels: EmbedPanels
  readonly accounts: Pick<Accounts, 'findById'>
  readonly now: () => Instant
}

/** What a token opens, for whom and until when. */
export interface EmbedGrant {
  readonly keyId: string
  readonly panel: string
  readonly symbol: Ticker
  readonly expiresAt: Instant
}

/** Longer than any token, and short enough to be hashed without a thought. */
const MAX_LENGTH = 400

/**
 * Tokens of embedded panels. Each opens the answers of one panel about one symbol, on the account of the key it was asked
 * for with, and dies with that key. A token is what it opens, signed (HMAC-SHA-256) with a secret of this run, so nothing
 * is kept of it and a restart ends it: its page then asks for another.
 */
export class EmbedTokens {
  readonly panels: EmbedPanels
  readonly #options: EmbedTokenOptions
  readonly #secret = randomBytes(32)

  constructor(options: EmbedTokenOptions) {
    this.panels = options.panels
    this.#options = options
  }

  issue(grant: EmbedGrant): string {
    const claims = Buffer.from(JSON.stringify(grant)).toString('base64url')
    return `${claims}.${this.#sign(claims).toString('base64url')}`
  }

  /** The account of the token that a request brings, where it opens this endpoint; asking about its symbol alone. */
  accountOf(headers: IncomingHttpHeaders, endpoint: string): Account | undefined {
    const grant = this.#read(embedToken(headers))
    if (grant === undefined || !Object.hasOwn(this.panels, grant.panel)) return undefined
    if (!this.panels[grant.panel].includes(endpoint) || grant.expiresAt <= this.#options.now()) return undefined
    const account = this.#options.accounts.findById(grant.keyId)
    return account && { ...account, only: grant.symbol }
  }

  /** What a token says, if it was signed here. */
  #read(token: string | undefined): EmbedGrant | undefined {
    if (token === undefined || token.length > MAX_LENGTH) return undefined
    const [claims, signature, ...more] = token.split('.')
    if (signature === undefined || more.length > 0) return undefined
    const given = Buffer.from(signature, 'base64url')
    const own = this.#sign(claims)
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as EmbedGrant // signed here, so written here
  }

  #sign(claims: string): Buffer {
    return createHmac('sha256', this.#secret).update(claims).digest()
  }
}

/** The token that a request brings. */
export function embedToken(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-embed-token']
  return typeof token === 'string' && token !== '' ? token : undefined
}
