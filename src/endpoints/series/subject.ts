import { type KeyLevels, keyLevels } from '../../exposure/levels/key-levels.ts'
import { type NetExposures, netExposures } from '../../exposure/net.ts'
import { type PutCallTotals, putCallTotals } from '../../exposure/open-interest/put-call-totals.ts'
import { expiringScope, liveScope, type Scope } from '../../exposure/scope.ts'
import type { Positions } from '../../flow/tape-views.ts'
import { easternDate } from '../../market/eastern.ts'
import { inPercent } from '../../math/optional.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { referenceVolatility } from '../../volatility/term/reference-slice.ts'

/** Figures from the prints of a symbol's options in the session, up to the time of a chain. */
export interface TapeFigures {
  readonly positions: Positions
  /** Premium that customers paid minus premium that they received, USD. */
  readonly netPremium: number
  /** Estimated hedge trades of dealers since the open, USD; undefined if nothing expires today. */
  readonly hedgeFlow: number | undefined
  /** Hedging pressure of all expirations, sums in the order of `pressureClasses`; undefined if none was sampled. */
  readonly pressure: Float64Array | undefined
}

/**
 * Measures of a chain that several series fields need. Measures of options are undefined if no unexpired option exists,
 * contract totals if no options are listed.
 */
export interface SeriesSubject {
  readonly chain: PricedChain
  readonly scope: Scope | undefined
  readonly net: NetExposures | undefined
  readonly levels: KeyLevels | undefined
  readonly putCall: PutCallTotals | undefined
  /** At-the-money implied volatility, percent. */
  readonly atmIv: number | undefined
  /** Contracts that expire today. They are still included after they have expired, until midnight. */
  readonly today: Scope | undefined
  readonly tape: TapeFigures | undefined
}

export function seriesSubject(chain: PricedChain, tape: TapeFigures | undefined): SeriesSubject {
  const live = liveScope(chain)
  const scope = unlessEmpty(live)
  return {
    chain,
    scope,
    net: scope && netExposures(scope),
    levels: scope && keyLevels(scope),
    putCall: chain.size === 0 ? undefined : putCallTotals(live),
    atmIv: scope && inPercent(referenceVolatility(chain)),
    today: unlessEmpty(expiringScope(chain, easternDate(chain.asOf))),
    tape
  }
}

function unlessEmpty(scope: Scope): Scope | undefined {
  return scope.slots.length === 0 ? undefined : scope
}
