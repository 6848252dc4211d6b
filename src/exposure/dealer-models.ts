import { CALL, CONTRACT_SIZE, known } from '../market/chain.ts'
import { memoizeBy, memoizePair } from '../market/memoize.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { type Book, signConvention } from './book.ts'
import { underlyingOf } from './contract-exposure.ts'
import { carriesExposure, type Scope } from './scope.ts'

/** Names of the models of dealers' positions that need nothing but a chain. */
export const chainModels = ['convention', 'all_short', 'index_overwriting'] as const
export type ChainModel = (typeof chainModels)[number]

/**
 * Book of what dealers hold according to a model, in contracts. Long positions are positive. OI is the open interest of
 * a contract.
 *
 *     convention         calls +OI, puts -OI
 *     all_short          calls -OI, puts -OI
 *     index_overwriting  calls at or above spot +OI, calls below spot -OI,
 *                        puts at or below spot -OI, puts above spot +OI
 *
 * `index_overwriting` assumes that customers sell calls and buy puts out of the money, and the opposite in the money.
 * Source: the published API contract.
 */
export function bookOfModel(chain: PricedChain, model: ChainModel): Book {
  return model === 'convention' ? signConvention(chain) : modelled(chain, model)
}

const signs: Readonly<Record<Exclude<ChainModel, 'convention'>, (isCall: boolean, moneyness: number) => 1 | -1>> = {
  all_short: () => -1,
  index_overwriting: (isCall, above) => ((isCall ? above >= 0 : above > 0) ? 1 : -1)
}

const modelled = memoizeBy((chain: PricedChain, model: Exclude<ChainModel, 'convention'>): Book => {
  const { strike, right, spot, size } = chain
  const { openInterest } = signConvention(chain)
  const position = new Int32Array(size)
  for (let i = 0; i < size; i++) {
    position[i] = signs[model](right[i] === CALL, strike[i] - spot) * known(openInterest[i])
  }
  return { openInterest, position }
})

/**
 * Book from classified trades. Dealers are assumed to hold the opposite of what customers bought on balance
 * (`signedVolume`, one entry per slot), but never more than the open interest. A contract without any, such as one that
 * was listed this morning, opened in the session: there the bound is the session's volume.
 */
export const tapeBook = memoizePair((chain: PricedChain, signedVolume: Int32Array): Book => {
  const { openInterest } = signConvention(chain)
  const position = signedVolume.map((volume, i) => {
    const bound = known(openInterest[i] === 0 ? chain.volume[i] : openInterest[i])
    return Math.min(Math.max(0 - volume, 0 - bound), bound)
  })
  return { openInterest, position }
})

/** Delta of the options that dealers hold in a scope, before any hedge, USD. */
export function dealerDelta(scope: Scope): number {
  const { chain, slots, book } = scope
  let sum = 0
  for (const i of slots) {
    if (!carriesExposure(scope, i)) continue
    sum += chain.delta[i] * book.position[i] * CONTRACT_SIZE * underlyingOf(scope, i)
  }
  return sum
}
