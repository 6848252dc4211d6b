import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts, PanelUse } from '../../accounts/accounts.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { TokenBuckets } from '../../pacing/token-bucket.ts'
import { networkOf } from '../http/address-limit.ts'

export type EmbedPanels = Readonly<Record<string, readonly string[]>>

export interface EmbedTokenOptions {
  readonly panels: EmbedPanels
  readonly accounts: Pick<Accounts, 'findById'>
  readonly now: () => Instant
}

/** Contents of a token. It opens the live host alone. */
export interface EmbedGrant {
  readonly keyId: string
  readonly panel: string
  readonly symbol: Ticker
  /** Milliseconds that a shown figure may be old before a newer one is made; the plan may let it be older. */
  readonly freshness: number
  readonly expiresAt: Instant
}

/** How often the viewers of one token may ask together: some 150 pages of four answers each quarter of a minute. */
const tokenRate = { burst: 1200, perMinute: 2400 } as const
/** How often one address may ask with a token: fifteen such pages behind one address. */
const viewerRate = { burst: 120, perMinute: 240 } as const
const MAX_VIEWERS = 50_000

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
  readonly #tokens = new TokenBuckets(MAX_VIEWERS)
  readonly #viewers = new TokenBuckets(MAX_VIEWERS)

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
    if (account === undefined) return undefined
    const { keyId, panel, symbol, expiresAt } = grant
    const plan = { ...account.plan, freshness: Math.max(account.plan.freshness, grant.freshness) }
    return { ...account, plan, panel: { symbol, token: `${keyId} ${panel} ${symbol} ${expiresAt}` } }
  }

  /**
   * Counts a request by token and client address, since anybody who sees the page has the token. Returns 0 if it is
   * allowed, otherwise the whole seconds until one is.
   */
  take({ token }: PanelUse, address: string): number {
    const now = this.#options.now()
    const wait =
      this.#viewers.take(`${token} ${networkOf(address)}`, viewerRate, now) || this.#tokens.take(token, tokenRate, now)
    return Math.ceil(wait / 1000)
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
