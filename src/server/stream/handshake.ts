import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../accounts/accounts.ts'
import type { Bundle, Bundles } from '../../accounts/bundles.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import type { Instant } from '../../market/units.ts'
import type { StreamClient, StreamServer } from '../../stream/session/stream-server.ts'
import type { Access } from '../http/access.ts'
import { type Ticket, Tickets } from './tickets.ts'

export interface HandshakeOptions {
  readonly access: Pick<Access, 'accountOfKey'>
  readonly bundles: Pick<Bundles, 'of'>
  readonly channel: StreamServer
  readonly isReady: () => boolean
  readonly wallNow: () => Instant
}

/** Why a handshake or a ticket is refused, and when to come back. */
export interface Refused {
  readonly refusal: ApiError
  /** Seconds. */
  readonly retryAfter?: number
}

export interface Admitted {
  readonly account: Account
  readonly party: StreamClient
}

interface Holder {
  readonly account: Account
  readonly bundle: Bundle
}

/** Handshakes of one key, and tickets given to it, in any ten seconds. */
const MAX_IN_WINDOW = 10
const HANDSHAKE_WINDOW = 10_000
const MAX_KEYS = 10_000

/** Who may open a connection: checked before any upgrade, so that a refusal is plain HTTP. */
export class Handshakes {
  readonly tickets: Tickets
  readonly #options: HandshakeOptions
  readonly #handshakes = new LRUCache<string, Window>({ max: MAX_KEYS })
  readonly #ticketsGiven = new LRUCache<string, Window>({ max: MAX_KEYS })

  constructor(options: HandshakeOptions) {
    this.#options = options
    this.tickets = new Tickets(options.wallNow)
  }

  get channel(): StreamServer {
    return this.#options.channel
  }

  /** Admits a handshake by the key in its header or the ticket in its address. */
  admit(headers: IncomingHttpHeaders, query: URLSearchParams): Admitted | Refused {
    const { channel, isReady, bundles, access } = this.#options
    if (channel.isDraining || !isReady()) {
      return { refusal: apiError('draining', 'the stream is not served now; try again shortly'), retryAfter: 2 }
    }
    if (keyIn(query)) return { refusal: keyInAddress() }
    const ticket = query.get('ticket')
    const key = ticket === null ? headers['x-api-key'] : this.tickets.redeem(ticket)
    const holder = this.#holderOf(key, ticket === null ? 'API key' : 'ticket')
    if ('refusal' in holder) return holder
    const { account, bundle } = holder
    const wait = waitFor(this.#handshakes, account.keyId, this.#options.wallNow())
    if (wait !== undefined) return { refusal: apiError('connection_limit', 'too many handshakes'), retryAfter: wait }
    if (!channel.hasRoom(bundle)) {
      return { refusal: apiError('connection_limit', 'all connections of the bundle are open'), retryAfter: 5 }
    }
    const authorization = () => {
      const now = access.accountOfKey(key)
      return { keyHolds: now !== undefined, bundle: now && bundles.of(now) }
    }
    return { account, party: { bundle, authorization } }
  }

  /** Gives a ticket for the key in the header. */
  ticket(headers: IncomingHttpHeaders): Ticket | Refused {
    const key = headers['x-api-key']
    const holder = this.#holderOf(key, 'API key')
    if ('refusal' in holder) return holder
    const wait = waitFor(this.#ticketsGiven, holder.account.keyId, this.#options.wallNow())
    if (wait !== undefined) return { refusal: apiError('connection_limit', 'too many tickets'), retryAfter: wait }
    return this.tickets.issue(key as string)
  }

  #holderOf(key: unknown, what: string): Holder | Refused {
    const { access, bundles } = this.#options
    const account = access.accountOfKey(key)
    if (account === undefined) {
      const message =
        key === undefined && what !== 'ticket'
          ? 'no API key: send one in the X-Api-Key header'
          : `the ${what} is invalid, used or revoked`
      return { refusal: apiError('unauthorized', message) }
    }
    const bundle = bundles.of(account)
    if (bundle !== undefined) return { account, bundle }
    const detail = { current_plan: account.plan.name, required_plan: 'Streaming' }
    return { refusal: apiError('tier_restricted', 'the stream needs a streaming bundle; this user has none', detail) }
  }
}

/** Whether an address has a key in it, which ends up in logs and histories. */
export function keyIn(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name.toLowerCase() === 'apikey')
}

export function keyInAddress(): ApiError {
  return apiError('unauthorized', 'a key in the address is not taken here: send it in the X-Api-Key header')
}

/** When a key was let in lately, ascending. */
type Window = readonly Instant[]

/** Lets a key in once more. Else: whole seconds until it may come again. */
function waitFor(windows: LRUCache<string, Window>, key: string, now: Instant): number | undefined {
  const recent = (windows.get(key) ?? []).filter((at) => at <= now && now - at < HANDSHAKE_WINDOW)
  if (recent.length >= MAX_IN_WINDOW) return Math.max(1, Math.ceil((recent[0] + HANDSHAKE_WINDOW - now) / 1000))
  windows.set(key, [...recent, now])
  return undefined
}
