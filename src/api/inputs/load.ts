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

/** The inputs of one answer, and what tells them from any others. */
export interface LoadedInputs {
  readonly inputs: Partial<Inputs>
  /** The chains an answer rests on: those that say how old it is. */
  readonly chains: readonly ChainHeader[]
  /** The same version means the same answer. */
  readonly version: string
  /** Where the prints behind the answer come from; undefined of an answer that is not about flow. */
  readonly flowSource: FlowSource | undefined
  /**
   * The quality of the chain that the answer is about, looked up when the answer is sent. Undefined: it is about none, about
   * several, or about the close of a past session.
   */
  readonly quality: () => MaybePromise<ChainAssessment | undefined>
}

type Params = Readonly<Record<string, unknown>>
type Found = Readonly<Record<InputName, unknown>>

/** Finds what an endpoint needs, or throws the error it declares for a symbol without it. */
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

/** A failure of the source by the name that the endpoint has for it. */
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

/** Finds some of the inputs, or throws the error of a symbol without one of them. */
function findAll(names: readonly InputName[], context: SubjectContext): MaybePromise<Found> {
  const finding = Object.fromEntries(names.map((name) => [name, inputNamed(name).find(context)]))
  return andThen(allResolved<Found>(finding as Found), (found) => {
    const checks = names.map((name) => inputNamed(name).refuse?.(found[name], context))
    return andThen(allInOrder(checks), () => found)
  })
}

/** What was found, as the answer sees it. */
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

/** The past session whose close a request is about; undefined for the present one. */
export function sessionOf(
  { session }: Endpoint,
  params: Params,
  { source, keyless }: DataRequest
): IsoDate | undefined {
  return session(params as never, { now: source.now(), keyless })
}

const noChains: ReadonlyMap<Ticker, PricedChain> = new Map()

/** The chain or the chains that a request is about come first: the others depend on their moment. */
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

/** The chain a request is about: the latest, or the closing one of the session it names. */
function chainOf({ symbols: [symbol], request, session }: InputContext): MaybePromise<PricedChain | undefined> {
  const { source, maxAge, keyless } = request
  if (session === undefined) return source.chain(symbol, maxAge, request)
  return andThen(source.closing(symbol, session), (closing) => {
    if (closing !== undefined) return closing
    const refusal = () => apiError('no_snapshot', `there is no stored snapshot of ${symbol} on ${session}`)
    // Without a key there is a snapshot or none: a caller without one makes no source look for further symbols.
    if (keyless) throw refusal()
    return andThen(source.chain(symbol, maxAge, request), (known) => {
      if (known === undefined) return undefined
      throw refusal()
    })
  })
}

/** The chains of a basket, in the order the request names them, without those that list nothing or nobody knows. */
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
