import { executionQuality, spreadsByReach } from '../../../exposure/execution.ts'
import { gammaFlip } from '../../../exposure/gamma-flip.ts'
import { netExposures } from '../../../exposure/net.ts'
import { liveOn, liveScope } from '../../../exposure/scope.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { dollarVolume } from '../../../signals/risk-premium/dealers.ts'
import { type ImpliedSide, impliedSide, realizedSide, termPremiums } from '../../../signals/risk-premium/premium.ts'
import type { Premiums } from '../../../signals/risk-premium/scores.ts'
import type { UsableBars } from '../../../volatility/realized.ts'
import { wireTerm } from '../dashboard/implied.ts'

const nothingImplied: ImpliedSide = {
  atmIv: undefined,
  fairVol: undefined,
  putWing25: undefined,
  callWing25: undefined,
  relativeSkew: undefined,
  expiry: undefined,
  fitted: false,
  butterfly: false
}

/** Everything the premium answer is made of. Without a usable chain only the realized side is there. */
export function premiumsOf(chain: PricedChain | undefined, bars: UsableBars, spot: number): Premiums {
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
    nearSlope: wireTerm(chain).near_slope_pct,
    dealers: { spot, netGex: gex, netVex: vex, gammaFlip: gammaFlip(scope), ...shares },
    executionScore: implied.expiry && executionQuality(liveOn(chain, implied.expiry)).score
  }
}

/** The spreads of options far out of the money; undefined without a usable chain. */
export function wingsOf(chain: PricedChain | undefined) {
  return chain && spreadsByReach(liveScope(chain)).wing
}
