import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../api/endpoint.ts'
import { easternDate } from '../market/eastern.ts'
import type { IsoDate } from '../market/units.ts'
import type { Access } from './access.ts'
import { type Answers, encodingFor, type Served } from './answers.ts'
import { isHeldBy, type Sendable, type SendOptions, sendAnswer } from './send-answer.ts'

/** An address that was asked before, and what it asks for. */
interface Known {
  readonly endpoint: Endpoint
  readonly route: string
  readonly params: Readonly<Record<string, unknown>>
  /** The market's date it was read on: the word 0dte means another day tomorrow. */
  readonly today: IsoDate
}

export interface FastLaneOptions extends SendOptions {
  readonly access: Access
  readonly answers: Answers
  readonly nextId: () => string
  /** Behind a proxy it takes the framework to tell whether the client came by TLS. */
  readonly trustProxy: boolean
}

const mostAddresses = 10_000
const longestAddress = 512

/**
 * Answers a request whose address was asked before and whose answer is kept, without routing, parsing or a promise. It
 * never refuses. Whatever is not plainly allowed and at hand (no
 * key in the header, a plan too low, a quota used up, an answer to compute) is left to the framework, which asks the
 * same questions in the contract's order and says no where no is the answer.
 */
export class FastLane {
  readonly #options: FastLaneOptions
  readonly #known = new LRUCache<string, Known>({ max: mostAddresses })

  constructor(options: FastLaneOptions) {
    this.#options = options
  }

  /** Remembers what an address asks for. Addresses with a key in them are not kept. */
  remember(url: string, known: Known): void {
    if (url.length <= longestAddress && !/apikey/i.test(url)) this.#known.set(url, known)
  }

  /** Answers the request if it can; false leaves it untouched. */
  serve(request: IncomingMessage, raw: ServerResponse): boolean {
    const { access, answers, quota, source, trustProxy, nextId } = this.#options
    const { method = 'GET', headers } = request
    const url = request.url ?? ''
    const known = method === 'GET' && !trustProxy ? this.#known.get(url) : undefined
    if (known === undefined || known.today !== easternDate(source.now())) return false
    const startedAt = performance.now()
    const account = access.accountOfKey(headers['x-api-key'])
    if (account === undefined || !access.mayAsk(account, known.endpoint, known.params, known)) return false
    const { endpoint, route, params } = known
    const caller = endpoint.varies.filter((entitlement) => access.allows(account, entitlement))
    const served = answers.kept(endpoint, params, account.plan.freshness, caller)
    const sendable = served && this.#sendable(served, headers)
    if (sendable === undefined) return false
    const { allowed, used } = quota.take(account)
    if (!allowed) return false
    const exchange = {
      id: nextId(),
      method,
      route,
      url,
      headers,
      secure: false,
      startedAt,
      account,
      used,
      failure: undefined,
      raw
    }
    sendAnswer(exchange, served!, sendable, this.#options)
    return true
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
