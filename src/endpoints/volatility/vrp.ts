import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import type { Described } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { pastDate, symbolInPath } from '../../api/params.ts'
import { Decimal, Nullable, Percent, Score, Words } from '../../api/quantity.ts'
import { spreadsByReach } from '../../exposure/liquidity/execution.ts'
import { liveScope } from '../../exposure/scope.ts'
import { vixTermSlope } from '../../macro/vix-term-structure.ts'
import { closeOfBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { dealerFlowRisk } from '../../signals/risk-premium/dealer-flow-risk.ts'
import { netPremiums } from '../../signals/risk-premium/net-premiums.ts'
import { premiumFigures } from '../../signals/risk-premium/premium-figures.ts'
import { MIN_SESSIONS, premiumRank, premiumWindow, RECORDS_READ } from '../../signals/risk-premium/premium-rank.ts'
import {
  burdensAmong,
  isEventNear,
  premiumRegime,
  premiumWarnings,
  warningsOf
} from '../../signals/risk-premium/premium-regime.ts'
import { netHarvestScore, sellingScores } from '../../signals/risk-premium/selling-scores.ts'
import { type UsableBars, usableBars } from '../../volatility/realized/realized.ts'
import { readingBlock } from '../exposure/reading-block.ts'
import { openingBlock } from './opening.ts'
import { gexConditionedBlock, regimeBlock, strategiesBlock, vannaConditionedBlock } from './vrp/dealers.ts'
import { premiumMacroBlock } from './vrp/macro.ts'
import { coreBlock, directionalBlock, termBlock } from './vrp/premiums.ts'

export const vrp = endpoint({
  id: 'vrp.current',
  path: '/v1/vrp/{symbol}',
  tag: 'volatility',
  summary: 'Volatility risk premium with its regime, warnings and scores',
  description:
    'Whether options are dear against what the underlying does: implied less realized volatility by window, tenor and side, its percentile, and what dealers and the wider market add. A past close by `date`.',
  plan: 'alpha',
  needs: ['anyChain', 'bars', 'records', 'macro', 'earningsDates', 'distrust'],
  barsRead: () => 90,
  recordsRead: () => RECORDS_READ,
  params: {
    symbol: symbolInPath(),
    date: pastDate({
      description: 'a date, yyyy-MM-dd, not in the future: the session whose close is described',
      code: 'invalid_date'
    })
  },
  session: ({ date }) => date,
  errors: ['no_data', 'no_snapshot'],
  replay: true,
  stream: true,
  mainBlock: 'vrp',
  response: Type.Object({
    ...openingBlock.schema.properties,
    vrp: coreBlock.schema,
    variance_risk_premium: Nullable(Decimal(10, 'variance', 'atm_iv squared minus rv_20d squared, as fractions')),
    convexity_premium: Nullable(Percent('fair_vol minus atm_iv, vol points')),
    fair_vol: Nullable(Percent('of a variance swap on the reference expiration')),
    directional: directionalBlock.schema,
    term_vrp: termBlock.schema,
    gex_conditioned: gexConditionedBlock.schema,
    vanna_conditioned: vannaConditionedBlock.schema,
    reading: readingBlock.schema,
    regime: regimeBlock.schema,
    strategy_scores: Nullable(strategiesBlock.schema),
    net_harvest_score: Nullable(Score('premium, its rank and its setting in one figure')),
    dealer_flow_risk: Nullable(Score('below 30 benign, above 70 hostile to short volatility')),
    warnings: Type.Array(Words(...premiumWarnings)),
    macro: premiumMacroBlock.schema
  }),
  answer: ({ anyChain, bars, records, macro, earningsDates = [], distrust }, { symbol }) => {
    const usable = usableBars(bars)
    const described = describedBy(anyChain, usable, symbol)
    const chain = anyChain !== undefined && liveScope(anyChain).slots.length > 0 ? anyChain : undefined
    const premiums = premiumFigures(chain, usable, described.spot)
    const net = netPremiums(premiums.implied, premiums.realized)
    const rank = premiumRank(net.over20, premiumWindow(records))
    const eventRisk = isEventNear(easternDate(described.asOf), premiums.implied.expiry, earningsDates)
    const warnings = warningsOf(premiums, {
      rank,
      eventRisk,
      wings: chain && spreadsByReach(liveScope(chain)).wing,
      vixSlope: vixTermSlope(macro),
      highYieldSpread: macro.highYieldSpread
    })
    const risk = chain && dealerFlowRisk(premiums.dealers)
    const regime = premiumRegime(premiums, rank, { eventRisk, dealerFlowRisk: risk })
    const isScored = rank.sessions >= MIN_SESSIONS && distrust === undefined
    const burdens = burdensAmong(warnings)
    return {
      ...openingBlock.fill(described),
      vrp: coreBlock.fill(premiums, net, rank),
      variance_risk_premium: net.variance,
      convexity_premium: net.convexity,
      fair_vol: premiums.implied.fairVol,
      directional: directionalBlock.fill(premiums, net),
      term_vrp: termBlock.fill(premiums.term),
      gex_conditioned: gexConditionedBlock.fill(premiums),
      vanna_conditioned: vannaConditionedBlock.fill(premiums.dealers),
      reading: readingBlock.fill(),
      regime: regimeBlock.fill(premiums.dealers, regime),
      strategy_scores: isScored ? strategiesBlock.fill(chain && sellingScores(premiums)) : undefined,
      net_harvest_score: isScored
        ? netHarvestScore(premiums, { percentile: rank.percentile, dealerFlowRisk: risk, burdens })
        : undefined,
      dealer_flow_risk: distrust === undefined ? risk : undefined,
      warnings,
      macro: premiumMacroBlock.fill(macro)
    }
  }
})

/**
 * Symbol, price and time at the head of the response: from the chain if there is one, else from the close of the newest
 * daily bar.
 */
function describedBy(chain: PricedChain | undefined, bars: UsableBars, symbol: Ticker): Described {
  if (chain !== undefined) return chain
  const bar = bars.at(-1)
  if (bar === undefined) throw apiError('no_data', `there is no quote and no daily bar of ${symbol}`)
  return { symbol, spot: bar.close, asOf: closeOfBar(bar) }
}
