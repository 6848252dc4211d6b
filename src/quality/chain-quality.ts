import { liveScope } from '../exposure/scope.ts'
import type { Chain } from '../market/chain.ts'
import { memoize, memoizePair } from '../market/memoize.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { modelChecks } from './model-checks.ts'
import { priorChecks } from './prior-checks.ts'
import type { QualityCheck } from './quality-check.ts'
import { isTwoSided, quoteChecks } from './quote-checks.ts'

/** Quality of a chain, without regard to its age. See docs/methods/data-quality.md. */
export interface ChainQuality {
  /** All checks except the age check, in the order of `checkIds`. */
  readonly checks: readonly QualityCheck[]
  readonly deducted: number
}

/**
 * Checks the quality of a chain. `prior` is the close of the previous trading session, or undefined if none is stored.
 */
export function chainQuality(chain: PricedChain, prior: Chain | undefined): ChainQuality {
  return prior === undefined ? qualityAlone(chain) : qualityAgainst(chain, prior)
}

const qualityAlone = memoize((chain: PricedChain) => qualityOf(chain, undefined))
const qualityAgainst = memoizePair((chain: PricedChain, prior: Chain) => qualityOf(chain, prior))

function qualityOf(chain: PricedChain, prior: Chain | undefined): ChainQuality {
  const [twoSided, crossed, spread, parity, smile, arbitrage, spot] = ownChecks(chain)
  const checks = [twoSided, crossed, spread, parity, smile, arbitrage, ...priorChecks(chain, prior), spot]
  return { checks, deducted: checks.reduce((sum, { deduction }) => sum + deduction, 0) }
}

/** Checks that need only the chain itself. */
const ownChecks = memoize((chain: PricedChain) => {
  const scope = liveScope(chain)
  const [twoSided, crossed, spread, arbitrage] = quoteChecks(scope)
  const [parity, smile, spot] = modelChecks(scope)
  return [twoSided, crossed, spread, parity, smile, arbitrage, spot] as const
})

/** Numbers of unexpired contracts: all of them, those with both bid and ask, and those with open interest. */
export function contractCounts(chain: PricedChain) {
  const { slots } = liveScope(chain)
  return {
    listed: slots.length,
    twoSided: slots.filter((i) => isTwoSided(chain, i)).length,
    withOpenInterest: slots.filter((i) => chain.openInterest[i] > 0).length
  }
}
