import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Accounts, PanelUse } from '../../accounts/accounts.ts'
import type { SigningSecrets } from '../../accounts/secrets.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { TokenBuckets } from '../../pacing/token-bucket.ts'
import { networkOf } from '../http/address-limit.ts'
import { SignedText } from '../http/signed-text.ts'

export type EmbedPanels = Readonly<Record<string, readonly string[]>>

export interface EmbedTokenOptions {
  readonly panels: EmbedPanels
  readonly accounts: Pick<Accounts, 'findById'>
  readonly secrets: SigningSecrets
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
 * Creates and checks tokens for embedded panels. A token gives access to the data of one panel for one symbol. Requests
 * with it belong to the account of the key that requested it, and it becomes invalid when that key does. A token
 * contains all it grants, signed, so no tokens are stored and any service of the same accounts takes them.
 */
export class EmbedTokens {
  readonly panels: EmbedPanels
  readonly #options: EmbedTokenOptions
  readonly #signed: SignedText<EmbedGrant>
  readonly #tokens = new TokenBuckets(MAX_VIEWERS)
  readonly #viewers = new TokenBuckets(MAX_VIEWERS)

  constructor(options: EmbedTokenOptions) {
    this.panels = options.panels
    this.#options = options
    this.#signed = new SignedText(options.secrets, 'embedded panel')
  }

  issue(grant: EmbedGrant): string {
    return this.#signed.write(grant)
  }

  /**
   * The account of a request with a token. It may read the token's symbol only. Undefined if the token is invalid or
   * its panel does not use this endpoint.
   */
  accountOf(headers: IncomingHttpHeaders, endpoint: string): Account | undefined {
    const token = embedToken(headers)
    const grant = token === undefined ? undefined : this.#signed.read(token)
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
}

export function embedToken(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-embed-token']
  return typeof token === 'string' && token !== '' ? token : undefined
}
