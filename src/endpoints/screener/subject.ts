import { type KeyLevels, keyLevels } from '../../exposure/levels/key-levels.ts'
import { hasGreeks } from '../../exposure/liquidity/data-quality.ts'
import { spreadsByReach } from '../../exposure/liquidity/execution.ts'
import { type NetExposures, netExposures, type SameDayShare, sameDayShare } from '../../exposure/net.ts'
import { type PutCallTotals, putCallTotals } from '../../exposure/open-interest/put-call-totals.ts'
import { datesOf, liveScope, type Scope } from '../../exposure/scope.ts'
import type { DealerRisk } from '../../flow/open-interest/dealer-risk.ts'
import type { Positions } from '../../flow/tape-views.ts'
import { vixTermSlope } from '../../macro/vix-term-structure.ts'
import type { DailyBar } from '../../market/bar.ts'
import type { DailyRecord } from '../../market/daily-record.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Macro } from '../../market/macro.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { dealerFlowRisk } from '../../signals/risk-premium/dealer-flow-risk.ts'
import { type NetPremiums, netPremiums } from '../../signals/risk-premium/net-premiums.ts'
import { type PremiumFigures, premiumFigures } from '../../signals/risk-premium/premium-figures.ts'
import {
  MIN_SESSIONS,
  type PremiumRank,
  premiumRank,
  premiumWindow,
  RECORDS_READ
} from '../../signals/risk-premium/premium-rank.ts'
import {
  burdensAmong,
  isEventNear,
  type PremiumRegime,
  premiumRegime,
  warningsOf
} from '../../signals/risk-premium/premium-regime.ts'
import { netHarvestScore, type SellingScores, sellingScores } from '../../signals/risk-premium/selling-scores.ts'
import { type RealizedWindows, realizedWindows, usableBars } from '../../volatility/realized/realized.ts'
import { type QuarterSkew, quarterSkewOf } from '../../volatility/smile/skew.ts'
import { referenceSmile } from '../../volatility/term/reference-slice.ts'
import { type VolatilityTermStructure, volatilityTermStructure } from '../../volatility/term/term-structure.ts'
import { dealerRiskOf, flowScopeOf } from '../flow/flow-scope.ts'

export interface SymbolFlow {
  readonly positions: Positions
  /** Contracts that customers bought minus contracts that they sold. */
  readonly netVolume: number
  /** Premium that customers paid minus premium that they received, USD. */
  readonly netPremium: number
  /**
   * Estimated hedge trades of dealers since the open for options that expire today, USD. Undefined if nothing expires
   * today.
   */
  readonly hedgeFlow: number | undefined
}

/** Inputs of a screener row: a chain, and other data known at the time of the chain. */
export interface RowInputs {
  readonly chain: PricedChain
  readonly tier: 1 | 2 | undefined
  /** Completed daily bars, ascending. */
  readonly bars: readonly DailyBar[]
  /** Daily records of earlier sessions, ascending. */
  readonly records: readonly DailyRecord[]
  readonly macro: Macro
  /** Dates of earnings reports on or after the chain's day, ascending. Empty without an earnings calendar. */
  readonly reports: readonly IsoDate[]
  readonly flow: SymbolFlow | undefined
}

/**
 * Measures that several screener fields of a symbol need. Measures of options are undefined if no unexpired option
 * exists.
 */
export interface ScreenerSubject extends RowInputs {
  readonly scope: Scope | undefined
  /** Net exposures. Undefined if no contract has greeks, since then even an exposure of 0 would be a guess. */
  readonly net: NetExposures | undefined
  readonly levels: KeyLevels | undefined
  readonly today: SameDayShare | undefined
  /** Put and call totals of live contracts; undefined if no options are listed. */
  readonly putCall: PutCallTotals | undefined
  readonly expirations: number | undefined
  readonly realized: RealizedWindows
  readonly term: VolatilityTermStructure | undefined
  readonly skew: QuarterSkew | undefined
  readonly spread: number | undefined
  readonly premiums: PremiumFigures
  readonly premium: NetPremiums
  readonly rank: PremiumRank
  readonly dealerFlowRisk: number | undefined
  readonly premiumRegime: PremiumRegime | undefined
  readonly scores: SellingScores | undefined
  readonly harvest: number | undefined
  readonly dealerRisk: DealerRisk | undefined
}

/** Number of daily bars from which realized volatility is computed. It is the same in single-symbol endpoints. */
const BARS_READ = 90

export function screenerSubject(inputs: RowInputs): ScreenerSubject {
  const { chain, records, macro, reports, flow } = inputs
  const bars = usableBars(inputs.bars.slice(-BARS_READ))
  const live = liveScope(chain)
  const scope = live.slots.length > 0 ? live : undefined
  const usable = scope !== undefined && hasGreeks(scope)
  const premiums = premiumFigures(scope && chain, bars, chain.spot)
  const premium = netPremiums(premiums.implied, premiums.realized)
  const rank = premiumRank(premium.over20, premiumWindow(records.slice(-RECORDS_READ)))
  const spreads = scope && spreadsByReach(scope)
  const eventRisk = isEventNear(easternDate(chain.asOf), premiums.implied.expiry, reports)
  const warnings = warningsOf(premiums, {
    rank,
    eventRisk,
    wings: spreads?.wing,
    vixSlope: vixTermSlope(macro),
    highYieldSpread: macro.highYieldSpread
  })
  const risk = scope && dealerFlowRisk(premiums.dealers)
  const isRanked = rank.sessions >= MIN_SESSIONS
  const reference = scope && referenceSmile(chain)
  return {
    ...inputs,
    scope,
    net: usable ? netExposures(scope) : undefined,
    levels: scope && keyLevels(scope),
    today: usable ? sameDayShare(chain) : undefined,
    putCall: chain.size === 0 ? undefined : putCallTotals(live),
    expirations: chain.size === 0 ? undefined : datesOf(live).length,
    realized: realizedWindows(bars),
    term: scope && volatilityTermStructure(chain),
    skew: reference && quarterSkewOf(reference),
    spread: spreads?.atm.mean,
    premiums,
    premium,
    rank,
    dealerFlowRisk: risk,
    premiumRegime: premiumRegime(premiums, rank, { eventRisk, dealerFlowRisk: risk }),
    scores: isRanked && scope !== undefined ? sellingScores(premiums) : undefined,
    harvest: isRanked
      ? netHarvestScore(premiums, {
          percentile: rank.percentile,
          dealerFlowRisk: risk,
          burdens: burdensAmong(warnings)
        })
      : undefined,
    dealerRisk: scope && flow && dealerRiskOf(flowScopeOf(scope, flow.positions))
  }
}
