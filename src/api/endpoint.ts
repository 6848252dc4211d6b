import type { Static, TSchema } from 'typebox'
import { MAX_BARS } from '../market/bar.ts'
import { MAX_RECORDS } from '../market/daily-record.ts'
import type { FigureRequest } from '../market/figure-row.ts'
import type { StrikeRequest } from '../market/strike-sums.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { ErrorCode } from './error.ts'
import { type InputName, type Inputs, inputNamed } from './inputs/inputs.ts'
import type { Parameters, Reading, ValuesOf } from './params.ts'
import type { Entitlement, PlanId } from './plan.ts'
import type { Loose } from './quantity.ts'
import type { Zone } from './serializer.ts'

/** What of the caller may show in an answer: the entitlements that the declaration names in `varies`, nothing else. */
export type Caller = ReadonlySet<Entitlement>

/** An earlier moment: the close of the session before, the first snapshot of the session, or the newest by an instant. */
export type Since = 'prior_close' | 'open' | Instant

/** An endpoint as its author declares it. Everything the service does with it is a loop over the list of them. */
export interface Declaration<
  Needs extends readonly InputName[],
  Params extends Parameters,
  Body,
  Response extends TSchema
> {
  /** Names the metrics of its fields: the id, a dot and the field, e.g. exposure.gex.net_gex. */
  readonly id: string
  readonly path: string
  readonly aliases?: readonly string[]
  readonly tag: string
  readonly summary: string
  /**
   * The least plan, checked before the quota is touched. A public endpoint answers without a key and uses no quota then;
   * `keys` says what a key changes: nothing at all, or a key makes it a request of its account like any other.
   */
  readonly plan: PlanId | 'public'
  readonly keys?: 'ignored' | 'counted'
  /** What certain parameters ask for on top of the plan, checked once they are read. */
  readonly gates?: readonly ((params: ValuesOf<Params>, reading: Reading) => Entitlement | undefined)[]
  /** Refuses parameters that contradict each other, by throwing. */
  readonly check?: (params: ValuesOf<Params>) => void
  /** The symbols a request is about, where it is not the one in the path. */
  readonly symbols?: (params: ValuesOf<Params>) => readonly Ticker[]
  readonly needs: Needs
  /**
   * The past session whose close the answer describes, where it is not the present one: the chain is then the closing one
   * of that session, and bars, records and levels end with it. `keyless`: the request came without a key, which only a
   * public endpoint sees.
   */
  readonly session?: (
    params: ValuesOf<Params>,
    asked: { readonly now: Instant; readonly keyless: boolean }
  ) => IsoDate | undefined
  /** How many of the newest daily bars the answer reads, where it needs any: no more than that travel to a worker. */
  readonly barsRead?: (params: ValuesOf<Params>) => number
  /** The same of daily records: a few are there at once, a year of them takes a source seconds to make. */
  readonly recordsRead?: (params: ValuesOf<Params>) => number
  /** How many minutes before that of now the answer reaches back on tapes, where it reads a window of them. */
  readonly minutesRead?: (params: ValuesOf<Params>) => number
  /** Whether the answer reads what the tape of the session shows, where only some requests ask for it. */
  readonly positionsRead?: (params: ValuesOf<Params>) => boolean
  /** Which figure by strike over a session the answer reads, of a chain of the moment `asOf`; undefined: none. */
  readonly strikesRead?: (params: ValuesOf<Params>, asOf: Instant) => Omit<StrikeRequest, 'symbol'> | undefined
  /** The earlier moment whose chain the answer is compared with, where it needs one. */
  readonly sinceRead?: (params: ValuesOf<Params>) => Since
  /** The other symbol whose chain the answer reads beside its own; undefined: none. */
  readonly besideRead?: (params: ValuesOf<Params>) => Ticker | undefined
  /**
   * Which figures over time the answer reads, where it reads any: of a chain of the moment `asOf`, in a market that stands
   * at `now`.
   */
  readonly figuresRead?: (
    params: ValuesOf<Params>,
    present: { readonly asOf: Instant; readonly now: Instant }
  ) => Omit<FigureRequest, 'symbol'>
  /**
   * Milliseconds that an answer is kept while the market is open, though newer data is held: for what takes long to make
   * and changes slowly. Without it an answer is kept until the data it was made from changes.
   */
  readonly ttl?: number
  /**
   * The refusal that, live, only means "not yet": it is answered 503 `loading` there, and so is a symbol of the catalogue
   * whose chain is not held, instead of letting the caller wait. DataRequest is what begins the load.
   */
  readonly loading?: ErrorCode
  /** What a source that does not answer is called here, where it is not source_unavailable. */
  readonly sourceFault?: ErrorCode
  /** The error for a symbol without the chain or quote that `needs` names: [nothing known of it, no options listed]. */
  readonly absent?: readonly [unknown: ErrorCode, unlisted: ErrorCode]
  readonly params: Params
  /**
   * Present on POST endpoints: the documented shape, and the reader that turns parsed JSON into the body or throws.
   * `optional`: an empty body reads as {}; `code` is the error for what is no JSON, where it is not invalid_body.
   */
  readonly body?: {
    readonly schema: TSchema
    readonly example: unknown
    readonly read: (json: unknown) => Body
    readonly optional?: true
    readonly code?: ErrorCode
  }
  /** Whether a screen reads the chains of the symbols it looks at, beside their rows. */
  readonly chainsRead?: (body: Body) => boolean
  readonly response: Response
  /** What the answer can be had as beside JSON. */
  readonly forms?: readonly Form[]
  /** The media type that parameters ask for, undefined for JSON. Without it the Accept header of a request says it. */
  readonly formWanted?: (params: ValuesOf<Params>) => string | undefined
  /** Entitlements that change the answer, so that answers are kept apart by them. */
  readonly varies?: readonly Entitlement[]
  readonly replay: boolean
  readonly stream: boolean
  /** The block at the top of the answer whose fields the stream also knows by their bare names. */
  readonly mainBlock?: string
  /** Errors this endpoint's answer may throw, for the documentation. */
  readonly errors?: readonly ErrorCode[]
  readonly answer: (
    inputs: Pick<Inputs, Needs[number]>,
    params: ValuesOf<Params>,
    more: { readonly body: Body; readonly caller: Caller }
  ) => Loose<Static<Response>>
}

/** Any endpoint, as the loops over the list see it. */
export interface Endpoint {
  readonly id: string
  readonly path: string
  readonly aliases: readonly string[]
  readonly tag: string
  readonly summary: string
  readonly plan: PlanId | 'public'
  readonly keys: 'ignored' | 'counted'
  readonly gates: readonly ((params: never, reading: Reading) => Entitlement | undefined)[]
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
  readonly positionsRead: (params: never) => boolean
  readonly strikesRead: (params: never, asOf: Instant) => Omit<StrikeRequest, 'symbol'> | undefined
  readonly besideRead: (params: never) => Ticker | undefined
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
 * Declares an endpoint. The compiler holds its ends together: `answer` sees only the inputs named in `needs`, gets the
 * parameters as read, and must return the declared response.
 */
export function endpoint<
  const Needs extends readonly InputName[],
  Params extends Parameters,
  Response extends TSchema,
  Body = undefined
>(declaration: Declaration<Needs, Params, Body, Response>): Endpoint {
  return {
    aliases: [],
    keys: 'ignored',
    gates: [],
    check: () => {},
    symbols: ({ symbol }: { symbol?: Ticker }) => (symbol === undefined ? [] : [symbol]),
    session: () => undefined,
    barsRead: () => MAX_BARS,
    recordsRead: () => MAX_RECORDS,
    minutesRead: () => 0,
    figuresRead: undefined,
    positionsRead: () => true,
    strikesRead: () => undefined,
    besideRead: () => undefined,
    sinceRead: () => 'prior_close',
    ttl: undefined,
    loading: undefined,
    sourceFault: 'source_unavailable',
    absent: ['symbol_not_found', 'no_data'],
    body: undefined,
    chainsRead: () => false,
    forms: [],
    formWanted: undefined,
    varies: [],
    mainBlock: undefined,
    errors: [],
    ...declaration
  } as unknown as Endpoint
}

/** Whether an answer follows from market inputs and parameters alone, so that it can be kept until one of them changes. */
export function isKept({ needs, body }: Endpoint): boolean {
  return body === undefined && needs.every((name) => inputNamed(name).kind === 'market')
}

/** Whether an answer shows facts of the service that change with every request: cheaper to make than to send to a worker. */
export function isAnsweredInPlace({ needs }: Endpoint): boolean {
  return needs.some((name) => inputNamed(name).inPlace === true)
}

/** A form of an answer other than JSON, which a caller asks for by the Accept header or by a parameter. */
export interface Form {
  /** Its media type, in lower case and without parameters. */
  readonly type: string
  /** What the answer function returned to `params` as bytes of this form, times on the clock of `zone` where they are text. */
  readonly write: (answer: never, zone: Zone, params: never) => Uint8Array
}
