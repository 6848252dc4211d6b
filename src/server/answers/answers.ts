import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AnswerTask } from '../../api/answer.ts'
import type { Deadline } from '../../api/deadline.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { ApiError, apiError } from '../../api/error.ts'
import { type LoadedInputs, loadInputs } from '../../api/inputs/load.ts'
import { type Dependencies, isCurrent, loadIfReady } from '../../api/inputs/revalidate.ts'
import type { DataRequest } from '../../api/market-source.ts'
import { andThen, type MaybePromise } from '../../api/maybe-promise.ts'
import type { Entitlement } from '../../api/plan.ts'
import type { Zone } from '../../api/serializer.ts'
import { isWithinTtl } from '../../api/ttl.ts'
import type { FlowSource } from '../../flow/tape-views.ts'
import { type ChainHeader, headerOf } from '../../market/chain.ts'
import type { Instant } from '../../market/units.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import type { Engine } from '../../workers/engine.ts'
import { type Encodable, MIN_COMPRESSED } from '../http/content-negotiation.ts'
import { type Renewable, type RenewalRequest, Renewals } from './renewals.ts'
import { MAX_TEXT_BODY } from './single-write-response.ts'

/** A finished response body: its bytes are computed once and sent many times. */
export interface CachedAnswer extends Encodable {
  readonly version: string
  readonly etag: string
  /**
   * Media type; undefined for JSON. `hasForms`: the Accept header selects the media type, so HTTP caches must tell the
   * variants apart.
   */
  readonly form: string | undefined
  readonly hasForms: boolean
  /** Headers of the chains that the response was computed from, without their columns. */
  readonly chains: readonly ChainHeader[]
  /** Source of the prints behind the response; undefined if it is not about flow. */
  readonly flowSource: FlowSource | undefined
}

/** Cache key of a response, without the version of its inputs. */
interface AnswerKey extends Pick<AnswerTask, 'params' | 'caller' | 'form'> {
  readonly endpoint: Endpoint
  readonly zone: Zone
}

/** A response that is asked for. `isRated`: with the quality of its chain. */
interface AskedAnswer extends AnswerKey {
  readonly isRated?: boolean
  /** Until when the caller waits for it; undefined if nobody does. */
  readonly deadline?: Deadline | undefined
}

/** A response about to be sent, the chains behind it, and the quality of its main chain on demand. */
export interface Served {
  readonly answer: CachedAnswer
  readonly chains: readonly ChainHeader[]
  readonly quality: () => MaybePromise<ChainAssessment | undefined>
}

export interface AnswersOptions {
  readonly engine: Engine
  readonly cacheBytes: number
  /**
   * Which responses stay cached: `latest` only the one for the newest inputs, `every` all of them, for past moments.
   */
  readonly retain?: 'latest' | 'every'
  readonly onLookup?: (hit: boolean) => void
  readonly wallNow?: () => Instant
}

interface Known {
  readonly dependencies: Dependencies
  /** Absent if the response is not renewed in advance. */
  readonly renewable: Renewable | undefined
}

/** Estimated bytes of a cache entry apart from key and body: its objects, tag and version. */
const ENTRY_OVERHEAD = 1000

/**
 * Caches responses of market endpoints as bytes for as long as every input they were computed from is current.
 * Simultaneous requests for one response share a computation.
 */
export class Answers {
  readonly #options: AnswersOptions
  readonly #cache: LRUCache<string, CachedAnswer>
  /** Known inputs by parameters object; a repeatedly requested address has one parameters object. */
  readonly #known = new WeakMap<object, Known>()
  readonly #running = new Map<string, Promise<CachedAnswer>>()
  /** Quality of the chains behind responses that are sent without checking their inputs. */
  readonly #qualities = new WeakMap<CachedAnswer, ChainAssessment>()
  readonly #renewals: Renewals

  constructor(options: AnswersOptions) {
    const { cacheBytes, wallNow = Date.now } = options
    this.#options = options
    this.#cache = new LRUCache({ maxSize: cacheBytes, sizeCalculation })
    this.#renewals = new Renewals({
      kept: (key) => this.#cache.peek(key),
      make: (renewable) => this.#renew(renewable),
      wallNow
    })
  }

  /**
   * The response to a request, from the cache or computed. `caller` holds the entitlements that the response varies by.
   */
  find(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    request: DataRequest,
    caller: readonly Entitlement[],
    { zone = 'utc', form, isRated = false }: Partial<Pick<AskedAnswer, 'zone' | 'form' | 'isRated'>> = {}
  ): MaybePromise<Served> {
    const { deadline } = request
    const asked = { endpoint, params, caller, zone, form, isRated, deadline }
    const key = keyOf(asked, request)
    const fresh = this.#withinTtl(key, endpoint, request)
    if (fresh !== undefined) {
      this.countHit()
      return fresh
    }
    if (endpoint.loading !== undefined && this.#isOfNow) return this.#whileLoading(key, asked, request)
    return andThen(loadInputs(endpoint, params, request), (loaded) => this.#serve(key, asked, loaded))
  }

  /**
   * The cached response to a request, if all its inputs are fresh enough for the caller. A caller that sends it calls
   * `countHit`.
   */
  cached(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    request: DataRequest,
    caller: readonly Entitlement[]
  ): Served | undefined {
    const key = keyOf({ endpoint, params, caller, zone: 'utc' }, request)
    const fresh = this.#withinTtl(key, endpoint, request) ?? this.#outgoing(key, params, request)
    if (fresh !== undefined) return fresh
    try {
      let known = this.#known.get(params)
      if (known === undefined || !isCurrent(known.dependencies, endpoint, params, request)) {
        const dependencies = loadIfReady(endpoint, params, request)
        if (dependencies === undefined) return undefined
        known = { dependencies, renewable: this.#note({ key, endpoint, params, caller, request }, dependencies) }
        this.#known.set(params, known)
      }
      const { dependencies, renewable } = known
      // Callers with other entitlements share the recorded inputs, but their responses have cache keys of their own.
      if (renewable?.key === key) this.#renewals.asked(renewable)
      const { chains, version, quality } = dependencies
      const answer = this.#cache.get(this.#slot(key, version))
      if (answer?.version !== version) return undefined
      return { answer, chains, quality: () => quality }
    } catch {
      return undefined // the request is refused; `find` throws the error again
    }
  }

  countHit(): void {
    this.#options.onLookup?.(true)
  }

  renew(chain: ChainHeader): void {
    this.#renewals.begin(chain)
  }

  get bytes(): number {
    return this.#cache.calculatedSize
  }

  get #isOfNow(): boolean {
    return this.#options.retain !== 'every'
  }

  #withinTtl(key: string, { ttl }: Endpoint, { source }: DataRequest): Served | undefined {
    if (ttl === undefined || !this.#isOfNow) return undefined
    const answer = this.#cache.get(key)
    if (answer === undefined || !answer.chains.every((chain) => isWithinTtl(chain, ttl, source.now()))) return undefined
    return this.#asItIs(answer)
  }

  #outgoing(key: string, params: object, request: DataRequest): Served | undefined {
    const answer = this.#renewals.outgoing(key, request)
    if (answer === undefined) return undefined
    const known = this.#known.get(params)?.dependencies
    if (known?.version === answer.version && known.quality !== undefined) this.#qualities.set(answer, known.quality)
    return this.#asItIs(answer)
  }

  /** A cached response that is sent without checking its inputs. */
  #asItIs(answer: CachedAnswer): Served {
    return { answer, chains: answer.chains, quality: () => this.#qualities.get(answer) }
  }

  #note(asked: RenewalRequest, { reads }: Dependencies): Renewable | undefined {
    return this.#isOfNow && asked.endpoint.ttl === undefined ? this.#renewals.note(asked, reads) : undefined
  }

  /**
   * The response of an endpoint that never lets callers wait for the first load: while its symbol is being loaded the
   * request is refused with `loading`. A symbol outside the catalogue is waited for, to tell it from an unknown one.
   */
  async #whileLoading(key: string, asked: AskedAnswer, request: DataRequest): Promise<Served> {
    const { endpoint, params } = asked
    try {
      const loaded = loadInputs(endpoint, params, request)
      if (loaded instanceof Promise && !this.#cache.has(key) && isListed(endpoint, params, request)) {
        loaded.then((inputs) => this.#serve(key, asked, inputs)).catch(() => {}) // the next request meets the error again
        throw apiError('loading')
      }
      return await this.#serve(key, asked, await loaded)
    } catch (error) {
      throw error instanceof ApiError && error.code === endpoint.loading ? apiError('loading', error.message) : error
    }
  }

  #serve(key: string, asked: AskedAnswer, loaded: LoadedInputs): MaybePromise<Served> {
    const { chains } = loaded
    const made = this.#made(key, asked, loaded)
    const hit = !(made instanceof Promise)
    this.#options.onLookup?.(hit)
    if (hit) return { answer: made, chains, quality: () => this.#qualityOf(made, loaded.quality()) }
    // Started together with the response, while its chain is still the current one.
    const quality = asked.isRated ? loaded.quality() : undefined
    return made.then((answer) => ({ answer, chains, quality: () => this.#qualityOf(answer, quality) }))
  }

  /** The response computed from these inputs: from the cache, from a running computation, or a new one. */
  #made(key: string, asked: AskedAnswer, loaded: LoadedInputs): MaybePromise<CachedAnswer> {
    const { inputs, version } = loaded
    const kept = this.#cache.get(this.#slot(key, version))
    if (kept?.version === version) return kept
    const moment = `${key} ${version}`
    let running = this.#running.get(moment)
    if (running === undefined) {
      const { endpoint, params, caller, form, zone, deadline } = asked
      const task = { endpoint: endpoint.id, params, caller, form, zone, inputs, body: undefined }
      running = this.#options.engine
        .run('answerEndpoint', task, deadline)
        .then((bytes) => this.#keep(key, bytes, asked, loaded))
        .finally(() => this.#running.delete(moment))
      this.#running.set(moment, running)
    }
    return running
  }

  /**
   * Recomputes a response from current inputs and assesses its chain. If inputs are not ready, the next request does
   * it.
   */
  async #renew({ key, endpoint, params, caller, request }: RenewalRequest): Promise<void> {
    const loaded = loadInputs(endpoint, params, request)
    if (loaded instanceof Promise) {
      loaded.catch(() => {}) // the next request meets the error again
      return
    }
    const quality = loaded.quality()
    const answer = await this.#made(key, { endpoint, params, caller, zone: 'utc', form: undefined }, loaded)
    await this.#qualityOf(answer, quality)
  }

  #qualityOf(
    answer: CachedAnswer,
    quality: MaybePromise<ChainAssessment | undefined>
  ): MaybePromise<ChainAssessment | undefined> {
    return andThen(quality, (found) => {
      if (found !== undefined) this.#qualities.set(answer, found)
      return found
    })
  }

  #slot(key: string, version: string): string {
    return this.#options.retain === 'every' ? `${key} ${version}` : key
  }

  #keep(
    key: string,
    bytes: Uint8Array,
    { endpoint, form }: AnswerKey,
    { version, chains, flowSource }: LoadedInputs
  ): CachedAnswer {
    const body = asBuffer(bytes)
    const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
    const hasForms = endpoint.forms.length > 0 && endpoint.formWanted === undefined
    const made = { version, body, etag, form, hasForms, chains: chains.map(headerOf), flowSource }
    const answer: CachedAnswer = { ...made, compressed: {} }
    this.#cache.set(this.#slot(key, version), answer)
    return answer
  }
}

function isListed(endpoint: Endpoint, params: object, { source }: DataRequest): boolean {
  const { tickers } = source.catalogue()
  return endpoint.symbols(params as never).every((symbol) => tickers.includes(symbol))
}

/**
 * Size of a cache entry, bytes. At most two compressed forms are added later; they take up to four fifths of the body
 * together. A small body is also cached as text once it was sent.
 */
function sizeCalculation({ body }: CachedAnswer, key: string): number {
  const compressed = body.length < MIN_COMPRESSED ? 0 : 0.8 * body.length
  const text = (body.length <= MAX_TEXT_BODY ? body.length : 0) + Math.min(compressed, 2 * MAX_TEXT_BODY)
  return Math.ceil(body.length + compressed + text) + key.length + ENTRY_OVERHEAD
}

/** Returns the bytes as a Buffer on the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const names = new WeakMap<object, string>()

/**
 * Cache key of a response. Parameters are written as text once while their object lives. `keyless` is part of the key,
 * since a request without an API key may see another session.
 */
function keyOf({ endpoint, params, caller, zone, form }: AnswerKey, { keyless }: DataRequest): string {
  let name = names.get(params)
  if (name === undefined) names.set(params, (name = `${endpoint.id} ${JSON.stringify(params)}`))
  if (caller.length > 0) name += ` ${caller.join()}`
  if (keyless) name += ' keyless'
  if (form !== undefined) name += ` ${form}`
  return zone === 'utc' ? name : `${name} ${zone}`
}
