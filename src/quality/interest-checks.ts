import type { Scope } from '../exposure/scope.ts'
import type { Chain } from '../market/chain.ts'
import { interestChange, settledMovement } from '../market/interest-change.ts'
import { securityKind } from '../market/security.ts'
import { percentOf } from '../math/optional.ts'
import { graded, type QualityCheck } from './quality-check.ts'

/** Class of a chain by which its open interest is judged. */
type InterestClass = 'index' | 'etf' | 'equity' | 'thin'

/** A stock or fund with fewer live contracts than this is thin: its options are held at few strikes. */
const THIN = 300
/**
 * Percentage of the live contracts with open interest from which it costs nothing, by class. A tenth of it, or less,
 * costs the most.
 */
const usualShare: Readonly<Record<InterestClass, number>> = { index: 20, etf: 20, equity: 20, thin: 5 }
/** Points if nothing is held, or nobody knows what is. No exposure can be computed from such a chain. */
const MOST_FOR_INTEREST = 65

/** Compares the share of the live contracts that have open interest with what is usual for the class of the chain. */
export function openInterestCheck({ chain, slots }: Scope): QualityCheck {
  const { openInterest } = chain
  const known = slots.filter((i) => openInterest[i] >= 0)
  const held = known.filter((i) => openInterest[i] > 0)
  const share = 2 * known.length < slots.length ? undefined : percentOf(held.length, known.length)
  const good = usualShare[classOf(chain, slots.length)]
  return graded('open_interest', share, { most: MOST_FOR_INTEREST, good, bad: good / 10, unknown: MOST_FOR_INTEREST })
}

function classOf({ symbol }: Chain, contracts: number): InterestClass {
  const kind = securityKind(symbol)
  return kind !== 'index' && contracts < THIN ? 'thin' : kind
}

/** Total open interest of the previous close from which its change can be judged, contracts. */
const ENOUGH = 1000
/** Points if open interest moved by twice as much as is plausible. */
const MOST_FOR_SETTLEMENT = 30

/**
 * Compares open interest with that of the previous close: the percentage of it that moved otherwise than by trading,
 * relative to the largest plausible share. Undefined without a close, or if too little was held.
 */
export function settlementCheck(chain: Chain, prior: Chain | undefined): QualityCheck {
  const change = prior && interestChange(prior, chain)
  if (prior === undefined || change === undefined || change.before < ENOUGH) {
    return graded('settlement', undefined, { most: MOST_FOR_SETTLEMENT, good: 0, bad: 1 })
  }
  const { moved, most } = settledMovement(prior, chain, change)
  const share = (100 * moved) / change.before
  return graded('settlement', share, { most: MOST_FOR_SETTLEMENT, good: 100 * most, bad: 200 * most })
}
