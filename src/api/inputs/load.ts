import { easternDate } from '../../market/eastern.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Endpoint } from '../endpoint.ts'
import { apiError } from '../error.ts'
import { allInOrder, allResolved, andThen, type MaybePromise } from '../maybe-promise.ts'
import type { DataRequest } from '../source.ts'
import type { InputContext, ServiceFacts, SubjectContext } from './input.ts'
import { type InputName, type Inputs, inputNamed } from './inputs.ts'

/** The inputs of one answer, and what tells them from any others. */
export interface LoadedInputs {
  readonly inputs: Partial<Inputs>
  /** The chains an answer rests on: those that say how old it is. */
  readonly chains: readonly PricedChain[]
  /** The same version means the same answer. */
  readonly version: string
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
  const symbols = endpoint.symbols(params as never)
  const session = sessionOf(endpoint, params, request)
  return andThen(withSubjects({ endpoint, params, symbols, request, session, facts }), (context) =>
    andThen(
      refused(context, ({ subject }) => subject !== undefined),
      () => {
        const found = Object.fromEntries(endpoint.needs.map((name) => [name, inputNamed(name).find(context)]))
        return andThen(allResolved<Found>(found as Found), (all) => loaded(context, all))
      }
    )
  )

  function refused(context: SubjectContext, of: (input: ReturnType<typeof inputNamed>) => boolean, all?: Found) {
    return andThen(
      allInOrder(
        endpoint.needs.map((name) => {
          const input = inputNamed(name)
          return of(input) ? input.refuse?.(all === undefined ? input.find(context) : all[name], context) : undefined
        })
      ),
      () => undefined
    )
  }

  function loaded(context: SubjectContext, found: Found): MaybePromise<LoadedInputs> {
    const values: [InputName, unknown][] = []
    const chains: PricedChain[] = []
    let version = ''
    for (const name of endpoint.needs) {
      const input = inputNamed(name)
      values.push([name, input.value === undefined ? found[name] : input.value(found[name])])
      chains.push(...(input.dates?.(found[name], context) ?? []))
      version += `${input.version(found[name])},`
    }
    const result = { inputs: Object.fromEntries(values), chains, version }
    return andThen(
      refused(context, ({ subject }) => subject === undefined, found),
      () => result
    )
  }
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
  const dayOf = (chain: PricedChain | undefined) => session ?? easternDate(chain?.asOf ?? request.source.now())
  const hasSubject = subjects.has('chain')
  if (hasSubject) {
    return andThen(chainOf(context), (chain) => ({
      ...context,
      chain,
      hasSubject,
      chains: noChains,
      day: dayOf(chain)
    }))
  }
  const subject = { ...context, chain: undefined, hasSubject, day: dayOf(undefined) }
  if (!subjects.has('basket')) return { ...subject, chains: noChains }
  return andThen(basketOf(context), (chains) => ({ ...subject, chains }))
}

/** The chain a request is about: the latest, or the closing one of the session it names. */
function chainOf({ symbols: [symbol], request, session }: InputContext): MaybePromise<PricedChain | undefined> {
  const { source, maxAge, keyless } = request
  if (session === undefined) return source.chain(symbol, maxAge)
  return andThen(source.closing(symbol, session), (closing) => {
    if (closing !== undefined) return closing
    const refusal = () => apiError('no_snapshot', `there is no stored snapshot of ${symbol} on ${session}`)
    // Without a key there is a snapshot or none: a caller without one makes no source look for further symbols.
    if (keyless) throw refusal()
    return andThen(source.chain(symbol, maxAge), (known) => {
      if (known === undefined) return undefined
      throw refusal()
    })
  })
}

/** The chains of a basket, in the order the request names them, without those that list nothing or nobody knows. */
function basketOf({ symbols, request }: InputContext): MaybePromise<ReadonlyMap<Ticker, PricedChain>> {
  const { source, maxAge } = request
  const found = allInOrder(symbols.map((symbol) => source.chain(symbol, maxAge)))
  return andThen(found, (chains) => {
    const listed = chains.flatMap((chain, k): [Ticker, PricedChain][] =>
      chain === undefined || chain.size === 0 ? [] : [[symbols[k], chain]]
    )
    return new Map(listed)
  })
}
