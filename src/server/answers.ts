import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../api/endpoint.ts'
import { type Gathered, gather } from '../api/gather.ts'
import type { Entitlement } from '../api/plan.ts'
import type { MarketSource, Soon } from '../api/source.ts'
import type { Engine } from '../engine/engine.ts'
import type { PricedChain } from '../pricing/price-chain.ts'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** A finished answer: its bytes, made once and sent many times. */
export interface CachedAnswer {
  readonly stamp: string
  readonly body: Buffer
  /** The body as text, where it is short and plain ASCII: Node sends a text together with the headers in one write. */
  readonly text: string | undefined
  readonly etag: string
  /** Compressed forms, made when somebody first accepts them. */
  readonly compressed: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
}

/** An answer about to be sent, and the chains it rests on. */
export interface Served {
  readonly answer: CachedAnswer
  readonly chains: readonly PricedChain[]
}

export interface AnswersOptions {
  readonly source: MarketSource
  readonly engine: Engine
  readonly cacheBytes: number
  readonly onLookup?: (hit: boolean) => void
}

/** Bodies below this gain nothing from compression. */
const worthCompressing = 1024
/** What an entry takes beside its key and its bytes. */
const overhead = 600
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

/**
 * Answers of market endpoints, kept as serialised bytes for as long as every input they read is still the current one.
 * Requests for the same answer at the same moment share one computation.
 */
export class Answers {
  readonly #options: AnswersOptions
  readonly #cache: LRUCache<string, CachedAnswer>
  readonly #underway = new Map<string, Promise<CachedAnswer>>()

  constructor(options: AnswersOptions) {
    this.#options = options
    this.#cache = new LRUCache({ maxSize: options.cacheBytes, sizeCalculation })
  }

  /** The answer to a request, computed or not. `caller` holds the entitlements that the endpoint's answer varies by. */
  find(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    maxAge: number,
    caller: readonly Entitlement[]
  ): Soon<Served> {
    const gathered = gather(endpoint, params, this.#options.source, maxAge)
    if (gathered instanceof Promise) return gathered.then((inputs) => this.#serve(endpoint, params, inputs, caller))
    return this.#serve(endpoint, params, gathered, caller)
  }

  /** The same answer where it is at hand: kept, and every input of it fresh enough for the caller. */
  kept(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    maxAge: number,
    caller: readonly Entitlement[]
  ): Served | undefined {
    try {
      const gathered = gather(endpoint, params, this.#options.source, maxAge)
      if (gathered instanceof Promise) {
        gathered.catch(() => {}) // whoever computes the answer meets the failure again
        return undefined
      }
      const answer = this.#cache.get(keyOf(endpoint, params, caller))
      if (answer?.stamp !== gathered.stamp) return undefined
      this.#options.onLookup?.(true)
      return { answer, chains: gathered.chains }
    } catch {
      return undefined // a refusal, which is not for here to send
    }
  }

  /** The bytes under an encoding, compressed the first time they are asked for. */
  encoded(answer: CachedAnswer, encoding: Encoding): Soon<Buffer> {
    const kept = answer.compressed[encoding]
    if (kept !== undefined) return kept
    const made = compress(answer.body, encoding).then((bytes) => (answer.compressed[encoding] = bytes))
    answer.compressed[encoding] = made
    return made
  }

  get bytes(): number {
    return this.#cache.calculatedSize
  }

  #serve(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    { inputs, chains, stamp }: Gathered,
    caller: readonly Entitlement[]
  ): Soon<Served> {
    const key = keyOf(endpoint, params, caller)
    const kept = this.#cache.get(key)
    const hit = kept?.stamp === stamp
    this.#options.onLookup?.(hit)
    if (hit) return { answer: kept, chains }
    const moment = `${key} ${stamp}`
    let underway = this.#underway.get(moment)
    if (underway === undefined) {
      underway = this.#options.engine
        .answer(endpoint.id, { params, inputs, body: undefined, caller })
        .then((bytes) => this.#keep(key, stamp, bytes))
        .finally(() => this.#underway.delete(moment))
      this.#underway.set(moment, underway)
    }
    return underway.then((answer) => ({ answer, chains }))
  }

  #keep(key: string, stamp: string, bytes: Uint8Array): CachedAnswer {
    const body = asBuffer(bytes)
    const etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
    const answer: CachedAnswer = { stamp, body, text: shortText(body), etag, compressed: {} }
    this.#cache.set(key, answer)
    return answer
  }
}

/** Bytes an entry takes. Compressed forms come later and take half as much again at most: figures compress well. */
function sizeCalculation({ body, text }: CachedAnswer, key: string): number {
  const compressed = body.length < worthCompressing ? 0 : body.length / 2
  return Math.ceil(body.length + (text?.length ?? 0) + compressed) + key.length + overhead
}

/** The same bytes, as Node sends them. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const accepts: Readonly<Record<Encoding, RegExp>> = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$|\s))/i
}

const names = new WeakMap<object, string>()

/** What an answer is kept under. Parameters that are kept themselves are put into words once. */
function keyOf(endpoint: Endpoint, params: object, caller: readonly Entitlement[]): string {
  let name = names.get(params)
  if (name === undefined) names.set(params, (name = `${endpoint.id} ${JSON.stringify(params)}`))
  return caller.length === 0 ? name : `${name} ${caller.join()}`
}

/** The encoding to send a body in, from what the client accepts. Undefined: as it is. */
export function encodingFor(accepted: string | undefined, size: number): Encoding | undefined {
  if (accepted === undefined || size < worthCompressing) return undefined
  return encodings.find((encoding) => accepts[encoding].test(accepted))
}

/** Above this a copy costs more than a second write. */
const longestText = 16_384

function shortText(body: Buffer): string | undefined {
  return body.length <= longestText && isAscii(body) ? body.toString('latin1') : undefined
}

function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(body, { level: 6 })
  return toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}
