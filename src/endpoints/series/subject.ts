import { type KeyLevels, keyLevels } from '../../exposure/levels/key-levels.ts'
import { type NetExposures, netExposures } from '../../exposure/net.ts'
import { type PutCallTotals, putCallTotals } from '../../exposure/open-interest/put-call-totals.ts'
import { expiringScope, liveScope, type Scope } from '../../exposure/scope.ts'
import type { Positions } from '../../flow/tape-views.ts'
import { easternDate } from '../../market/eastern.ts'
import { inPercent } from '../../math/optional.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { referenceVolatility } from '../../volatility/term/reference-slice.ts'

/** Flow of a symbol's option tape in the session, up to the moment of a chain. */
export interface TapeFigures {
  readonly positions: Positions
  /** Premium paid minus premium received by customers, USD. */
  readonly netPremium: number
  /** Estimated hedge trades of dealers since the open, USD; undefined if nothing expires today. */
  readonly hedgeFlow: number | undefined
}

/**
 * Measures that several series fields share. Option measures are undefined if no live option exists, contract totals if
 * none is listed.
 */
export interface SeriesSubject {
  readonly chain: PricedChain
  readonly scope: Scope | undefined
  readonly net: NetExposures | undefined
  readonly levels: KeyLevels | undefined
  readonly putCall: PutCallTotals | undefined
  /** At-the-money implied volatility, percent. */
  readonly atmIv: number | undefined
  /** Today's expiration; it stays until midnight, even after it has expired. */
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
