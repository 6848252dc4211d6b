import type { FlowSource, ViewName } from '../../flow/tape-views.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { TapeKind } from '../../market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../error.ts'
import type { DataRequest } from '../market-source.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { AccountView } from './account.ts'

/** What a request asks, as far as an input needs to know it to be found. */
export interface InputContext {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, unknown>>
  /** The symbols the request is about; most are about the first alone. */
  readonly symbols: readonly Ticker[]
  readonly request: DataRequest
  /** The past session that the answer describes; undefined for the present one. */
  readonly session: IsoDate | undefined
  /** Facts of the service and of this request, which only inputs outside the market read. */
  readonly facts: ServiceFacts | undefined
}

/** The same once the chains that the request is about are there. */
export interface SubjectContext extends InputContext {
  /** The chain of the symbol. Undefined: none was asked for, or nothing is known of the symbol. */
  readonly chain: PricedChain | undefined
  /** What is known of the symbol beside its options, which may be all that was asked for. Undefined as above. */
  readonly underlying: ChainHeader | undefined
  /** Whether one of the two was asked for: without one nobody looked whether the symbol is known. */
  readonly hasSubject: boolean
  /** The chains of a basket. */
  readonly chains: ReadonlyMap<Ticker, PricedChain>
  /** The New York date that the answer describes. */
  readonly day: IsoDate
}

export interface ServiceFacts {
  /** The wall-clock moment of the request. */
  readonly now: Instant
  readonly account: AccountView | undefined
  /** What was sent, as the endpoint reads it. */
  readonly body?: unknown
}

/** A view of the tape of a symbol that is yet to be named. */
export interface TapeView {
  readonly kind: TapeKind
  readonly view: ViewName
}

/**
 * Something an endpoint may need: declared once, in a file of its own and a line of the table. Loading it, telling it from
 * what was there before, looking again whether it still holds, handing it to a worker, what the stream recomputes and
 * which errors are documented are loops over the table. `Found` is what is looked up, `Value` what an answer sees of it.
 */
export interface Input<Value, Found = Value> {
  /**
   * `market`: it follows from the market and the parameters, so an answer made of such inputs alone is kept until one of
   * them has another version. `service`: a fact of the service at the moment of the request, and never kept.
   */
  readonly kind: 'market' | 'service'
  /** Whether answers that show it are made on the serving thread: it costs more to send than to answer from. */
  readonly inPlace?: true
  /** Whether it changes with the quotes by itself; any other changes once a day. */
  readonly moves: boolean
  /** Whether it is what the request is about: such inputs are found first, and the others beside them. */
  readonly subject?: 'chain' | 'underlying' | 'basket'
  readonly find: (context: SubjectContext) => MaybePromise<Found>
  /** The view of the symbol's tape that `find` reads: at a past moment it is made beside the chain, which it does not need. */
  readonly reads?: TapeView
  /** What an answer sees of it; the same thing where this is left out. */
  readonly value?: (found: Found) => Value
  /** Tells it from any other: the same version means the same answer. */
  readonly version: (found: Found) => string | number
  /** The chains that say how old an answer is. A prior close is as old as it should be, so it is none of them. */
  readonly dates?: (found: Found, context: SubjectContext) => readonly ChainHeader[]
  /** Where the prints behind it come from, for the answer's header. Only inputs made of prints say so. */
  readonly flowSource?: (found: Found) => FlowSource
  /** Whether an answer does without it where the symbol has a tape. */
  readonly isTapeEnough?: true
  /** Throws the error of the endpoint for a symbol without it. */
  readonly refuse?: (found: Found, context: SubjectContext) => MaybePromise<void>
  /** What `refuse` throws, and what else a request for it may meet, for the documentation. */
  readonly errors?: (endpoint: Endpoint) => readonly ErrorCode[]
  /** The symbol whose worker answers. */
  readonly symbol?: (value: Value) => Ticker | undefined
  /** Puts references in the place of chains, and chains back, on the way to a worker; the rest crosses as it is. */
  readonly pack?: (value: Value, refOf: (chain: PricedChain) => unknown) => unknown
  readonly unpack?: (packed: unknown, chainOf: (ref: unknown) => PricedChain) => Value
}

/** How a chain that may be missing crosses to a worker. */
export const crossesAsChain = {
  pack: (chain: PricedChain | undefined, refOf: (chain: PricedChain) => unknown) => chain && refOf(chain),
  unpack: (packed: unknown, chainOf: (ref: unknown) => PricedChain) =>
    (packed === undefined ? undefined : chainOf(packed)) as never
}
