import { executionQuality } from '../../exposure/liquidity/execution.ts'
import { netExposures } from '../../exposure/net.ts'
import { liveOn, liveScope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { UsableBars } from '../../volatility/realized/realized.ts'
import { volatilityTermStructure } from '../../volatility/term/term-structure.ts'
import { type DealerPositioning, dollarVolume } from './dealer-flow-risk.ts'
import {
  type ImpliedSide,
  impliedSide,
  type RealizedSide,
  realizedSide,
  type TermPremium,
  termPremiums
} from './implied-realized.ts'

/**
 * Figures from which the scores of the volatility risk premium are computed. Volatilities are in percent, premiums in
 * vol points.
 */
export interface PremiumFigures {
  readonly implied: ImpliedSide
  readonly realized: RealizedSide
  readonly term: readonly TermPremium[]
  /** Slope of the term structure from 7 to 30 days in percent: 100 (iv30 - iv7) / iv7. */
  readonly nearSlope: number | undefined
  readonly dealers: DealerPositioning
  readonly executionScore: number | undefined
}

const nothingImplied: ImpliedSide = {
  atmIv: undefined,
  atmIv30: undefined,
  fairVol: undefined,
  putWing25: undefined,
  callWing25: undefined,
  relativeSkew: undefined,
  expiry: undefined,
  fitted: false,
  butterfly: false
}

/**
 * Computes implied volatilities, realized volatilities and dealer positioning. Without a chain, only realized figures
 * are known.
 */
export function premiumFigures(chain: PricedChain | undefined, bars: UsableBars, spot: number): PremiumFigures {
  const realized = realizedSide(bars)
  const shares = { dollarVolume: dollarVolume(bars) }
  if (chain === undefined) {
    const dealers = { spot, netGex: undefined, netVex: undefined, gammaFlip: undefined, ...shares }
    return { implied: nothingImplied, realized, term: [], nearSlope: undefined, dealers, executionScore: undefined }
  }
  const implied = impliedSide(chain)
  const scope = liveScope(chain)
  const { gex, vex } = netExposures(scope)
  return {
    implied,
    realized,
    term: termPremiums(chain, bars),
    nearSlope: volatilityTermStructure(chain).nearSlope,
    dealers: { spot, netGex: gex, netVex: vex, gammaFlip: gammaFlip(scope), ...shares },
    executionScore: implied.expiry && executionQuality(liveOn(chain, implied.expiry)).score
  }
}
