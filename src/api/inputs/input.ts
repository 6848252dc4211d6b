import type { FlowPart, FlowSource, ViewName } from '../../flow/tape-views.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { TapeKind } from '../../market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../error.ts'
import type { Asker, DataRequest } from '../market-source.ts'
import type { AccountView } from './account.ts'
import type { MarketReadings } from './market-reader.ts'

export interface InputContext {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, unknown>>
  readonly symbols: readonly Ticker[]
  readonly request: DataRequest
  /** The readings of the request's market. */
  readonly market: MarketReadings
  /** The caller, for readings that may load a symbol. */
  readonly asker: Asker
  /** Past session that the response describes; undefined for the current one. */
  readonly session: IsoDate | undefined
  /** Facts about the service and the request, for inputs of kind `service`. */
  readonly facts: ServiceFacts | undefined
}

/** A request whose chains have been found. */
export interface SubjectContext extends InputContext {
  /** Chain of the symbol; undefined if the endpoint needs none or the symbol is unknown. */
  readonly chain: PricedChain | undefined
  /** Underlying of the symbol; undefined if the endpoint needs none or the symbol is unknown. */
  readonly underlying: ChainHeader | undefined
  /** Whether the endpoint needs chain or underlying, so that the symbol was looked up. */
  readonly hasSubject: boolean
  /** Chains of a basket, by symbol. */
  readonly chains: ReadonlyMap<Ticker, PricedChain>
  readonly day: IsoDate
}

export interface ServiceFacts {
  readonly now: Instant
  readonly account: AccountView | undefined
  readonly body?: unknown
}

/** A view of a tape, without its symbol. */
export interface TapeView {
  readonly kind: TapeKind
  readonly view: ViewName
}

/**
 * One kind of data an endpoint may need, declared in a file of its own and listed in `inputs`. Loading, caching,
 * sending to workers, the stream and the documented errors are loops over that list. `Found` is the result of the
 * lookup, `Value` what `answer` receives.
 */
export interface Input<Value, Found = Value> {
  /**
   * `market` inputs follow from market and parameters: responses computed from them alone are cached until a version
   * changes. `service` inputs are facts of the moment, and responses with them are never cached.
   */
  readonly kind: 'market' | 'service'
  /**
   * Set if responses with this input are computed on the main thread, because sending it to a worker would cost more.
   */
  readonly inPlace?: true
  /** Whether the input changes with the quotes; otherwise it changes once a day. */
  readonly moves: boolean
  /** Set for the subject of a request. Subjects are found first, other inputs after them. */
  readonly subject?: 'chain' | 'underlying' | 'basket'
  readonly find: (context: SubjectContext) => Found
  /** Tape view read by `find`. At a past moment the view is computed in parallel with the chain. */
  readonly reads?: TapeView
  /** Converts the result of `find` to what `answer` receives; default: unchanged. */
  readonly value?: (found: Found) => Value
  /** Version of the data: equal versions mean equal responses. */
  readonly version: (found: Found) => string | number
  /** Chains that determine the age of the response. A previous close is supposed to be old, so it is not among them. */
  readonly dates?: (found: Found, context: SubjectContext) => readonly ChainHeader[]
  /** Origin of the prints, for a response header; only inputs computed from prints have one. */
  readonly flowSource?: (found: Found) => FlowSource
  /** Part of the session that the prints cover while they are still being read; undefined if they are all there. For a response header. */
  readonly flowPart?: (found: Found) => FlowPart | undefined
  /** Set if the response can do without this input when the symbol has a tape. */
  readonly isTapeEnough?: true
  /** Throws the endpoint's error for a symbol without this data. */
  readonly refuse?: (found: Found, context: SubjectContext) => void
  readonly errors?: (endpoint: Endpoint) => readonly ErrorCode[]
  readonly symbol?: (value: Value) => Ticker | undefined
  /** Replaces chains by references for the transfer to a worker; `unpack` reverses it. Other data is sent unchanged. */
  readonly pack?: (value: Value, refOf: (chain: PricedChain) => unknown) => unknown
  readonly unpack?: (packed: unknown, chainOf: (ref: unknown) => PricedChain) => Value
}

export const crossesAsChain = {
  pack: (chain: PricedChain | undefined, refOf: (chain: PricedChain) => unknown) => chain && refOf(chain),
  unpack: (packed: unknown, chainOf: (ref: unknown) => PricedChain) =>
    (packed === undefined ? undefined : chainOf(packed)) as never
}
