import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ApiError, apiError } from '../error.ts'
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
