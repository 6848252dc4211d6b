import type { Static, TSchema } from 'typebox'
import { MAX_BARS } from '../market/bar.ts'
import { MAX_RECORDS } from '../market/daily-record.ts'
import type { FigureRequest } from '../market/figure-row.ts'
import type { StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { Reshape } from './compatible-shape.ts'
import type { Deprecation } from './deprecation.ts'
import type { ErrorCode } from './error.ts'
import { type InputName, type Inputs, inputNamed } from './inputs/inputs.ts'
import type { PricesRequest } from './inputs/past-prices.ts'
import type { ParameterContext, Parameters, ValuesOf } from './params.ts'
import type { Entitlement, PlanId } from './plan.ts'
import type { Loose } from './quantity.ts'
import type { Zone } from './serializer.ts'

/** Entitlements of the caller that may change a response: only those that the endpoint lists in `varies`. */
export type Caller = ReadonlySet<Entitlement>

/** A request with certain parameters needs this entitlement, or at least this plan. */
export type Gate = Entitlement | { readonly plan: PlanId }

/**
 * The earlier moment of a comparison: the close of the previous session, the first snapshot of this session, or the
 * newest snapshot recorded by a given time.
 */
export type Since = 'prior_close' | 'open' | Instant

/** Declaration that an endpoint's author writes. The service treats all endpoints alike, in loops over their list. */
export interface Declaration<
  Needs extends readonly InputName[],
  Params extends Parameters,
  Body,
  Response extends TSchema
> {
  /**
   * Id of the endpoint. Its stream metrics begin with it: the id, a dot and the field, such as exposure.gex.net_gex.
   */
  readonly id: string
  readonly path: string
  readonly aliases?: readonly string[]
  readonly tag: string
  /** Tool for assistants that offers the endpoint, if it is not that of the tag. */
  readonly tool?: string
  readonly summary: string
  /**
   * One to three sentences for the documentation: when to ask for the answer, and what its figures tell. The inputs and
   * units are added to it automatically.
   */
  readonly description?: string
  /** Present while the endpoint is about to be removed; see docs/versioning.md. */
  readonly deprecated?: Deprecation
  /**
   * Lowest plan that may use the endpoint. The plan is checked before the quota is counted. A public endpoint needs no
   * key, and requests without a key use no quota; `keys` says whether requests with a key are counted.
   */
  readonly plan: PlanId | 'public'
  readonly keys?: 'ignored' | 'counted'
  /** Places from which a key is taken: the header alone if addresses of the endpoint must not open an account. */
  readonly keyPlace?: 'header' | 'header or query'
  /**
   * Entitlements or higher plans that a request needs in addition to the plan if it sends certain parameters. Checked
   * after the parameters are parsed.
   */
  readonly gates?: readonly ((params: ValuesOf<Params>, context: ParameterContext) => Gate | undefined)[]
  /** Puts parameters that say one thing together into a canonical form, right after they are read. */
  readonly combine?: (params: ValuesOf<Params>, context: ParameterContext) => ValuesOf<Params>
  /**
   * Replaces parameters that are relative to the data by what they mean in it, so that requests with the same meaning
   * share a cached response. Returns the same object if they are not. A response must not change by it.
   */
  readonly settle?: (params: ValuesOf<Params>, inputs: Pick<Inputs, Needs[number]>) => ValuesOf<Params>
  /** Throws if the parameters of a request contradict each other. */
  readonly check?: (params: ValuesOf<Params>) => void
  /** Symbols that a request is about; by default the one in the path. */
  readonly symbols?: (params: ValuesOf<Params>) => readonly Ticker[]
  readonly needs: Needs
  /**
   * The past session whose close the response describes; undefined for the current session. For a past session, the
   * chain is the one at its close, and bars, records and levels end with it. `keyless` is true for a request without a
   * key, which only public endpoints allow.
   */
  readonly session?: (
    params: ValuesOf<Params>,
    asked: { readonly now: Instant; readonly keyless: boolean }
  ) => IsoDate | undefined
  /** Number of newest daily bars that the answer function reads; only these are sent to a worker. */
  readonly barsRead?: (params: ValuesOf<Params>) => number
  /**
   * Number of newest daily records that the answer function reads. A few are cached; a year of them takes seconds to
   * compute.
   */
  readonly recordsRead?: (params: ValuesOf<Params>) => number
  /**
   * Number of past minutes of option or stock prints that the answer function reads, not counting the current minute.
   */
  readonly minutesRead?: (params: ValuesOf<Params>) => number
  /**
   * Whether a request with these parameters needs the positions that are estimated from the session's prints. Undefined
   * if all requests of the endpoint are alike.
   */
  readonly positionsRead?: (params: ValuesOf<Params>) => boolean
  /**
   * Figure by strike over a session that a request needs; undefined if it needs none. `asOf` is the time of the chain
   * behind the response.
   */
  readonly strikesRead?: (params: ValuesOf<Params>, asOf: Instant) => Omit<StrikeRequest, 'symbol'> | undefined
  readonly sinceRead?: (params: ValuesOf<Params>) => Since
  /** Another symbol whose chain the request needs; undefined if it needs none. */
  readonly secondSymbolRead?: (params: ValuesOf<Params>) => Ticker | undefined
  /**
   * Recorded figures over time that a request needs. `asOf` is the time of the chain behind the response, `now` the
   * market's current time.
   */
  readonly figuresRead?: (
    params: ValuesOf<Params>,
    present: { readonly asOf: Instant; readonly now: Instant }
  ) => Omit<FigureRequest, 'symbol'>
  /**
   * Prices over time that a request needs. `asOf` is the moment that the response describes, `now` the market's current
   * time.
   */
  readonly pricesRead?: (
    params: ValuesOf<Params>,
    present: { readonly asOf: Instant; readonly now: Instant }
  ) => PricesRequest
  /**
   * A response may be reused for this many milliseconds of market time although newer data exists. For slow responses
   * that change little. Without it, a response is reused until its inputs change.
   */
  readonly ttl?: number
  /**
   * Error code that means "not loaded yet" on the live market. A request that meets it gets a 503 `loading` at once,
   * and the service begins to load the data. The same happens for a known symbol without a chain.
   */
  readonly loading?: ErrorCode
  /** Error code if the data source does not respond; default source_unavailable. */
  readonly sourceFault?: ErrorCode
  /**
   * Error codes for a symbol without a chain or quote: the first if the symbol is unknown, the second if it has no
   * listed options.
   */
  readonly absent?: readonly [unknown: ErrorCode, unlisted: ErrorCode]
  readonly params: Params
  /**
   * Request body of a POST endpoint: its documented schema, and `read`, which turns parsed JSON into the body or
   * throws. If `optional`, an empty body is read as {}. `code` is the error code for invalid JSON; default
   * invalid_body.
   */
  readonly body?: {
    readonly schema: TSchema
    readonly example: unknown
    readonly read: (json: unknown) => Body
    readonly optional?: true
    readonly code?: ErrorCode
  }
  readonly chainsRead?: (body: Body) => boolean
  readonly response: Response
  /** The shape that existing clients of historical answers read, where it differs; see `shape` of the replay host. */
  readonly compatible?: Reshape
  /** Response formats other than JSON. */
  readonly forms?: readonly Form[]
  /** Media type that the parameters ask for; undefined for JSON. Without this function the Accept header decides. */
  readonly formWanted?: (params: ValuesOf<Params>) => string | undefined
  /** Entitlements that change the response. Callers with different ones among them get separately cached responses. */
  readonly varies?: readonly Entitlement[]
  readonly replay: boolean
  readonly stream: boolean
  /**
   * Top-level block of the response whose fields the stream also offers under short names, without the name of the
   * block.
   */
  readonly mainBlock?: string
  readonly errors?: readonly ErrorCode[]
  readonly answer: (
    inputs: Pick<Inputs, Needs[number]>,
    params: ValuesOf<Params>,
    more: { readonly body: Body; readonly caller: Caller }
  ) => Loose<Static<Response>>
}

/** An endpoint of any type, for loops over all endpoints. */
export interface Endpoint {
  readonly id: string
  readonly path: string
  readonly aliases: readonly string[]
  readonly tag: string
  readonly tool: string | undefined
  readonly summary: string
  readonly description: string
  readonly deprecated: Deprecation | undefined
  readonly plan: PlanId | 'public'
  readonly keys: 'ignored' | 'counted'
  readonly keyPlace: 'header' | 'header or query'
  readonly gates: readonly ((params: never, context: ParameterContext) => Gate | undefined)[]
  readonly combine: (params: never, context: ParameterContext) => unknown
  readonly settle: ((params: never, inputs: never) => unknown) | undefined
  readonly check: (params: never) => void
  readonly symbols: (params: never) => readonly Ticker[]
  readonly needs: readonly InputName[]
  readonly session: (params: never, asked: { readonly now: Instant; readonly keyless: boolean }) => IsoDate | undefined
  readonly barsRead: (params: never) => number
  readonly recordsRead: (params: never) => number
  readonly minutesRead: (params: never) => number
  readonly figuresRead:
    | ((params: never, present: { readonly asOf: Instant; readonly now: Instant }) => Omit<FigureRequest, 'symbol'>)
    | undefined
  readonly pricesRead:
    | ((params: never, present: { readonly asOf: Instant; readonly now: Instant }) => PricesRequest)
    | undefined
  readonly positionsRead: (params: never) => boolean
  readonly strikesRead: (params: never, asOf: Instant) => Omit<StrikeRequest, 'symbol'> | undefined
  readonly secondSymbolRead: (params: never) => Ticker | undefined
  readonly sinceRead: (params: never) => Since
  readonly ttl: number | undefined
  readonly loading: ErrorCode | undefined
  readonly sourceFault: ErrorCode
  readonly absent: readonly [unknown: ErrorCode, unlisted: ErrorCode]
  readonly params: Parameters
  readonly body:
    | {
        readonly schema: TSchema
        readonly example: unknown
        readonly read: (json: unknown) => unknown
        readonly optional?: true
        readonly code?: ErrorCode
      }
    | undefined
  readonly chainsRead: (body: never) => boolean
  readonly response: TSchema
  readonly compatible: Reshape | undefined
  readonly forms: readonly Form[]
  readonly formWanted: ((params: never) => string | undefined) | undefined
  readonly varies: readonly Entitlement[]
  readonly replay: boolean
  readonly stream: boolean
  readonly mainBlock: string | undefined
  readonly errors: readonly ErrorCode[]
  readonly answer: (inputs: never, params: never, more: never) => unknown
}

/**
 * Declares an endpoint. The compiler checks three things: `answer` uses only inputs in `needs`, only declared
 * parameters, and returns the declared response.
 */
export function endpoint<
  const Needs extends readonly InputName[],
  Params extends Parameters,
  Response extends TSchema,
  Body = undefined
>(declaration: Declaration<Needs, Params, Body, Response>): Endpoint {
  return {
    aliases: [],
    tool: undefined,
    description: '',
    deprecated: undefined,
    keys: 'ignored',
    keyPlace: 'header or query',
    gates: [],
    combine: (params: unknown) => params,
    settle: undefined,
    check: () => {},
    symbols: ({ symbol }: { symbol?: Ticker }) => (symbol === undefined ? [] : [symbol]),
    session: () => undefined,
    barsRead: () => MAX_BARS,
    recordsRead: () => MAX_RECORDS,
    minutesRead: () => 0,
    figuresRead: undefined,
    pricesRead: undefined,
    positionsRead: () => true,
    strikesRead: () => undefined,
    secondSymbolRead: () => undefined,
    sinceRead: () => 'prior_close',
    ttl: undefined,
    loading: undefined,
    sourceFault: 'source_unavailable',
    absent: ['symbol_not_found', 'no_data'],
    body: undefined,
    chainsRead: () => false,
    compatible: undefined,
    forms: [],
    formWanted: undefined,
    varies: [],
    mainBlock: undefined,
    errors: [],
    ...declaration
  } as unknown as Endpoint
}

/**
 * Whether responses may be cached until an input changes: they depend only on market data and parameters, and not on a
 * request body.
 */
export function isKept({ needs, body }: Endpoint): boolean {
  return body === undefined && needs.every((name) => inputNamed(name).kind === 'market')
}

/** Whether the response is computed on the main thread, because sending its inputs to a worker would cost more. */
export function isAnsweredInPlace({ needs }: Endpoint): boolean {
  return needs.some((name) => inputNamed(name).inPlace === true)
}

/** A response format other than JSON, requested by the Accept header or a parameter. */
export interface Form {
  /** Media type such as text/csv: lower case, without parameters. */
  readonly type: string
  /** Writes the object returned by `answer` as bytes of this format, with times on the clock of `zone`. */
  readonly write: (answer: never, zone: Zone, params: never) => Uint8Array
}
