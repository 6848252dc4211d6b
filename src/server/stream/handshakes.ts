import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../accounts/accounts.ts'
import type { Bundle, Bundles } from '../../accounts/bundles.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import type { Instant } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'
import type { StreamClient, StreamServer } from '../../stream/session/stream-server.ts'
import type { Access } from '../http/access.ts'
import type { FindAccount, Redeemed, Ticket, Tickets } from './tickets.ts'

export interface HandshakeOptions {
  readonly access: Pick<Access, 'accountOfHeaders' | 'keyRefusal' | 'outdated'>
  readonly bundles: Pick<Bundles, 'of'>
  readonly server: StreamServer
  readonly tickets: Pick<Tickets, 'issue' | 'redeem'>
  readonly isReady: () => boolean
  readonly wallNow: () => Instant
}

/** Why a request for a WebSocket or a ticket is refused, and when to try again. */
export interface Refused {
  readonly refusal: ApiError
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number | undefined
}

/** An allowed request for a WebSocket: its account, and the client that the stream will serve. */
export interface Authorized {
  readonly account: Account
  readonly client: StreamClient
  /** The ticket that was used; undefined if the request had a key or a session. */
  readonly ticket: Redeemed | undefined
}

interface Holder {
  readonly account: Account
  readonly bundle: Bundle
}

/** Number of WebSockets, and of tickets, that a key may request within `WINDOW`. */
const MAX_IN_WINDOW = 10
/** Period for which requests are counted, milliseconds. */
const WINDOW = 10_000
/** Number of keys whose requests are counted. Beyond it, the least recently used key is forgotten. */
const MAX_KEYS = 10_000

/**
 * Decides whether a request may open a WebSocket, and issues tickets. The decision comes before the protocol changes,
 * so a refusal is a plain HTTP error.
 */
export class Handshakes {
  readonly #options: HandshakeOptions
  readonly #handshakeTimes = new LRUCache<string, RecentTimes>(entriesUpTo(MAX_KEYS))
  readonly #ticketTimes = new LRUCache<string, RecentTimes>(entriesUpTo(MAX_KEYS))

  constructor(options: HandshakeOptions) {
    this.#options = options
  }

  get server(): StreamServer {
    return this.#options.server
  }

  authorize(headers: IncomingHttpHeaders, query: URLSearchParams): Authorized | Refused {
    const { server, isReady, bundles } = this.#options
    if (server.isDraining || !isReady()) {
      return { refusal: apiError('draining', 'the stream is not available now; try again shortly'), retryAfter: 2 }
    }
    if (keyIn(query)) return { refusal: keyInAddress() }
    const sent = query.get('ticket')
    const ticket = sent === null ? undefined : this.#options.tickets.redeem(sent)
    if (sent !== null && ticket === undefined) return { refusal: ticketRefusal() }
    const find = ticket?.find ?? (() => this.#options.access.accountOfHeaders(headers))
    const holder = this.#holderOf(find)
    if (holder === undefined) return { refusal: ticket === undefined ? this.#keyRefusal(headers) : ticketRefusal() }
    if ('refusal' in holder) return holder
    const { account, bundle } = holder
    const wait = waitFor(this.#handshakeTimes, account.keyId, this.#options.wallNow())
    if (wait !== undefined) return { refusal: apiError('connection_limit', 'too many handshakes'), retryAfter: wait }
    if (!server.hasRoom(bundle)) return allOpen()
    const authorization = () => {
      const now = find()
      return { isKeyValid: now !== undefined, bundle: now && bundles.of(now) }
    }
    return { account, client: { bundle, authorization }, ticket }
  }

  /**
   * Asks whether the other services of the bundle leave room for one more connection, and took the ticket not before;
   * returns why not. Undefined without a promise if there are no others. A connection that was allowed is opened or given up.
   */
  admission({ client: { bundle }, ticket }: Authorized): Promise<Refused | undefined> | undefined {
    const { server } = this.#options
    const admitted = async (isAdmitted: boolean): Promise<Refused | undefined> => {
      if (!isAdmitted) return allOpen()
      let isFirst = false
      try {
        isFirst = (await ticket?.spend?.()) ?? true
        return isFirst ? undefined : { refusal: ticketRefusal() }
      } finally {
        if (!isFirst) server.giveUp(bundle)
      }
    }
    return server.admit(bundle)?.then(admitted).catch(uncounted)
  }

  ticket(headers: IncomingHttpHeaders): Ticket | Refused {
    const holder = this.#holderOf(() => this.#options.access.accountOfHeaders(headers))
    if (holder === undefined) return { refusal: this.#keyRefusal(headers) }
    if ('refusal' in holder) return holder
    const wait = waitFor(this.#ticketTimes, holder.account.keyId, this.#options.wallNow())
    if (wait !== undefined) return { refusal: apiError('connection_limit', 'too many tickets'), retryAfter: wait }
    return this.#options.tickets.issue(holder.account, headers)
  }

  #keyRefusal(headers: IncomingHttpHeaders): ApiError {
    return this.#options.access.keyRefusal({ headers, query: {}, socket: headers })
  }

  /**
   * The account that `find` returns, with its streaming bundle. Undefined if there is no account; a refusal if it has
   * no bundle.
   */
  #holderOf(find: FindAccount): Holder | Refused | undefined {
    const refusal = this.#options.access.outdated()
    if (refusal !== undefined) return { refusal, retryAfter: refusal.retryAfter! }
    const account = find()
    if (account === undefined) return undefined
    const bundle = this.#options.bundles.of(account)
    if (bundle !== undefined) return { account, bundle }
    const detail = { current_plan: account.plan.name, required_plan: 'Streaming' }
    return { refusal: apiError('tier_restricted', 'the stream needs a streaming bundle; this user has none', detail) }
  }
}

function allOpen(): Refused {
  return { refusal: apiError('connection_limit', 'all connections of the bundle are open'), retryAfter: 5 }
}

function uncounted(): Refused {
  return { refusal: apiError('overloaded', 'connections cannot be counted now; try again shortly'), retryAfter: 2 }
}

function ticketRefusal(): ApiError {
  return apiError('unauthorized', 'the ticket is invalid, used or revoked')
}

/** Whether an address contains an API key. Such addresses end up in logs and browser histories. */
export function keyIn(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name.toLowerCase() === 'apikey')
}

export function keyInAddress(): ApiError {
  return apiError('unauthorized', 'a key in the address is not taken here: send it in the X-Api-Key header')
}

/** Times of a key's requests in the last ten seconds, ascending. */
type RecentTimes = readonly Instant[]

/**
 * Counts a request of a key and returns undefined. If the key has made too many, returns the number of seconds until
 * the next is allowed.
 */
function waitFor(times: LRUCache<string, RecentTimes>, key: string, now: Instant): number | undefined {
  const recent = (times.get(key) ?? []).filter((at) => at <= now && now - at < WINDOW)
  if (recent.length >= MAX_IN_WINDOW) return Math.max(1, Math.ceil((recent[0] + WINDOW - now) / 1000))
  times.set(key, [...recent, now])
  return undefined
}
