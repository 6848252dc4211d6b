import {
  Contracts,
  Count,
  Decimal,
  Level,
  Notional,
  Percent,
  Price,
  Ratio,
  Score,
  Share,
  Sigmas,
  Usd
} from '../../api/quantity.ts'
import { gammaFlip } from '../../exposure/gamma-flip.ts'
import { sameDayMagnet } from '../../exposure/levels.ts'
import { maxPain } from '../../exposure/max-pain.ts'
import { openInterestDays } from '../../exposure/open-interest-days.ts'
import { gammaRegime, regimes } from '../../exposure/regime.ts'
import { flowDirections } from '../../flow/direction.ts'
import { isMarketOpen } from '../../market/clock.ts'
import type { Field } from '../../screener/field.ts'
import { assessments, premiumAssessment } from '../../signals/risk-premium/assessment.ts'
import { premiumRegimes } from '../../signals/risk-premium/regime.ts'
import { impliedPercentile, impliedRank } from '../../volatility/implied-rank.ts'
import { termStates } from '../../volatility/term-structure.ts'
import { quoteSides } from '../market/underlying-quote.ts'
import { fieldOf, figure, symbolName, truth, word } from './field-kinds.ts'
import type { Subject } from './subject.ts'

/** A field of a symbol and the measure it is: undefined where there is none. */
export interface StockField extends Field {
  readonly of: (subject: Subject) => number | string | boolean | undefined
}

type Measure = StockField['of']
type Kind = Parameters<typeof fieldOf>[2]

const growth = (key: string, kind: Kind, of: Measure, note?: string): StockField => ({
  ...fieldOf('stock', key, kind, note === undefined ? {} : { note }),
  of
})
const alpha = (key: string, kind: Kind, of: Measure, note?: string): StockField => ({
  ...fieldOf('stock', key, kind, { plan: 'alpha', ...(note !== undefined && { note }) }),
  of
})

const percent = figure(Percent())
const price = figure(Price())
const level = figure(Level())
const notional = figure(Notional())
const contracts = figure(Contracts())
const ratio = figure(Ratio())
const score = figure(Score())
const vol = { ...percent, unit: 'vol-points' }

const quote: readonly StockField[] = [
  growth('symbol', symbolName, () => undefined),
  growth('price', price, ({ chain }) => chain.quote.last, 'the last price, of /stockquote'),
  growth('bid', price, ({ chain }) => quoteSides(chain.quote).bid),
  growth('ask', price, ({ chain }) => quoteSides(chain.quote).ask),
  growth('mid', price, ({ chain }) => quoteSides(chain.quote).mid),
  growth('market_open', truth, ({ chain }) => isMarketOpen(chain.asOf)),
  growth('tier', figure(Count()), ({ tier }) => tier, 'of the universe, 1 or 2; null for a symbol loaded on demand')
]

const exposures: readonly StockField[] = [
  growth(
    'regime',
    word(...regimes),
    ({ scope }) => scope && gammaRegime(scope),
    'null without options, and without exposure'
  ),
  growth('net_gex', notional, ({ net }) => net?.gex),
  growth('net_dex', notional, ({ net }) => net?.dex),
  growth('net_vex', notional, ({ net }) => net?.vex),
  growth('net_chex', notional, ({ net }) => net?.chex),
  growth('gamma_flip', level, ({ scope }) => scope && gammaFlip(scope)),
  growth('call_wall', price, ({ levels }) => levels?.callWall?.strike),
  growth('put_wall', price, ({ levels }) => levels?.putWall?.strike),
  growth('max_positive_gamma', price, ({ levels }) => levels?.maxPositiveGamma?.strike),
  growth('max_negative_gamma', price, ({ levels }) => levels?.maxNegativeGamma?.strike),
  growth('highest_oi_strike', price, ({ levels }) => levels?.highestOi?.strike),
  growth('max_pain', price, ({ scope }) => scope && maxPain(scope), 'all expirations pooled'),
  growth('zero_dte_magnet', price, ({ scope, chain }) => scope && sameDayMagnet(chain)?.strike),
  growth('zero_dte_net_gex', notional, ({ today }) => today?.netGex),
  growth('zero_dte_pct_of_total', percent, ({ today }) => today?.percentOfTotal)
]

const volatility: readonly StockField[] = [
  growth('atm_iv', percent, ({ premiums }) => premiums.implied.atmIv),
  growth(
    'iv_rank',
    score,
    ({ premiums, records }) => impliedRank(premiums.implied.atmIv, records),
    '100 (atm_iv - min) / (max - min) over the recorded days of the last 252; null below 60 of them'
  ),
  growth(
    'iv_percentile',
    score,
    ({ premiums, records }) => impliedPercentile(premiums.implied.atmIv, records),
    'percent of those days with a lower atm_iv'
  ),
  growth('rv_5d', percent, ({ realized }) => realized.rv5),
  growth('rv_10d', percent, ({ realized }) => realized.rv10),
  growth('rv_20d', percent, ({ realized }) => realized.rv20),
  growth('rv_30d', percent, ({ realized }) => realized.rv30),
  growth('rv_60d', percent, ({ realized }) => realized.rv60),
  growth('hv_20', percent, ({ realized }) => realized.rv20, 'the same as rv_20d'),
  growth('hv_60', percent, ({ realized }) => realized.rv60, 'the same as rv_60d'),
  growth('vrp_5d', vol, ({ premium }) => premium.over5, 'atm_iv less rv_5d'),
  growth('vrp_10d', vol, ({ premium }) => premium.over10),
  growth('vrp_20d', vol, ({ premium }) => premium.over20),
  growth('vrp_30d', vol, ({ premium }) => premium.over30),
  growth('vrp_assessment', word(...assessments), ({ premium }) =>
    premium.over20 === undefined ? undefined : premiumAssessment(premium.over20)
  ),
  growth('skew_25d', vol, ({ skew }) => skew?.skew25),
  growth('smile_ratio', ratio, ({ skew }) => skew?.smileRatio),
  growth('term_state', word(...termStates), ({ term }) => term?.state),
  growth('near_slope_pct', percent, ({ term }) => term?.nearSlope),
  growth('far_slope_pct', percent, ({ term }) => term?.farSlope)
]

const trading: readonly StockField[] = [
  growth('put_call_ratio', ratio, ({ putCall }) => putCall?.oiRatio, 'the same as pc_ratio_oi'),
  growth('pc_ratio_oi', ratio, ({ putCall }) => putCall?.oiRatio),
  growth('pc_ratio_volume', ratio, ({ putCall }) => putCall?.volumeRatio),
  growth('total_call_oi', contracts, ({ putCall }) => putCall?.callOi),
  growth('total_put_oi', contracts, ({ putCall }) => putCall?.putOi),
  growth('total_call_volume', contracts, ({ putCall }) => putCall?.callVolume),
  growth('total_put_volume', contracts, ({ putCall }) => putCall?.putVolume),
  growth('active_expirations', figure(Count()), ({ expirations }) => expirations),
  growth('oi_weighted_dte', figure(Decimal(1, 'days')), ({ scope }) => scope && openInterestDays(scope)),
  growth('atm_spread_pct', percent, ({ spread }) => spread, 'mean of the strikes within 2 % of spot')
]

const premium: readonly StockField[] = [
  alpha('vrp_regime', word(...premiumRegimes), ({ premiumRegime }) => premiumRegime),
  alpha('harvest_score', score, ({ harvest }) => harvest, 'net_harvest_score of /v1/vrp'),
  alpha('dealer_flow_risk', score, ({ dealerFlowRisk }) => dealerFlowRisk),
  alpha('short_put_spread_score', score, ({ scores }) => scores?.shortPutSpread),
  alpha('short_strangle_score', score, ({ scores }) => scores?.shortStrangle),
  alpha('iron_condor_score', score, ({ scores }) => scores?.ironCondor),
  alpha('calendar_spread_score', score, ({ scores }) => scores?.calendarSpread),
  alpha('vrp_z_score', figure(Sigmas()), ({ rank }) => rank.zScore),
  alpha('vrp_percentile', score, ({ rank }) => rank.percentile)
]

const flow: readonly StockField[] = [
  alpha(
    'net_option_volume',
    contracts,
    ({ flow }) => flow?.netVolume,
    'netVolume of the option tape; null without one'
  ),
  alpha(
    'net_premium',
    figure(Usd()),
    ({ flow }) => flow?.netPremium,
    'bought less sold in the session; null without a tape'
  ),
  alpha('flow_direction', word(...flowDirections), ({ dealerRisk }) => dealerRisk?.direction, 'null without a tape'),
  alpha('flow_gex_pct_shift', figure(Share()), ({ dealerRisk }) => dealerRisk?.gex.share, 'of /v1/flow/dealer-risk'),
  alpha(
    'hedge_flow_cumulative',
    figure(Usd()),
    ({ flow }) => flow?.hedgeFlow,
    'the newest of /v1/flow/zero-dte/hedge-flow'
  )
]

/** Every field of a symbol, each with the measure it is. */
export const stockFields: readonly StockField[] = [
  ...quote,
  ...exposures,
  ...volatility,
  ...trading,
  ...premium,
  ...flow
]
