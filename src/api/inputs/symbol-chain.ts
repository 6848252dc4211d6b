import { type ChainHeader, headerOf } from '../../market/chain.ts'
import { MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type DataDistrust, distrustAt } from '../../quality/chain-assessment.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ApiError, apiError } from '../error.ts'
import type { ChainProvenance } from '../market-source.ts'
import { crossesAsChain, type Input, type InputContext, type SubjectContext } from './input.ts'

type MaybeChain = PricedChain | undefined

/** Lookup, version and age shared by all inputs computed from the requested symbol's chain. */
export const ofSubject = {
  kind: 'market',
  moves: true,
  subject: 'chain',
  find: ({ chain }: SubjectContext) => chain,
  version: (found: MaybeChain) => (found === undefined ? '' : versionOf(found)),
  dates: (found: MaybeChain) => (found === undefined ? [] : [found])
} as const

/** Priced chain of the symbol in the path; it lists at least one option. */
export const chain: Input<PricedChain, MaybeChain> = {
  ...ofSubject,
  ...crossesAsChain,
  value: (found) => found!,
  refuse(found, context) {
    if (found === undefined) throw nothingKnown(context)
    const [symbol] = context.symbols
    if (found.size === 0) throw apiError(context.endpoint.absent[1], `no options are listed on ${symbol}`)
  },
  errors: ({ absent }) => absent,
  symbol: ({ symbol }) => symbol
}

/**
 * Chain for a response that can do without options: it may list none, and is undefined if only daily bars are known of
 * the symbol, or a past moment was not recorded.
 */
export const anyChain: Input<MaybeChain> = {
  ...ofSubject,
  ...crossesAsChain,
  refuse(found, context) {
    if (found === undefined && !doesWithout(context.endpoint)) throw nothingKnown(context)
  },
  symbol: (found) => found?.symbol
}

/** Whether another input of the endpoint covers symbols without a chain and refuses unknown ones. */
const doesWithout = ({ needs }: Endpoint) =>
  needs.includes('bars') || needs.includes('lastKnown') || needs.includes('earnings')

/** The underlying's quote, whether or not it has options. */
export const quote: Input<ChainHeader, MaybeChain> = {
  ...ofSubject,
  value: (found) => headerOf(found!),
  refuse(found, context) {
    if (found === undefined) throw nothingKnown(context)
  },
  errors: ({ absent: [unknown] }) => [unknown],
  symbol: ({ symbol }) => symbol
}

export function nothingKnown({ endpoint, symbols: [symbol] }: InputContext): ApiError {
  return apiError(endpoint.absent[0], `nothing is known of ${symbol}`)
}

/**
 * Last known underlying at a past moment that was not recorded, for a response that reports this instead of failing.
 * Undefined if there is a chain.
 */
export const lastKnown: Input<ChainHeader | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], chain, market }) => (chain === undefined ? market.lastKnown(symbol) : undefined),
  value: (found) => found && headerOf(found),
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse(found, context) {
    if (found === undefined && context.chain === undefined) throw nothingKnown(context)
  },
  errors: ({ absent: [unknown] }) => [unknown],
  symbol: (found) => found?.symbol
}

/** Delay of the chain's source, seconds; 0 for a past moment and without a chain. */
export const sourceDelay: Input<number> = {
  kind: 'market',
  moves: true,
  find: ({ chain, request: { source } }) => (chain === undefined ? 0 : source.delayOf(chain)),
  version: (found) => found
}

/** Source of the chain; undefined without a chain. */
export const provenance: Input<ChainProvenance | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ chain, request: { source } }) => chain && source.provenanceOf(chain),
  version: (found) => (found === undefined ? '' : `${found.name} ${found.pace}`)
}

/**
 * Why nothing may be concluded from the chain; undefined if its quality reaches the floor, without a chain, and for the
 * close of a past session.
 */
export const distrust: Input<DataDistrust | undefined> = {
  kind: 'market',
  moves: true,
  find({ chain, market, session }) {
    if (chain === undefined || chain.size === 0 || session !== undefined) return undefined
    const assessment = market.quality(chain.symbol)
    return assessment?.asOf === chain.asOf ? distrustAt(assessment, market.clock(MILLISECONDS_PER_MINUTE)) : undefined
  },
  version: (found) => (found === undefined ? '' : `${found.score} ${found.check.id} ${found.check.value}`)
}
