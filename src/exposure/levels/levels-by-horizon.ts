import type { PricedChain } from '../../pricing/price-chain.ts'
import { type Book, signConvention } from '../book.ts'
import { netExposures } from '../net.ts'
import { liveScope, liveWithin, type Scope, sameDayScope, withBook } from '../scope.ts'
import { gammaFlip } from '../spot-ladder/gamma-flip.ts'
import { type KeyLevels, keyLevels } from './key-levels.ts'

/** How far ahead a trader looks, and the live contracts that expire by then. */
export const horizons = {
  zeroDte: sameDayScope,
  week: (chain: PricedChain) => liveWithin(chain, 7),
  month: (chain: PricedChain) => liveWithin(chain, 35),
  all: liveScope
} as const satisfies Readonly<Record<string, (chain: PricedChain) => Scope>>

export type Horizon = keyof typeof horizons

/** The levels of one horizon beside the gamma they come from. */
export interface HorizonLevels {
  readonly flip: number | undefined
  readonly levels: KeyLevels
  /** USD per 1 % move of spot. */
  readonly netGex: number
}

/** Flip, walls and net gamma of what expires within a horizon, by a book. Undefined where nothing live does. */
export function levelsWithin(
  chain: PricedChain,
  horizon: Horizon,
  book: Book = signConvention(chain)
): HorizonLevels | undefined {
  const scope = withBook(horizons[horizon](chain), book)
  if (scope.slots.length === 0) return undefined
  return { flip: gammaFlip(scope), levels: keyLevels(scope), netGex: netExposures(scope).gex }
}
