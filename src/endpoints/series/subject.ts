import { type KeyLevels, keyLevels } from '../../exposure/levels/key-levels.ts'
import { type NetExposures, netExposures } from '../../exposure/net.ts'
import { type PutCallTotals, putCallTotals } from '../../exposure/open-interest/put-call-totals.ts'
import { expiringScope, liveScope, type Scope } from '../../exposure/scope.ts'
import type { Positions } from '../../flow/tape-views.ts'
import { easternDate } from '../../market/eastern.ts'
import { inPercent } from '../../math/optional.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { referenceVolatility } from '../../volatility/term/reference-slice.ts'

/** What the option tape of a symbol had shown of the session by the moment of a chain. */
export interface TapeFigures {
  readonly positions: Positions
  /** What customers paid for options less what they took for those they sold, USD. */
  readonly netPremium: number
  /** What dealers are estimated to have traded since the open to stay hedged, USD. Undefined: nothing expires on the day. */
  readonly hedgeFlow: number | undefined
}

/** The measures that several fields read. Those of options are undefined where none is live, sums of contracts where none is listed. */
export interface Subject {
  readonly chain: PricedChain
  readonly scope: Scope | undefined
  readonly net: NetExposures | undefined
  readonly levels: KeyLevels | undefined
  readonly putCall: PutCallTotals | undefined
  /** At the money, percent. */
  readonly atmIv: number | undefined
  /** What expires on the day of the chain, visible after its end until midnight. */
  readonly today: Scope | undefined
  readonly tape: TapeFigures | undefined
}

export function subjectOf(chain: PricedChain, tape: TapeFigures | undefined): Subject {
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
