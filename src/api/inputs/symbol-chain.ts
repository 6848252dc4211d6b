import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ApiError, apiError } from '../error.ts'
import type { ChainProvenance } from '../market-source.ts'
import { crossesAsChain, type Input, type InputContext, type SubjectContext } from './input.ts'

type MaybeChain = PricedChain | undefined

/** What an input made of the chain that a request is about has in common with every other. */
export const ofSubject = {
  kind: 'market',
  moves: true,
  subject: 'chain',
  find: ({ chain }: SubjectContext) => chain,
  version: (found: MaybeChain) => (found === undefined ? '' : versionOf(found)),
  dates: (found: MaybeChain) => (found === undefined ? [] : [found])
} as const

/** The priced chain of the symbol in the path; it lists at least one option. */
export const chain: Input<PricedChain, MaybeChain> = {
  ...ofSubject,
  ...crossesAsChain,
  value: (found) => found!, // `refuse` has thrown where there is none
  refuse(found, context) {
    if (found === undefined) throw nothingKnown(context)
    const [symbol] = context.symbols
    if (found.size === 0) throw apiError(context.endpoint.absent[1], `no options are listed on ${symbol}`)
  },
  errors: ({ absent }) => absent,
  symbol: ({ symbol }) => symbol
}

/**
 * The same chain where an answer does without options too: it may list none, and is undefined where nothing but daily
 * bars is known of the symbol, or a past moment lies outside what was recorded of it.
 */
export const anyChain: Input<MaybeChain> = {
  ...ofSubject,
  ...crossesAsChain,
  refuse(found, context) {
    if (found === undefined && !doesWithout(context.endpoint)) throw nothingKnown(context)
  },
  symbol: (found) => found?.symbol
}

/** Whether another input of an endpoint says what is known of a symbol without a chain, and refuses where nothing is. */
const doesWithout = ({ needs }: Endpoint) =>
  needs.includes('bars') || needs.includes('lastKnown') || needs.includes('earnings')

/** The underlying itself, whether options are listed on it or not. */
export const quote: Input<ChainHeader, MaybeChain> = {
  ...ofSubject,
  value: (found) => headerOf(found!),
  refuse(found, context) {
    if (found === undefined) throw nothingKnown(context)
  },
  errors: ({ absent: [unknown] }) => [unknown],
  symbol: ({ symbol }) => symbol
}

/** The refusal of a symbol that nobody knows, as the endpoint declares it. */
export function nothingKnown({ endpoint, symbols: [symbol] }: InputContext): ApiError {
  return apiError(endpoint.absent[0], `nothing is known of ${symbol}`)
}

/**
 * What was last known of a symbol that the moment does not cover, for an answer that says so instead of refusing: undefined
 * where there is a chain. The live market covers every symbol it knows.
 */
export const lastKnown: Input<ChainHeader | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], chain, request: { source } }) =>
    chain === undefined ? source.lastKnown(symbol) : undefined,
  value: (found) => found && headerOf(found),
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse(found, context) {
    if (found === undefined && context.chain === undefined) throw nothingKnown(context)
  },
  errors: ({ absent: [unknown] }) => [unknown],
  symbol: (found) => found?.symbol
}

/** Seconds that the source of the chain runs behind the market; 0 on a past moment, and where there is no chain. */
export const sourceDelay: Input<number> = {
  kind: 'market',
  moves: true,
  find: ({ chain, request: { source } }) => (chain === undefined ? 0 : source.delayOf(chain)),
  version: (found) => found
}

/** Where the chain comes from. Undefined where there is no chain. */
export const provenance: Input<ChainProvenance | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ chain, request: { source } }) => chain && source.provenanceOf(chain),
  version: (found) => (found === undefined ? '' : `${found.name} ${found.pace}`)
}
