import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts } from '../../accounts/accounts.ts'
import type { Instant, Ticker } from '../../market/units.ts'

export type EmbedPanels = Readonly<Record<string, readonly string[]>>

export interface EmbedTokenOptions {
  readonly panels: EmbedPanels
  readonly accounts: Pick<Accounts, 'findById'>
  readonly now: () => Instant
}

/** The claims of a token: panel, symbol, key and end. */
export interface EmbedGrant {
  readonly keyId: string
  readonly panel: string
  readonly symbol: Ticker
  readonly expiresAt: Instant
}

/** Longer than any token, and short enough to hash. */
const MAX_LENGTH = 400

/**
 * Tokens of embedded panels. Each gives access to the data of one panel about one symbol, for the account of the key
 * that requested it, and ends with that key. A token is its claims, signed (HMAC-SHA-256) with a secret of this run, so
 * nothing has to be stored; after a restart pages request a new one.
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

  /** Account of a request's token, restricted to the token's symbol, if the token's panel reads this endpoint. */
  accountOf(headers: IncomingHttpHeaders, endpoint: string): Account | undefined {
    const grant = this.#read(embedToken(headers))
    if (grant === undefined || !Object.hasOwn(this.panels, grant.panel)) return undefined
    if (!this.panels[grant.panel].includes(endpoint) || grant.expiresAt <= this.#options.now()) return undefined
    const account = this.#options.accounts.findById(grant.keyId)
    return account && { ...account, only: grant.symbol }
  }

  /** Claims of a token; undefined if it was not signed by this service. */
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

export function embedToken(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-embed-token']
  return typeof token === 'string' && token !== '' ? token : undefined
}
