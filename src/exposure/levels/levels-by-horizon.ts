import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Book, signConvention } from '../book.ts'
import { netExposures } from '../net.ts'
import { liveScope, liveWithin, type Scope, sameDayScope, withBook } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { type KeyLevels, keyLevels } from './key-levels.ts'

/** Time horizons of traders. Each selects the unexpired contracts of a chain that expire within it. */
export const horizons = {
  zeroDte: sameDayScope,
  week: (chain: PricedChain) => liveWithin(chain, 7),
  month: (chain: PricedChain) => liveWithin(chain, 35),
  all: liveScope
} as const satisfies Readonly<Record<string, (chain: PricedChain) => Scope>>

export type Horizon = keyof typeof horizons

export interface HorizonLevels {
  readonly flip: number | undefined
  readonly levels: KeyLevels
  /** Net gamma exposure, USD per 1 % move of spot. */
  readonly netGex: number
}

/**
 * Flip, walls and net gamma of the contracts that expire within a horizon. Undefined if it has no unexpired contract.
 */
export function levelsWithin(
  chain: PricedChain,
  horizon: Horizon,
  book: Book = signConvention(chain)
): HorizonLevels | undefined {
  const scope = withBook(horizons[horizon](chain), book)
  if (scope.slots.length === 0) return undefined
  return { flip: gammaFlip(scope), levels: keyLevels(scope), netGex: netExposures(scope).gex }
}
