import type { FlowSource } from '../../flow/tape-views.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import type { Endpoint } from '../endpoint.ts'
import { ApiError, apiError } from '../error.ts'
import type { DataRequest } from '../market-source.ts'
import { allInOrder, allResolved, andThen, failingAs, type MaybePromise, orUndefined } from '../maybe-promise.ts'
import type { InputContext, ServiceFacts, SubjectContext } from './input.ts'
import { type InputName, type Inputs, inputNamed } from './inputs.ts'

export interface LoadedInputs {
  readonly inputs: Partial<Inputs>
  readonly chains: readonly ChainHeader[]
  /** Version of all inputs: equal versions mean equal responses. */
  readonly version: string
  /** Origin of the prints behind the response; undefined if it uses none. */
  readonly flowSource: FlowSource | undefined
  /**
   * Quality of the chain behind the response, looked up when the response is sent. Undefined if there is no single live
   * chain.
   */
  readonly quality: () => MaybePromise<ChainAssessment | undefined>
}

type Params = Readonly<Record<string, unknown>>
type Found = Readonly<Record<InputName, unknown>>

/** Finds all inputs of an endpoint, or throws its declared error for a symbol that lacks one. */
export function loadInputs(
  endpoint: Endpoint,
  params: Params,
  request: DataRequest,
  facts?: ServiceFacts
): MaybePromise<LoadedInputs> {
  return failingAs(
    (error) => asDeclared(error, endpoint),
    () => findInputs(endpoint, params, request, facts)
  )
}

/** Converts a failure of the source to the endpoint's own error code. */
function asDeclared(error: unknown, { sourceFault }: Endpoint): unknown {
  if (!(error instanceof ApiError) || error.code !== 'source_unavailable' || sourceFault === error.code) return error
  return apiError(sourceFault, `temporarily unavailable: ${error.message}`, error.detail, error.retryAfter)
}

function findInputs(
  endpoint: Endpoint,
  params: Params,
  request: DataRequest,
  facts: ServiceFacts | undefined
): MaybePromise<LoadedInputs> {
  const symbols = endpoint.symbols(params as never)
  const session = sessionOf(endpoint, params, request)
  const isSubject = (name: InputName) => inputNamed(name).subject !== undefined
  return andThen(withSubjects({ endpoint, params, symbols, request, session, facts }), (context) =>
    andThen(findAll(endpoint.needs.filter(isSubject), context), (subjects) =>
      andThen(
        findAll(
          endpoint.needs.filter((name) => !isSubject(name)),
          context
        ),
        (others) => loaded({ ...subjects, ...others }, context)
      )
    )
  )
}

/** Finds the named inputs in parallel, or throws the error of the first that is missing. */
function findAll(names: readonly InputName[], context: SubjectContext): MaybePromise<Found> {
  const finding = Object.fromEntries(names.map((name) => [name, inputNamed(name).find(context)]))
  return andThen(allResolved<Found>(finding as Found), (found) => {
    const checks = names.map((name) => inputNamed(name).refuse?.(found[name], context))
    return andThen(allInOrder(checks), () => found)
  })
}

/** Converts what was found to what the endpoint's `answer` receives. */
function loaded(found: Found, context: SubjectContext): LoadedInputs {
  const values: [InputName, unknown][] = []
  const chains: ChainHeader[] = []
  let version = ''
  let flowSource: FlowSource | undefined
  for (const name of context.endpoint.needs) {
    const { value, dates, version: versionOfInput, flowSource: sourceOf } = inputNamed(name)
    values.push([name, value === undefined ? found[name] : value(found[name])])
    chains.push(...(dates?.(found[name], context) ?? []))
    version += `${versionOfInput(found[name])},`
    flowSource ??= sourceOf?.(found[name])
  }
  return { inputs: Object.fromEntries(values), chains, version, flowSource, quality: () => qualityOf(context) }
}

function qualityOf({ chain, session, request: { source } }: SubjectContext): MaybePromise<ChainAssessment | undefined> {
  return chain === undefined || session !== undefined ? undefined : orUndefined(() => source.quality(chain.symbol))
}

/** Past session whose close a request describes; undefined for the current one. */
export function sessionOf(
  { session }: Endpoint,
  params: Params,
  { source, keyless }: DataRequest
): IsoDate | undefined {
  return session(params as never, { now: source.now(), keyless })
}

const noChains: ReadonlyMap<Ticker, PricedChain> = new Map()

/** Finds the chain or chains of the request first, since other inputs depend on their time. */
function withSubjects(context: InputContext): MaybePromise<SubjectContext> {
  const { endpoint, session, request } = context
  const subjects = new Set(endpoint.needs.map((name) => inputNamed(name).subject))
  const dayOf = (chain: ChainHeader | undefined) => session ?? easternDate(chain?.asOf ?? request.source.now())
  const nothing = { ...context, chain: undefined, underlying: undefined, hasSubject: false, chains: noChains }
  const about = (underlying: ChainHeader | undefined, chain?: PricedChain) => {
    return { ...nothing, underlying, chain, hasSubject: true, day: dayOf(underlying) }
  }
  if (subjects.has('chain')) return andThen(chainOf(context), (chain) => about(chain, chain))
  if (subjects.has('underlying')) {
    const { source, maxAge } = request
    return andThen(source.underlying(context.symbols[0], maxAge, request), (underlying) => about(underlying))
  }
  const subject = { ...nothing, day: dayOf(undefined) }
  return subjects.has('basket') ? andThen(basketOf(context), (chains) => ({ ...subject, chains })) : subject
}

/** Chain of the request: the latest one, or the closing chain of its session. */
function chainOf({ symbols: [symbol], request, session }: InputContext): MaybePromise<PricedChain | undefined> {
  const { source, maxAge, keyless } = request
  if (session === undefined) return source.chain(symbol, maxAge, request)
  return andThen(source.closing(symbol, session), (closing) => {
    if (closing !== undefined) return closing
    const refusal = () => apiError('no_snapshot', `there is no stored snapshot of ${symbol} on ${session}`)
    // Requests without a key must not make the source load new symbols.
    if (keyless) throw refusal()
    return andThen(source.chain(symbol, maxAge, request), (known) => {
      if (known === undefined) return undefined
      throw refusal()
    })
  })
}

/** Chains of a basket in the order of the request, without unknown symbols and empty chains. */
function basketOf({ symbols, request }: InputContext): MaybePromise<ReadonlyMap<Ticker, PricedChain>> {
  const { source, maxAge } = request
  const found = allInOrder(symbols.map((symbol) => source.chain(symbol, maxAge, request)))
  return andThen(found, (chains) => {
    const listed = chains.flatMap((chain, k): [Ticker, PricedChain][] =>
      chain === undefined || chain.size === 0 ? [] : [[symbols[k], chain]]
    )
    return new Map(listed)
  })
}
