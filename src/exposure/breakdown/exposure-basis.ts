import { known } from '../../market/chain.ts'
import { median, quantile } from '../../math/statistics.ts'
import { NO_SIGMA } from '../../pricing/sources.ts'
import { sumOf } from '../by-strike.ts'
import { spreadPercent } from '../liquidity/liquidity.ts'
import { carriesExposure, hasExpired, type Scope } from '../scope.ts'
import { contractExposures, type Measure } from './contributions.ts'

/** How reliable the quotes and volatilities are from which an exposure is computed. */
export interface ExposureBasis {
  /** Sum of absolute exposures in USD, by the source of the volatility. The key is an index into `sigmaSources`. */
  readonly bySource: ReadonlyMap<number, number>
  /**
   * Median bid-ask spread of the contracts with exposure, percent of mid. `highSpread` is the 95 % quantile. Undefined
   * if none of them has both bid and ask.
   */
  readonly medianSpread: number | undefined
  readonly highSpread: number | undefined
  readonly leftOut: readonly ExcludedContracts[]
}

export const exclusionReasons = ['no_open_interest', 'no_volatility', 'not_live'] as const

export interface ExcludedContracts {
  readonly reason: (typeof exclusionReasons)[number]
  readonly contracts: number
  readonly openInterest: number
}

const HIGH = 0.95

/**
 * Summarizes the quotes and volatility sources on which a measure is based. Also counts the contracts that have no
 * exposure, by reason.
 */
export function exposureBasis(scope: Scope, measure: Measure): ExposureBasis {
  const { chain, slots } = scope
  const bySource = new Map<number, number>()
  const spreads: number[] = []
  for (const i of slots) {
    if (!carriesExposure(scope, i)) continue
    const source = chain.sigmaSource[i]
    bySource.set(source, (bySource.get(source) ?? 0) + Math.abs(contractExposures[measure](scope, i)))
    const spread = spreadPercent(chain, i)
    if (spread !== undefined) spreads.push(spread)
  }
  const leftOut = exclusionReasons.flatMap((reason): ExcludedContracts[] => {
    const out = Array.from(slots).filter((i) => reasonOf(scope, i) === reason)
    if (out.length === 0) return []
    return [{ reason, contracts: out.length, openInterest: sumOf(out, (i) => known(scope.book.openInterest[i])) }]
  })
  return { bySource, medianSpread: median(spreads), highSpread: quantile(spreads, HIGH), leftOut }
}

/** Why contract `i` has no exposure. Undefined if it has one. */
function reasonOf(scope: Scope, i: number): ExcludedContracts['reason'] | undefined {
  if (carriesExposure(scope, i)) return undefined
  if (hasExpired(scope)) return 'not_live'
  return scope.chain.sigmaSource[i] === NO_SIGMA && known(scope.book.openInterest[i]) > 0
    ? 'no_volatility'
    : 'no_open_interest'
}
