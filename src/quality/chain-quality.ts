import { liveScope } from '../exposure/scope.ts'
import type { Chain } from '../market/chain.ts'
import { memoize, memoizePair } from '../market/memoize.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { ChainDeductions } from './chain-assessment.ts'
import { identityChecks } from './identity-checks.ts'
import { openInterestCheck, settlementCheck } from './interest-checks.ts'
import { modelChecks } from './model-checks.ts'
import { priorChecks } from './prior-checks.ts'
import type { QualityCheck } from './quality-check.ts'
import { isTwoSided, quoteChecks } from './quote-checks.ts'
import { quoteTimesCheck } from './quote-times.ts'

/** Quality of a chain, without regard to its age. See docs/methods/data-quality.md. */
export interface ChainQuality extends ChainDeductions {
  /** All checks except the age check, in the order of `checkIds`. */
  readonly checks: readonly QualityCheck[]
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
  const { market, identity } = ownChecks(chain)
  const [missing, interestDate, frozen] = priorChecks(chain, prior)
  const settled = settlementCheck(chain, prior)
  const checks = [...market, missing, interestDate, ...identity, settled, frozen, quoteTimesCheck(chain)]
  const deducted = checks.reduce((sum, { deduction }) => sum + deduction, 0)
  const [costliest] = checks.filter(({ deduction }) => deduction > 0).sort((a, b) => b.deduction - a.deduction)
  return { checks, deducted, costliest }
}

/** Checks that need only the chain itself: of its market, and of whether spot, strikes and open interest fit. */
const ownChecks = memoize((chain: PricedChain) => {
  const scope = liveScope(chain)
  const [twoSided, crossed, spread, arbitrage] = quoteChecks(scope)
  const [parity, smile] = modelChecks(scope)
  const market = [twoSided, crossed, spread, parity, smile, arbitrage]
  return { market, identity: [...identityChecks(scope), openInterestCheck(scope)] }
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
