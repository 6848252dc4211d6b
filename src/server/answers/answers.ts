import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../../api/endpoint.ts'
import { ApiError, apiError } from '../../api/error.ts'
import { inputsStand, type LoadedInputs, loadInputs, readInputs } from '../../api/inputs/load.ts'
import type { DataRequest } from '../../api/market-source.ts'
import { type MaybePromise, orUndefined } from '../../api/maybe-promise.ts'
import type { Entitlement } from '../../api/plan.ts'
import { isWithinTtl } from '../../api/ttl.ts'
import { steadyNow } from '../../facts/steady-clock.ts'
import { type ChainHeader, headerOf } from '../../market/chain.ts'
import type { Ticker } from '../../market/units.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import type { Engine } from '../../workers/engine.ts'
import { entityTag } from '../http/entity-tag.ts'
import { fromCurrentChains } from './current-chains.ts'
import { type AnswerQuestion, answerKey, asBuffer, type KeptAnswer, sizeOfAnswer } from './kept-answer.ts'
import { heldSymbol, type RenewalRequest, Renewals } from './renewals.ts'

/** A response about to be sent, the chains behind it, and the quality of its main chain if that was asked for. */
export interface Served {
  readonly answer: KeptAnswer
  readonly chains: readonly ChainHeader[]
  readonly quality: ChainAssessment | undefined
}

export interface AnswersOptions {
  readonly engine: Engine
  readonly cacheBytes: number
  /**
   * Which responses stay cached: `latest` only the one for the newest inputs, `every` all of them, for past moments.
   */
  readonly retain?: 'latest' | 'every'
  readonly onLookup?: (hit: boolean) => void
  /** Clock of periods, milliseconds. Default: that of the process. */
  readonly steadyNow?: () => number
}

/** A question whose response is to be found, with its key, and whether the quality of its chain is needed. */
interface Asked extends AnswerQuestion {
  readonly key: string
  readonly isRated: boolean
}

type Params = Readonly<Record<string, unknown>>
type Wanted = Partial<Pick<Asked, 'zone' | 'shape' | 'form' | 'rows' | 'isRated'>>

/**
 * Caches responses of market endpoints as bytes for as long as every input they were computed from is current.
 * Simultaneous requests for one response share a computation.
 */
export class Answers {
  readonly #options: AnswersOptions
  readonly #cache: LRUCache<string, KeptAnswer>
  readonly #running = new Map<string, Promise<KeptAnswer>>()
  readonly #renewals: Renewals
  /** Keys of the responses that the next chain of a symbol outdates. */
  readonly #outdatedBy = new Map<Ticker, Set<string>>()

  constructor(options: AnswersOptions) {
    const { cacheBytes, steadyNow: now = steadyNow } = options
    this.#options = options
    this.#renewals = new Renewals({
      kept: (key) => this.#cache.peek(key),
      make: (renewable) => this.#renew(renewable),
      steadyNow: now
    })
    this.#cache = new LRUCache<string, KeptAnswer>({
      maxSize: cacheBytes,
      sizeCalculation: sizeOfAnswer,
      dispose: ({ chains, renewable }, key, reason) => {
        this.#forgetChains(chains, key)
        if (reason !== 'set' && renewable !== undefined) this.#renewals.forget(renewable)
      }
    })
  }

  /**
   * The response to a request if it is cached and all its inputs are at hand; undefined otherwise. `caller` holds the
   * entitlements that the response varies by. Throws if the request is refused.
   */
  ready(
    endpoint: Endpoint,
    params: Params,
    request: DataRequest,
    caller: readonly Entitlement[],
    wanted: Wanted = {}
  ): Served | undefined {
    if (!this.#isOfNow) return undefined
    const { key, isRated } = askedOf(endpoint, params, request, caller, wanted)
    const answer = this.#cache.get(key)
    if (answer === undefined) {
      const settled = settledAtHand(endpoint, params, request)
      return settled && this.ready(endpoint, settled, request, caller, wanted)
    }
    if (isFreshEnough(answer, endpoint, request)) return this.#hit(asItIs(answer))
    const loaded = readInputs(endpoint, params, request)
    if (loaded?.version !== answer.version) return undefined
    const served = withQuality(answer, loaded.chains, request, isRated)
    return served && this.#hit(served)
  }

  /** The response to a request, from the cache or computed. */
  async load(
    endpoint: Endpoint,
    params: Params,
    request: DataRequest,
    caller: readonly Entitlement[],
    wanted: Wanted = {}
  ): Promise<Served> {
    const asked = askedOf(endpoint, params, request, caller, wanted)
    if (endpoint.loading === undefined || !this.#isOfNow) return this.#load(asked, request)
    try {
      const isHere = this.#cache.has(asked.key) || readInputs(endpoint, params, request) !== undefined
      if (!isHere && isListed(endpoint, params, request)) {
        this.#load(asked, { ...request, deadline: undefined }).catch(() => {}) // the next request meets the error again
        throw apiError('loading')
      }
      return await this.#load(asked, request)
    } catch (error) {
      throw error instanceof ApiError && error.code === endpoint.loading ? apiError('loading', error.message) : error
    }
  }

  /**
   * The cached response under a key, if all its inputs are fresh enough for the caller, or its successor is still being
   * computed. A caller that sends it calls `countHit`.
   */
  kept(
    key: string,
    endpoint: Endpoint,
    params: Params,
    request: DataRequest,
    caller: readonly Entitlement[]
  ): Served | undefined {
    const answer = this.#cache.get(key)
    if (answer === undefined) return undefined
    if (isFreshEnough(answer, endpoint, request) || this.#renewals.serves(answer, request)) return asItIs(answer)
    try {
      const readings = answer.readings.get(request.maxAge)
      if (readings === undefined || !inputsStand(readings, endpoint, params, request)) {
        const loaded = readInputs(endpoint, params, request)
        if (loaded?.version !== answer.version) return undefined
        answer.readings.set(request.maxAge, loaded.readings)
      }
      this.#noteDemand(answer, { key, endpoint, params, caller, request })
      return withQuality(answer, answer.chains, request, true)
    } catch {
      return undefined // the request is refused; `ready` throws the error again
    }
  }

  countHit(): void {
    this.#options.onLookup?.(true)
  }

  /** Computes the responses in demand from a chain that has replaced another, and drops the others: none is sent again. */
  renew(chain: ChainHeader): void {
    this.#renewals.begin(chain)
    const symbol = heldSymbol(chain)
    for (const key of this.#outdatedBy.get(symbol) ?? []) {
      const { renewable, chains } = this.#cache.peek(key)!
      const isOutdated = chains.some((each) => heldSymbol(each) === symbol && each.asOf < chain.asOf)
      if (renewable === undefined && isOutdated) this.#cache.delete(key)
    }
  }

  get bytes(): number {
    return this.#cache.calculatedSize
  }

  get #isOfNow(): boolean {
    return this.#options.retain !== 'every'
  }

  #hit(served: Served): Served {
    this.countHit()
    return served
  }

  #noteDemand(answer: KeptAnswer, asked: RenewalRequest): void {
    if (asked.endpoint.ttl !== undefined) return
    const { renewable } = answer
    if (renewable === undefined || asked.request.maxAge < renewable.request.maxAge) {
      const { chains } = answer.readings.get(asked.request.maxAge)!
      answer.renewable = this.#renewals.note(renewable, asked, chains)
    }
    this.#renewals.asked(answer.renewable!)
  }

  #load(asked: Asked, request: DataRequest): Promise<Served> {
    return fromCurrentChains(() => this.#loadOnce(asked, request))
  }

  async #loadOnce(first: Asked, request: DataRequest): Promise<Served> {
    const { endpoint, params, isRated } = first
    const loaded = await loadInputs(endpoint, params, request)
    const asked = settledWith(first, loaded, request)
    const { chains } = loaded
    const kept = this.#cache.get(this.#slot(asked.key, loaded))
    const isHit = kept?.version === loaded.version
    this.#options.onLookup?.(isHit)
    // Started together with the response, while its chain is still the current one.
    const assessing = isRated ? orUndefined(() => qualityOf(loaded, request)) : undefined
    const answer = isHit ? kept : await this.#made(asked, loaded, request)
    const quality = await assessing
    if (quality !== undefined) answer.quality = quality
    return { answer, chains, quality }
  }

  /** The response computed from these inputs: by a running computation, or a new one. */
  #made(
    asked: AnswerQuestion & { readonly key: string },
    loaded: LoadedInputs,
    request: DataRequest
  ): Promise<KeptAnswer> {
    const { key, endpoint, params, caller, form, rows, zone, shape } = asked
    const moment = `${key} ${loaded.version}`
    let running = this.#running.get(moment)
    if (running === undefined) {
      const how = { form, rows, zone, shape }
      const task = { endpoint: endpoint.id, params, caller, ...how, inputs: loaded.inputs, body: undefined }
      running = this.#options.engine
        .run('answerEndpoint', task, request.deadline)
        .then((bytes) => this.#keep(asked, bytes, loaded, request))
        .finally(() => this.#running.delete(moment))
      this.#running.set(moment, running)
    }
    return running
  }

  /**
   * Recomputes a response from current inputs and assesses its chain. If inputs are not at hand, the next request does
   * it.
   */
  async #renew({ key, endpoint, params, caller, request }: RenewalRequest): Promise<void> {
    if (endpoint.needs.includes('distrust')) {
      const [rated] = endpoint.symbols(params as never)
      await orUndefined(() => qualityOf({ rated }, request))
    }
    const loaded = readInputs(endpoint, params, request)
    if (loaded === undefined) return
    const assessing = orUndefined(() => qualityOf(loaded, request))
    const held = this.#cache.get(key)
    const asked = { key, endpoint, params, caller, zone: 'utc', shape: 'plain', form: undefined } as const
    const answer = held?.version === loaded.version ? held : await this.#made(asked, loaded, request)
    answer.quality = (await assessing) ?? answer.quality
  }

  #slot(key: string, { version }: LoadedInputs): string {
    return this.#options.retain === 'every' ? `${key} ${version}` : key
  }

  #keep(
    { key, endpoint, form }: AnswerQuestion & { readonly key: string },
    bytes: Uint8Array,
    loaded: LoadedInputs,
    request: DataRequest
  ): KeptAnswer {
    const { version, chains, flowSource, flowPart, rated, readings } = loaded
    const body = asBuffer(bytes)
    const slot = this.#slot(key, loaded)
    const renewable = this.#cache.peek(slot)?.renewable
    const answer: KeptAnswer = {
      key,
      version,
      body,
      etag: entityTag(body),
      form,
      hasForms: endpoint.formWanted === undefined,
      chains: chains.map(headerOf),
      flowSource,
      flowPart,
      session: readings.session,
      rated,
      quality: undefined,
      readings: new Map(this.#isOfNow ? [[request.maxAge, readings]] : []),
      payloads: {},
      renewable: undefined,
      outdatedSince: undefined,
      compressed: {}
    }
    if (renewable !== undefined) {
      const again = { ...renewable, request: { ...request, deadline: undefined } }
      answer.renewable = this.#renewals.note(renewable, again, readings.chains)
    }
    this.#cache.set(slot, answer)
    if (this.#isOfNow && endpoint.ttl === undefined && answer.session === undefined)
      this.#noteChains(answer.chains, slot)
    return answer
  }

  #noteChains(chains: readonly ChainHeader[], key: string): void {
    if (!this.#cache.has(key)) return // larger than the cache
    for (const symbol of new Set(chains.map(heldSymbol))) {
      const keys = this.#outdatedBy.get(symbol)
      if (keys === undefined) this.#outdatedBy.set(symbol, new Set([key]))
      else keys.add(key)
    }
  }

  #forgetChains(chains: readonly ChainHeader[], key: string): void {
    for (const symbol of new Set(chains.map(heldSymbol))) {
      const keys = this.#outdatedBy.get(symbol)
      if (keys?.delete(key) && keys.size === 0) this.#outdatedBy.delete(symbol)
    }
  }
}

function askedOf(
  endpoint: Endpoint,
  params: Params,
  request: DataRequest,
  caller: readonly Entitlement[],
  { zone = 'utc', shape = 'plain', form, rows, isRated = false }: Wanted
): Asked {
  const question = { endpoint, params, caller, zone, shape, form, rows }
  return { ...question, key: answerKey(question, request), isRated }
}

/** A question whose parameters that are relative to the data say what they mean in these inputs. */
function settledWith(asked: Asked, { inputs }: LoadedInputs, request: DataRequest): Asked {
  const params = settledParams(asked.endpoint, asked.params, inputs)
  return params === asked.params ? asked : { ...asked, params, key: answerKey({ ...asked, params }, request) }
}

/** Parameters that say what they mean in the inputs at hand; undefined if these are not at hand or nothing changes. */
function settledAtHand(endpoint: Endpoint, params: Params, request: DataRequest): Params | undefined {
  const loaded = endpoint.settle && readInputs(endpoint, params, request)
  const settled = loaded && settledParams(endpoint, params, loaded.inputs)
  return settled === params ? undefined : settled
}

function settledParams({ settle }: Endpoint, params: Params, inputs: LoadedInputs['inputs']): Params {
  return settle === undefined ? params : (settle(params as never, inputs as never) as Params)
}

/**
 * Whether a response may be sent without regard to newer data, as its endpoint declares. One from a part of a session may
 * not: the rest is about to be there.
 */
function isFreshEnough({ chains, flowPart }: KeptAnswer, { ttl }: Endpoint, { source }: DataRequest): boolean {
  if (ttl === undefined || flowPart !== undefined) return false
  return chains.every((chain) => isWithinTtl(chain, ttl, source.now()))
}

/** A cached response that is sent without checking its inputs. */
function asItIs(answer: KeptAnswer): Served {
  return { answer, chains: answer.chains, quality: answer.quality }
}

/** A cached response with the current quality of its chain; undefined if that is being assessed. */
function withQuality(
  answer: KeptAnswer,
  chains: readonly ChainHeader[],
  request: DataRequest,
  isRated: boolean
): Served | undefined {
  const quality = isRated ? orUndefined(() => qualityOf(answer, request)) : undefined
  if (quality instanceof Promise) return undefined
  answer.quality = quality ?? answer.quality
  return { answer, chains, quality }
}

function qualityOf(
  { rated }: Pick<KeptAnswer, 'rated'>,
  { source }: DataRequest
): MaybePromise<ChainAssessment | undefined> {
  return rated === undefined ? undefined : source.quality(rated)
}

function isListed(endpoint: Endpoint, params: object, { source }: DataRequest): boolean {
  const { tickers } = source.catalogue()
  return endpoint.symbols(params as never).every((symbol) => tickers.includes(symbol))
}
