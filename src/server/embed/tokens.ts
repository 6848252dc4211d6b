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

/** Contents of a token: the panel, the symbol, the id of the key, and the time at which it expires. */
export interface EmbedGrant {
  readonly keyId: string
  readonly panel: string
  readonly symbol: Ticker
  readonly expiresAt: Instant
}

/**
 * Maximum length of a token, characters. It is more than any real token has, and a text of this length is cheap to
 * check.
 */
const MAX_LENGTH = 400

/**
 * Creates and checks tokens for embedded panels. A token gives access to the data of one panel for one symbol. Requests
 * with it belong to the account of the key that requested it, and it becomes invalid when that key does. A token
 * contains all it grants, signed (HMAC-SHA-256) with a secret that is new at each start. So no tokens are stored, and
 * after a restart pages request new ones.
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

  /**
   * The account of a request with a token. It may read the token's symbol only. Undefined if the token is invalid or
   * its panel does not use this endpoint.
   */
  accountOf(headers: IncomingHttpHeaders, endpoint: string): Account | undefined {
    const grant = this.#read(embedToken(headers))
    if (grant === undefined || !Object.hasOwn(this.panels, grant.panel)) return undefined
    if (!this.panels[grant.panel].includes(endpoint) || grant.expiresAt <= this.#options.now()) return undefined
    const account = this.#options.accounts.findById(grant.keyId)
    return account && { ...account, only: grant.symbol }
  }

  /** Reads what a token contains. Undefined if this service did not sign it. */
  #read(token: string | undefined): EmbedGrant | undefined {
    if (token === undefined || token.length > MAX_LENGTH) return undefined
    const [claims, signature, ...more] = token.split('.')
    if (signature === undefined || more.length > 0) return undefined
    const given = Buffer.from(signature, 'base64url')
    const own = this.#sign(claims)
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as EmbedGrant // signed, so this service wrote it
  }

  #sign(claims: string): Buffer {
    return createHmac('sha256', this.#secret).update(claims).digest()
  }
}

export function embedToken(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-embed-token']
  return typeof token === 'string' && token !== '' ? token : undefined
}
