import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../accounts/accounts.ts'
import type { MarketSource } from '../../api/market-source.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'
import type { AnswerPayload } from '../answers/answer-headers.ts'
import type { Answers } from '../answers/answers.ts'
import { momentText } from '../answers/per-request-headers.ts'
import { type FoundAnswer, payloadFor, type SendOptions, sendAnswer } from '../answers/send.ts'
import { type AuthorizeOptions, authorize, countRequest, type Grant, grantOf } from './authorize.ts'
import { cameByTls } from './client-address.ts'
import { EventLoopMemo } from './event-loop-memo.ts'
import { MAX_ADDRESS_LENGTH } from './exchange.ts'
import { holdsKey, type ParsedAddress, splitKey } from './parsed-address.ts'

/** What an account may see of an address, once the gates let it through. */
interface LetThrough extends Grant {
  readonly account: Account | undefined
}

interface KnownAddress {
  readonly remembered: ParsedAddress
  /**
   * The account that asked last: gates and grant rest on the account and the address alone, and an account that changed
   * is another object. To ask them each time costs 0.2 µs of CPU (Node 20).
   */
  last: LetThrough | undefined
}

/** What was found of an address for requests that are granted the same, at one millisecond of both clocks. */
interface FoundNow {
  readonly grant: Grant
  readonly wallNow: Instant
  readonly now: Instant
  readonly found: FoundAnswer
}

/** An answer that may be sent at once, and to whom. */
interface CountedAnswer {
  readonly remembered: ParsedAddress
  readonly granted: LetThrough
  /** The same object as with other requests of this account for this address. */
  readonly alike: object | undefined
  /** Requests of the account today, this one included. */
  readonly used: number
  readonly found: FoundAnswer
  readonly payload: AnswerPayload
}

export interface KeptAnswerRouteOptions extends SendOptions, AuthorizeOptions {
  readonly source: MarketSource
  readonly answers: Answers
  readonly nextId: () => string
}

const MAX_ADDRESSES = 10_000

/**
 * Answers a request whose address was asked before and whose answer is kept, without routing, parsing or a promise. It
 * never refuses: what is not allowed, or not finished, is left to the framework, which asks the same functions in the
 * contract's order.
 */
export class KeptAnswerRoute {
  readonly #options: KeptAnswerRouteOptions
  /** By address without its key. */
  readonly #addresses = new LRUCache<string, KnownAddress>({ max: MAX_ADDRESSES })
  /**
   * To look whether all that a kept answer rests on still holds costs some 4 µs of CPU (Node 20). Under load the requests of
   * one turn and millisecond share a look.
   */
  readonly #found = new EventLoopMemo<KnownAddress, FoundNow>()

  constructor(options: KeptAnswerRouteOptions) {
    this.#options = options
  }

  /** Remembers what an address asks for. `queryKey` is the key that the framework read from its query. */
  remember(url: string, queryKey: unknown, remembered: ParsedAddress): void {
    const { address, key } = splitKey(url)
    if (key !== queryKey || address.length > MAX_ADDRESS_LENGTH || holdsKey(address)) return
    this.#addresses.set(address, { remembered, last: undefined })
  }

  /** Answers the request if it can; false leaves it untouched. */
  serve(request: IncomingMessage, raw: ServerResponse): boolean {
    const startedAt = performance.now()
    const counted = this.#findSafely(request)
    if (counted === undefined) return false
    const { remembered, granted, alike, used, found, payload } = counted
    const exchange = {
      id: this.#options.nextId(),
      method: 'GET',
      route: remembered.route,
      path: remembered.path,
      headers: request.headers,
      secure: cameByTls(request, this.#options.trustProxy),
      startedAt,
      account: granted.account,
      used,
      failure: undefined,
      raw
    }
    // Node drains a body that nobody read, in three turns of its queue, also where there is none: that is said here. It
    // saves about a tenth of the CPU of a kept answer of 2 KB (Node 20).
    if (!hasBody(request)) request.read()
    sendAnswer(exchange, found, payload, this.#options, alike)
    return true
  }

  /** What a request is to be sent. Where looking for it fails, the framework meets the failure again and reports it. */
  #findSafely(request: IncomingMessage): CountedAnswer | undefined {
    try {
      return request.method === 'GET' ? this.#find(request) : undefined
    } catch {
      return undefined
    }
  }

  #find(request: IncomingMessage): CountedAnswer | undefined {
    const { url = '', headers, socket } = request
    const now = this.#options.source.now()
    const { address, key } = splitKey(url)
    const known = this.#addresses.get(address)
    if (known === undefined || known.remembered.today !== easternDate(now)) return undefined
    const { remembered } = known
    const bearer = { headers, query: { apiKey: key }, socket }
    const { account, refusal } = authorize(remembered.endpoint, bearer, this.#options)
    if (refusal !== undefined) return undefined
    const { last } = known
    const isSameAgain = last !== undefined && last.account === account
    const granted = isSameAgain ? last : this.#letThrough(known, account)
    if (granted === undefined) return undefined
    const found = this.#foundNow(known, granted, now)
    const payload = found && payloadFor(headers, found.served.answer)
    if (payload === undefined || payload instanceof Promise) return undefined
    // Last, so that a request which is left to the framework is counted there alone.
    const { used, refusal: tooMany } = countRequest(account, request, this.#options)
    if (tooMany !== undefined) return undefined
    this.#options.answers.countHit()
    return {
      remembered,
      granted,
      alike: isSameAgain ? granted : undefined,
      used,
      found: found!,
      payload
    }
  }

  /** What is at hand of an address; undefined where something is missing, or has to be waited for. */
  #foundNow(known: KnownAddress, grant: Grant, now: Instant): FoundAnswer | undefined {
    const wallNow = this.#options.wallNow()
    const held = this.#found.get(known)
    if (held?.wallNow === wallNow && held.now === now && isSameGrant(held.grant, grant)) return held.found
    const { endpoint, params, ignored } = known.remembered
    const { asking, entitlements } = grant
    const served = this.#options.answers.cached(endpoint, params, asking, entitlements)
    const quality = served?.quality()
    if (served === undefined || quality instanceof Promise) return undefined
    const parts = { served, asking, quality, momentHeaders: ignored }
    const found = { ...parts, momentText: momentText(parts) }
    this.#found.set(known, { grant, wallNow, now, found })
    return found
  }

  /** What an account may see of an address; undefined where a gate refuses it. */
  #letThrough(known: KnownAddress, account: Account | undefined): LetThrough | undefined {
    const { access, source } = this.#options
    const { endpoint, params } = known.remembered
    if (access.gateRefusal(account, endpoint, params, known.remembered) !== undefined) return undefined
    known.last = { account, ...grantOf(account, endpoint, source, this.#options) }
    return known.last
  }
}

/** Whether two accounts see the same of an address: how fresh, with which entitlements, with a key or without. */
function isSameGrant(one: Grant, other: Grant): boolean {
  if (one === other) return true
  const { maxAge, keyless } = one.asking
  if (maxAge !== other.asking.maxAge || keyless !== other.asking.keyless) return false
  return one.entitlements.join() === other.entitlements.join()
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
