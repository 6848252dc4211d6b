import type { Macro } from '../../../market/macro.ts'
import { gammaSide, vannaOutlook } from '../../../signals/risk-premium/dealers.ts'
import { less } from '../../../signals/risk-premium/premium.ts'
import type { PremiumRank } from '../../../signals/risk-premium/rank.ts'
import type { PremiumRegime } from '../../../signals/risk-premium/regime.ts'
import { harvestScore, type Premiums, type StrategyScores } from '../../../signals/risk-premium/scores.ts'
import { harvestReading, vannaOutlookReading } from '../../../wording/risk-premium.ts'

export function wirePremiums({ implied, realized, term }: Premiums, { sessions, zScore, percentile }: PremiumRank) {
  const { atmIv, fairVol, putWing25, callWing25 } = implied
  const { rv5, rv10, rv20, rv30, downside20, upside20 } = realized
  const variance = (percent: number) => (percent / 100) ** 2
  return {
    vrp: {
      atm_iv: atmIv,
      rv_5d: rv5,
      rv_10d: rv10,
      rv_20d: rv20,
      rv_30d: rv30,
      vrp_5d: less(atmIv, rv5),
      vrp_10d: less(atmIv, rv10),
      vrp_20d: less(atmIv, rv20),
      vrp_30d: less(atmIv, rv30),
      z_score: zScore,
      percentile,
      history_days: sessions
    },
    variance_risk_premium: atmIv === undefined || rv20 === undefined ? undefined : variance(atmIv) - variance(rv20),
    convexity_premium: less(fairVol, atmIv),
    fair_vol: fairVol,
    directional: {
      put_wing_iv_25d: putWing25,
      call_wing_iv_25d: callWing25,
      downside_rv_20d: downside20,
      upside_rv_20d: upside20,
      downside_vrp: less(putWing25, downside20),
      upside_vrp: less(callWing25, upside20)
    },
    term_vrp: term.map(({ days, iv, rv, premium }) => ({ dte: days, iv, rv, vrp: premium }))
  }
}

export function wireDealers(premiums: Premiums) {
  const harvest = harvestScore(premiums)
  const side = gammaSide(premiums.dealers.netGex)
  const outlook = vannaOutlook(premiums.dealers)
  return {
    gex_conditioned: { regime: side, harvest_score: harvest, interpretation: harvestReading(side, harvest) },
    vanna_conditioned: { outlook, interpretation: vannaOutlookReading(outlook) }
  }
}

export function wireRegime({ dealers }: Premiums, regime: PremiumRegime | undefined) {
  const { netGex, gammaFlip } = dealers
  return { gamma: gammaSide(netGex), vrp_regime: regime, net_gex: netGex, gamma_flip: gammaFlip }
}

/** The scores under their wire names; without a usable chain there is nothing to sell, and none has a figure. */
export function wireScores(scores: StrategyScores | undefined) {
  return {
    short_put_spread: scores?.shortPutSpread,
    short_strangle: scores?.shortStrangle,
    iron_condor: scores?.ironCondor,
    calendar_spread: scores?.calendarSpread
  }
}

export function wireMacro({ levels, tenYear, highYieldSpread, fedFunds }: Macro) {
  const [vix, quarter] = [levels.vix?.value, levels.vix3m?.value]
  return {
    vix,
    vix_3m: quarter,
    vix_term_slope: vix === undefined || quarter === undefined || vix === 0 ? undefined : quarter / vix,
    dgs10: tenYear,
    hy_spread: highYieldSpread,
    fed_funds: fedFunds
  }
}
