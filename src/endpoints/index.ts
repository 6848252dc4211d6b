import type { Endpoint } from '../api/endpoint.ts'
import type { Feature } from '../api/feature.ts'
import { bars } from './bars/bars.ts'
import { underQualityFloor } from './distrust.ts'
import { earningsCalendar } from './earnings/calendar.ts'
import { earningsDealerPositioning } from './earnings/dealer-positioning.ts'
import { earningsExpectedMove } from './earnings/expected-move.ts'
import { earningsHistory } from './earnings/history.ts'
import { earningsIvCrush } from './earnings/iv-crush.ts'
import { earningsScreener } from './earnings/screener.ts'
import { earningsStrategies } from './earnings/strategies.ts'
import { earningsVrp } from './earnings/vrp.ts'
import { attribution } from './exposure/attribution.ts'
import { bands } from './exposure/bands.ts'
import { basket } from './exposure/basket.ts'
import { changes } from './exposure/changes.ts'
import { chartLevels } from './exposure/chart-levels.ts'
import { chex } from './exposure/chex.ts'
import { dex } from './exposure/dex.ts'
import { explain } from './exposure/explain.ts'
import { gex } from './exposure/gex.ts'
import { higher } from './exposure/higher.ts'
import { history, servedHistory } from './exposure/history.ts'
import { levels } from './exposure/levels.ts'
import { matrix } from './exposure/matrix.ts'
import { maxPain } from './exposure/max-pain.ts'
import { models } from './exposure/models.ts'
import { narrative } from './exposure/narrative.ts'
import { oiDiff } from './exposure/oi-diff.ts'
import { profile } from './exposure/profile.ts'
import { sheet } from './exposure/sheet.ts'
import { summary } from './exposure/summary.ts'
import { termStructure } from './exposure/term-structure.ts'
import { vex } from './exposure/vex.ts'
import { zeroDte } from './exposure/zero-dte.ts'
import { flowDealerRisk } from './flow/dealer-risk.ts'
import { flowDex } from './flow/dex.ts'
import { flowGex } from './flow/gex.ts'
import { hedgeFlow } from './flow/hedge-flow.ts'
import { flowLevels } from './flow/levels.ts'
import { flowLive } from './flow/live.ts'
import { flowOi } from './flow/oi.ts'
import { optionBlocks } from './flow/options/blocks.ts'
import { optionCumulative } from './flow/options/cumulative.ts'
import { optionDealerPremium } from './flow/options/dealer-premium.ts'
import { optionHistory } from './flow/options/history.ts'
import { optionLeaderboard } from './flow/options/leaderboard.ts'
import { optionOutliers } from './flow/options/outliers.ts'
import { optionRecent } from './flow/options/recent.ts'
import { optionTapeSummary } from './flow/options/summary.ts'
import { flowPinRisk } from './flow/pin-risk.ts'
import { flowSignals } from './flow/signals/feed.ts'
import { flowSignalsSummary } from './flow/signals/summary.ts'
import { stockBars } from './flow/stocks/bars.ts'
import { stockBlocks } from './flow/stocks/blocks.ts'
import { stockCumulative } from './flow/stocks/cumulative.ts'
import { stockHistory } from './flow/stocks/history.ts'
import { stockLeaderboard } from './flow/stocks/leaderboard.ts'
import { stockOutliers } from './flow/stocks/outliers.ts'
import { stockRecent } from './flow/stocks/recent.ts'
import { stockTapeSummary } from './flow/stocks/summary.ts'
import { flowSummary } from './flow/summary.ts'
import { zeroDteHeatmap } from './flow/zero-dte/heatmap.ts'
import { zeroDteHedgeFlow } from './flow/zero-dte/hedge-flow.ts'
import { zeroDteLeaderboard } from './flow/zero-dte/leaderboard.ts'
import { zeroDteSeries } from './flow/zero-dte/series.ts'
import { zeroDteSnapshot } from './flow/zero-dte/snapshot.ts'
import { zeroDteStrikeFlow } from './flow/zero-dte/strike-flow.ts'
import { optionQuote } from './market/option-quote.ts'
import { marketHours } from './market/session.ts'
import { stockQuote } from './market/stock-quote.ts'
import { stockSummary } from './market/stock-summary.ts'
import { surface } from './market/surface.ts'
import { svi } from './market/svi.ts'
import { pricingGreeks } from './pricing/greeks.ts'
import { pricingIv } from './pricing/iv.ts'
import { pricingKelly } from './pricing/kelly.ts'
import { quality } from './quality/quality.ts'
import { account } from './reference/account.ts'
import { options } from './reference/options.ts'
import { symbols } from './reference/symbols.ts'
import { tickers } from './reference/tickers.ts'
import { universe } from './reference/universe.ts'
import { screenerFieldList } from './screener/fields-list.ts'
import { screener } from './screener/screener.ts'
import { series } from './series/series.ts'
import { dealerRegime } from './strategies/dealer-regime.ts'
import { expiryPositioning } from './strategies/expiry-positioning.ts'
import { flowAnomaly } from './strategies/flow-anomaly.ts'
import { skew } from './strategies/skew.ts'
import { surfaceAnomaly } from './strategies/surface-anomaly.ts'
import { tailPricing } from './strategies/tail-pricing.ts'
import { termStructureStrategy } from './strategies/term-structure.ts'
import { volCarry } from './strategies/vol-carry.ts'
import { yieldEnhancement } from './strategies/yield-enhancement.ts'
import { zeroDteStrategy } from './strategies/zero-dte.ts'
import { structuresGreeks } from './structures/greeks.ts'
import { structuresPnl } from './structures/pnl.ts'
import { advanced } from './volatility/advanced.ts'
import { dashboard } from './volatility/dashboard.ts'
import { dispersion } from './volatility/dispersion.ts'
import { expectedMove } from './volatility/expected-move.ts'
import { forecast } from './volatility/forecast.ts'
import { liquidity } from './volatility/liquidity.ts'
import { realized } from './volatility/realized.ts'
import { skewTerm } from './volatility/skew-term.ts'
import { spotVolCorrelation } from './volatility/spot-vol-correlation.ts'
import { vixState } from './volatility/vix-state.ts'
import { vrp } from './volatility/vrp.ts'
import { vrpHistory } from './volatility/vrp-history.ts'

/** All endpoints of the service. Routes, plan checks, documentation and tests are loops over this list. */
const declared: readonly Endpoint[] = [
  stockQuote,
  optionQuote,
  marketHours,
  stockSummary,
  gex,
  dex,
  vex,
  chex,
  summary,
  levels,
  narrative,
  zeroDte,
  history,
  sheet,
  termStructure,
  basket,
  oiDiff,
  maxPain,
  matrix,
  profile,
  explain,
  attribution,
  bands,
  changes,
  higher,
  chartLevels,
  models,
  flowLevels,
  flowPinRisk,
  flowSummary,
  flowGex,
  flowDex,
  flowDealerRisk,
  flowOi,
  flowLive,
  hedgeFlow,
  flowSignals,
  flowSignalsSummary,
  zeroDteSnapshot,
  zeroDteSeries,
  zeroDteHedgeFlow,
  zeroDteHeatmap,
  zeroDteStrikeFlow,
  zeroDteLeaderboard,
  optionRecent,
  optionTapeSummary,
  optionBlocks,
  optionHistory,
  optionCumulative,
  optionDealerPremium,
  stockRecent,
  stockTapeSummary,
  stockBlocks,
  stockHistory,
  stockCumulative,
  stockBars,
  optionLeaderboard,
  stockLeaderboard,
  optionOutliers,
  stockOutliers,
  dashboard,
  advanced,
  vrp,
  vrpHistory,
  realized,
  forecast,
  skewTerm,
  spotVolCorrelation,
  expectedMove,
  liquidity,
  dispersion,
  vixState,
  svi,
  surface,
  dealerRegime,
  skew,
  tailPricing,
  zeroDteStrategy,
  yieldEnhancement,
  flowAnomaly,
  termStructureStrategy,
  volCarry,
  surfaceAnomaly,
  expiryPositioning,
  earningsCalendar,
  earningsExpectedMove,
  earningsHistory,
  earningsIvCrush,
  earningsVrp,
  earningsDealerPositioning,
  earningsStrategies,
  earningsScreener,
  pricingGreeks,
  pricingIv,
  pricingKelly,
  structuresPnl,
  structuresGreeks,
  quality,
  series,
  bars,
  screener,
  screenerFieldList,
  tickers,
  options,
  symbols,
  universe,
  account
]

/** All endpoints, in the order of the documentation. */
export const endpoints: readonly Endpoint[] = declared.map(underQualityFloor)

/** Endpoints that replace the announced endpoint with the same id once an operator enables a feature. */
const served: Readonly<Record<Feature, Endpoint>> = { 'exposure-history': servedHistory }

export function endpointsWith(features: readonly Feature[]): readonly Endpoint[] {
  const enabled = new Map(features.map((feature) => [served[feature].id, served[feature]]))
  return endpoints.map((announced) => enabled.get(announced.id) ?? announced)
}
