import type { Fact } from '../../facts/fact.ts'
import type { FlowPart, FlowSource } from '../../flow/tape-views.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import { memoize } from '../../market/memoize.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Endpoint } from '../endpoint.ts'
import { ApiError, apiError } from '../error.ts'
import type { DataRequest } from '../market-source.ts'
import type { InputContext, ServiceFacts, SubjectContext } from './input.ts'
import { type InputName, type Inputs, inputNamed } from './inputs.ts'
import {
  type ChainRead,
  loadMarket,
  type MarketRead,
  type MarketReadings,
  readMarket,
  stand,
  together
} from './market-reader.ts'

export interface LoadedInputs {
  readonly inputs: Partial<Inputs>
  readonly chains: readonly ChainHeader[]
  /** Version of all inputs: equal versions mean equal responses. */
  readonly version: string
  /** Origin of the prints behind the response; undefined if it uses none. */
  readonly flowSource: FlowSource | undefined
  /** Part of the session that these prints cover; undefined if all of the session is there. */
  readonly flowPart: FlowPart | undefined
  /** Symbol of the chain whose quality the response has; undefined if there is no single live chain. */
  readonly rated: Ticker | undefined
  readonly readings: InputReadings
}

/** Readings of the market that an answer was made from, with the date and the session it was made for. */
export interface InputReadings {
  readonly facts: readonly Fact[]
  /** Latest chains that were read, including those of other symbols. */
  readonly chains: readonly ChainRead[]
  readonly date: IsoDate
  readonly session: IsoDate | undefined
}

type Params = Readonly<Record<string, unknown>>
type Found = Partial<Record<InputName, unknown>>

/**
 * All inputs of an endpoint, if they are at hand; undefined if one must be loaded first. Throws the endpoint's declared
 * error for a symbol that lacks one.
 */
export function readInputs(
  endpoint: Endpoint,
  params: Params,
  request: DataRequest,
  service?: ServiceFacts
): LoadedInputs | undefined {
  try {
    const session = sessionOf(endpoint, params, request)
    const read = readMarket(request.source, findingOf({ endpoint, params, request, session, facts: service }))
    return read && withReadings(read, request, session)
  } catch (error) {
    throw asDeclared(error, endpoint)
  }
}

/** Like `readInputs`, but loads what is not at hand. */
export async function loadInputs(
  endpoint: Endpoint,
  params: Params,
  request: DataRequest,
  service?: ServiceFacts
): Promise<LoadedInputs> {
  try {
    const session = sessionOf(endpoint, params, request)
    const find = findingOf({ endpoint, params, request, session, facts: service })
    return withReadings(await loadMarket(request.source, find, request.deadline), request, session)
  } catch (error) {
    throw asDeclared(error, endpoint)
  }
}

/** Whether reading all inputs again would find the same, at once. */
export function inputsStand(
  { facts, date, session }: InputReadings,
  endpoint: Endpoint,
  params: Params,
  request: DataRequest
): boolean {
  if (date !== easternDate(request.source.now()) || session !== sessionOf(endpoint, params, request)) return false
  return stand(facts, request.source)
}

function withReadings(
  { found, facts, chains: read }: MarketRead & { readonly found: Omit<LoadedInputs, 'readings'> },
  { source }: DataRequest,
  session: IsoDate | undefined
): LoadedInputs {
  const { inputs, chains, version, flowSource, flowPart, rated } = found
  const readings = { facts, chains: read, date: easternDate(source.now()), session }
  return { inputs, chains, version, flowSource, flowPart, rated, readings }
}

/** Converts a failure of the source to the endpoint's own error code. */
function asDeclared(error: unknown, { sourceFault }: Endpoint): unknown {
  if (!(error instanceof ApiError) || error.code !== 'source_unavailable' || sourceFault === error.code) return error
  return apiError(sourceFault, `temporarily unavailable: ${error.message}`, error.detail, error.retryAfter)
}

/** The inputs of an endpoint: those that a request is about, with their kinds, and the others. */
const sortedInputs = memoize(({ needs }: Endpoint) => {
  const isSubject = (name: InputName) => inputNamed(name).subject !== undefined
  const subjects = needs.filter(isSubject)
  const kinds = new Set(subjects.map((name) => inputNamed(name).subject))
  return { subjects, kinds, others: needs.filter((name) => !isSubject(name)) }
})

type Asked = Omit<InputContext, 'symbols' | 'market' | 'asker'>

// Contexts are written out field by field: spreading one into the next takes longer than all readings together.

/** Finds all inputs by the readings of a market: those that a request is about first, then the others. */
function findingOf({ endpoint, params, request, session, facts }: Asked) {
  const symbols = endpoint.symbols(params as never)
  const asker = { keyless: request.keyless, client: request.client }
  const { subjects, others } = sortedInputs(endpoint)
  return (market: MarketReadings): Omit<LoadedInputs, 'readings'> => {
    const context = withSubjects({ endpoint, params, symbols, request, market, asker, session, facts })
    const found: Found = {}
    findAll(subjects, context, found)
    findAll(others, context, found)
    return madeOf(found, context)
  }
}

/** Finds the named inputs, or throws the error of the first that is missing. */
function findAll(names: readonly InputName[], context: SubjectContext, found: Found): void {
  together(names, (name) => {
    found[name] = inputNamed(name).find(context)
  })
  together(names, (name) => inputNamed(name).refuse?.(found[name], context))
}

/** Converts what was found to what the endpoint's `answer` receives. */
function madeOf(found: Found, context: SubjectContext): Omit<LoadedInputs, 'readings'> {
  const inputs: Found = {}
  const chains: ChainHeader[] = []
  let version = ''
  let flowSource: FlowSource | undefined
  let flowPart: FlowPart | undefined
  for (const name of context.endpoint.needs) {
    const { value, dates, version: versionOfInput, flowSource: sourceOf, flowPart: partOf } = inputNamed(name)
    inputs[name] = value === undefined ? found[name] : value(found[name])
    if (dates !== undefined) chains.push(...dates(found[name], context))
    version += `${versionOfInput(found[name])},`
    flowSource ??= sourceOf?.(found[name])
    flowPart ??= partOf?.(found[name])
  }
  const rated = context.session === undefined ? context.chain?.symbol : undefined
  return { inputs: inputs as Partial<Inputs>, chains, version, flowSource, flowPart, rated }
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
function withSubjects(context: InputContext): SubjectContext {
  const { endpoint, params, symbols, request, market, asker, session, facts } = context
  const { kinds } = sortedInputs(endpoint)
  const chain = kinds.has('chain') ? chainOf(context) : undefined
  const isUnderlying = !kinds.has('chain') && kinds.has('underlying')
  const underlying = isUnderlying ? market.underlying(symbols[0], request.maxAge, asker) : chain
  const hasSubject = kinds.has('chain') || isUnderlying
  const chains = !hasSubject && kinds.has('basket') ? basketOf(context) : noChains
  const day = session ?? easternDate(underlying?.asOf ?? request.source.now())
  return {
    endpoint,
    params,
    symbols,
    request,
    market,
    asker,
    session,
    facts,
    chain,
    underlying,
    hasSubject,
    chains,
    day
  }
}

/** Chain of the request: the latest one, or the closing chain of its session. */
function chainOf({ symbols: [symbol], request, market, asker, session }: InputContext): PricedChain | undefined {
  const { maxAge, keyless } = request
  if (session === undefined) return market.chain(symbol, maxAge, asker)
  const closing = market.closing(symbol, session)
  if (closing !== undefined) return closing
  // Requests without a key must not make the source load new symbols.
  const isKnown = keyless || market.chain(symbol, maxAge, asker) !== undefined
  if (isKnown) throw apiError('no_snapshot', `there is no stored snapshot of ${symbol} on ${session}`)
  return undefined
}

/** Chains of a basket in the order of the request, without unknown symbols and empty chains. */
function basketOf({ symbols, request, market, asker }: InputContext): ReadonlyMap<Ticker, PricedChain> {
  const chains = together(symbols, (symbol) => market.chain(symbol, request.maxAge, asker))
  const listed = chains.flatMap((chain, k): [Ticker, PricedChain][] =>
    chain === undefined || chain.size === 0 ? [] : [[symbols[k], chain]]
  )
  return new Map(listed)
}
