import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../accounts/accounts.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Plans } from '../../api/plan.ts'
import type { MarketSource } from '../../api/source.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import { type Answers, encodingFor, type Served } from '../answers/answers.ts'
import { isHeldBy, type Outgoing, type Sendable, type SendOptions, sendAnswer } from '../answers/send.ts'
import type { Access } from './access.ts'
import type { AddressLimit } from './address-limit.ts'
import { MAX_ADDRESS_LENGTH } from './exchange.ts'

/** An address that was asked before, and what it asks for. */
interface Known {
  readonly endpoint: Endpoint
  readonly route: string
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  /** The market's date it was read on: the word 0dte means another day tomorrow. */
  readonly today: IsoDate
}

/** An answer that may be sent at once, to whom, and how. */
interface AtHand {
  readonly known: Known
  readonly account: Account | undefined
  /** Requests of the account today, this one included. */
  readonly used: number
  readonly outgoing: Outgoing
  readonly sendable: Sendable
}

export interface FastLaneOptions extends SendOptions {
  readonly source: MarketSource
  readonly access: Access
  readonly plans: Plans
  readonly keyless: AddressLimit
  readonly answers: Answers
  readonly nextId: () => string
  /** Behind a proxy it takes the framework to tell whether the client came by TLS. */
  readonly trustProxy: boolean
}

const MAX_ADDRESSES = 10_000

/**
 * Answers a request whose address was asked before and whose answer is kept, without routing, parsing or a promise. It
 * never refuses. Whatever is not plainly allowed and at hand (no
 * key in the header, a plan too low, a quota used up, an answer to compute) is left to the framework, which asks the
 * same questions in the contract's order and says no where no is the answer.
 */
export class FastLane {
  readonly #options: FastLaneOptions
  readonly #known = new LRUCache<string, Known>({ max: MAX_ADDRESSES })

  constructor(options: FastLaneOptions) {
    this.#options = options
  }

  /** Remembers what an address asks for. Addresses with a key in them are not kept. */
  remember(url: string, known: Known): void {
    if (url.length <= MAX_ADDRESS_LENGTH && !/apikey/i.test(url)) this.#known.set(url, known)
  }

  /** Answers the request if it can; false leaves it untouched. */
  serve(request: IncomingMessage, raw: ServerResponse): boolean {
    const startedAt = performance.now()
    const found = this.#atHand(request)
    if (found === undefined) return false
    const { known, account, used, outgoing, sendable } = found
    const exchange = {
      id: this.#options.nextId(),
      method: 'GET',
      route: known.route,
      path: known.path,
      headers: request.headers,
      secure: false,
      startedAt,
      account,
      used,
      failure: undefined,
      raw
    }
    // Node drains a body that nobody read, in three turns of its queue, also where there is none: that is said here.
    if (!hasBody(request)) request.read()
    sendAnswer(exchange, outgoing, sendable, this.#options)
    return true
  }

  /** What a request is to be sent. Where looking for it fails, the framework meets the failure again and tells of it. */
  #atHand(request: IncomingMessage): AtHand | undefined {
    try {
      return this.#find(request)
    } catch {
      return undefined
    }
  }

  #find(request: IncomingMessage): AtHand | undefined {
    const { method, url = '', headers, socket } = request
    const { access, answers, source, trustProxy, plans } = this.#options
    const known = method === 'GET' && !trustProxy ? this.#known.get(url) : undefined
    if (known === undefined || known.today !== easternDate(source.now())) return undefined
    const { endpoint, params } = known
    const keyless = needsNoKey(endpoint, headers)
    const account = keyless ? undefined : access.accountOfKey(headers['x-api-key'], socket)
    if (!keyless && (account === undefined || !access.mayAsk(account, endpoint, params, known))) return undefined
    const caller = account === undefined ? [] : endpoint.varies.filter((word) => access.allows(account, word))
    const { freshness } = account?.plan ?? plans.byId('free')
    const asking = { source, maxAge: freshness, keyless }
    const served = answers.cached(endpoint, params, asking, caller)
    const sendable = served && this.#sendable(served, headers)
    if (sendable === undefined) return undefined
    const used = this.#take(account, request)
    const outgoing = { served: served!, asking, moment: [] }
    return used === undefined ? undefined : { known, account, used, outgoing, sendable }
  }

  /** Counts the request, and says how many its account has made; undefined where no more are allowed. */
  #take(account: Account | undefined, { socket }: IncomingMessage): number | undefined {
    const { quota, keyless } = this.#options
    if (account === undefined) return keyless.take(socket.remoteAddress ?? '') > 0 ? undefined : 0
    const { allowed, used } = quota.take(account)
    return allowed ? used : undefined
  }

  /** What to send at once; undefined while a compressed form has still to be made. */
  #sendable({ answer }: Served, headers: IncomingMessage['headers']): Sendable | undefined {
    if (isHeldBy({ headers }, answer)) return { bytes: undefined, encoding: undefined }
    const encoding = encodingFor(headers['accept-encoding'] as string | undefined, answer.body.length)
    if (encoding === undefined) return { bytes: answer.body, encoding }
    const encoded = answer.compressed[encoding]
    return encoded instanceof Buffer ? { bytes: encoded, encoding } : undefined
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Whether a request is answered without looking for an account. An address with a key in it never comes here. */
function needsNoKey({ plan, keys }: Endpoint, headers: IncomingMessage['headers']): boolean {
  return plan === 'public' && (keys === 'ignored' || (headers['x-api-key'] ?? '') === '')
}
