import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import type { Described } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { pastDate, symbolInPath } from '../../api/params.ts'
import { Decimal, Nullable, Percent, Score, Words } from '../../api/quantity.ts'
import { liveScope } from '../../exposure/scope.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { dealerFlowRisk } from '../../signals/risk-premium/dealers.ts'
import { less } from '../../signals/risk-premium/premium.ts'
import { MIN_SESSIONS, premiumRank, premiumWindow } from '../../signals/risk-premium/rank.ts'
import { isEventNear, premiumRegime, premiumWarnings, warningsOf } from '../../signals/risk-premium/regime.ts'
import { netHarvestScore, strategyScores } from '../../signals/risk-premium/scores.ts'
import { type UsableBars, usableBars } from '../../volatility/realized.ts'
import { closeOfBar } from './bars.ts'
import { opening, openingFields } from './opening.ts'
import * as fields from './vrp/fields.ts'
import { premiumsOf, wingsOf } from './vrp/premiums.ts'
import { RECORDS_READ } from './vrp/records.ts'
import { wireDealers, wireMacro, wirePremiums, wireRegime, wireScores } from './vrp/wire.ts'

/** No source states when companies report, so far. */
const reports: readonly IsoDate[] = []
/** Warnings that weigh on the net score. */
const burdens: ReadonlySet<string> = new Set(['event_risk', 'term_inversion', 'credit_stress'])

export const vrp = endpoint({
  id: 'volatility.vrp',
  path: '/v1/vrp/{symbol}',
  tag: 'volatility',
  summary: 'Volatility risk premium with its regime, warnings and scores',
  plan: 'alpha',
  needs: ['anyChain', 'bars', 'records', 'macro'],
  history: () => 90,
  snapshots: () => RECORDS_READ,
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
  response: Type.Object({
    ...openingFields,
    vrp: fields.core,
    variance_risk_premium: Nullable(Decimal(10, 'variance', 'atm_iv squared minus rv_20d squared, as fractions')),
    convexity_premium: Nullable(Percent('fair_vol minus atm_iv, vol points')),
    fair_vol: Nullable(Percent('of a variance swap on the reference expiration')),
    directional: fields.directional,
    term_vrp: fields.term,
    gex_conditioned: fields.gexConditioned,
    vanna_conditioned: fields.vannaConditioned,
    regime: fields.regime,
    strategy_scores: fields.strategies,
    net_harvest_score: Nullable(Score('premium, its rank and its setting in one figure')),
    dealer_flow_risk: Nullable(Score('below 30 benign, above 70 hostile to short volatility')),
    warnings: Type.Array(Words(...premiumWarnings)),
    macro: fields.macroLevels
  }),
  answer: ({ anyChain, bars, records, macro }, { symbol }) => {
    const usable = usableBars(bars)
    const described = describedBy(anyChain, usable, symbol)
    const chain = anyChain !== undefined && liveScope(anyChain).slots.length > 0 ? anyChain : undefined
    const premiums = premiumsOf(chain, usable, described.spot)
    const rank = premiumRank(less(premiums.implied.atmIv, premiums.realized.rv20), premiumWindow(records))
    const levels = wireMacro(macro)
    const eventRisk = isEventNear(easternDate(described.asOf), premiums.implied.expiry, reports)
    const warnings = warningsOf(premiums, {
      rank,
      eventRisk,
      wings: wingsOf(chain),
      vixSlope: levels.vix_term_slope,
      highYieldSpread: macro.highYieldSpread
    })
    const risk = chain && dealerFlowRisk(premiums.dealers)
    const ranked = rank.sessions >= MIN_SESSIONS
    return {
      ...opening(described),
      ...wirePremiums(premiums, rank),
      ...wireDealers(premiums),
      regime: wireRegime(premiums, premiumRegime(premiums, rank, { eventRisk, dealerFlowRisk: risk })),
      strategy_scores: ranked ? wireScores(chain && strategyScores(premiums)) : undefined,
      net_harvest_score: ranked
        ? netHarvestScore(premiums, {
            percentile: rank.percentile,
            dealerFlowRisk: risk,
            burdens: warnings.filter((warning) => burdens.has(warning)).length
          })
        : undefined,
      dealer_flow_risk: risk,
      warnings,
      macro: levels
    }
  }
})

/** The quote, else the close of the newest bar. */
function describedBy(chain: PricedChain | undefined, bars: UsableBars, symbol: Ticker): Described {
  if (chain !== undefined) return chain
  const bar = bars.at(-1)
  if (bar === undefined) throw apiError('no_data', `there is neither a quote nor a daily bar of ${symbol}`)
  return { symbol, spot: bar.close, asOf: closeOfBar(bar) }
}
