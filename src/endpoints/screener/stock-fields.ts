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
import { sameDayMagnet } from '../../exposure/levels/key-levels.ts'
import { openInterestDays } from '../../exposure/open-interest/open-interest-profile.ts'
import { maxPain } from '../../exposure/pin/max-pain.ts'
import { gammaRegime, regimes } from '../../exposure/regime.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { flowDirections } from '../../flow/open-interest/dealer-risk.ts'
import { isMarketOpen } from '../../market/clock.ts'
import type { ScreenerField } from '../../screener/screener-field.ts'
import { premiumAssessment, premiumAssessments, premiumRegimes } from '../../signals/risk-premium/premium-regime.ts'
import { impliedPercentile, impliedRank } from '../../volatility/term/implied-rank.ts'
import { termStates } from '../../volatility/term/term-structure.ts'
import { quoteSides } from '../market/underlying-quote.ts'
import { fieldOf, figure, symbolName, truth, word } from './field-kinds.ts'
import type { ScreenerSubject } from './subject.ts'

/** A screener field of a symbol, with the function that computes its value; undefined if there is none. */
export interface StockField extends ScreenerField {
  readonly of: (subject: ScreenerSubject) => number | string | boolean | undefined
}

type Measure = StockField['of']
type Kind = Parameters<typeof fieldOf>[2]

const open = (key: string, kind: Kind, of: Measure, note?: string): StockField => ({
  ...fieldOf('stock', key, kind, note === undefined ? {} : { note }),
  of
})
const full = (key: string, kind: Kind, of: Measure, note?: string): StockField => ({
  ...fieldOf('stock', key, kind, { entitlement: 'full_screen', ...(note !== undefined && { note }) }),
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
  open('symbol', symbolName, () => undefined),
  open('price', price, ({ chain }) => chain.quote.last, 'the last price, of /stockquote'),
  open('bid', price, ({ chain }) => quoteSides(chain.quote).bid),
  open('ask', price, ({ chain }) => quoteSides(chain.quote).ask),
  open('mid', price, ({ chain }) => quoteSides(chain.quote).mid),
  open('market_open', truth, ({ chain }) => isMarketOpen(chain.asOf)),
  open('tier', figure(Count()), ({ tier }) => tier, 'of the universe, 1 or 2; null for a symbol loaded on demand')
]

const exposures: readonly StockField[] = [
  open(
    'regime',
    word(...regimes),
    ({ scope }) => scope && gammaRegime(scope),
    'null without options, and without exposure'
  ),
  open('net_gex', notional, ({ net }) => net?.gex),
  open('net_dex', notional, ({ net }) => net?.dex),
  open('net_vex', notional, ({ net }) => net?.vex),
  open('net_chex', notional, ({ net }) => net?.chex),
  open('gamma_flip', level, ({ scope }) => scope && gammaFlip(scope)),
  open('call_wall', price, ({ levels }) => levels?.callWall?.strike),
  open('put_wall', price, ({ levels }) => levels?.putWall?.strike),
  open('max_positive_gamma', price, ({ levels }) => levels?.maxPositiveGamma?.strike),
  open('max_negative_gamma', price, ({ levels }) => levels?.maxNegativeGamma?.strike),
  open('highest_oi_strike', price, ({ levels }) => levels?.highestOi?.strike),
  open('max_pain', price, ({ scope }) => scope && maxPain(scope), 'all expirations pooled'),
  open('zero_dte_magnet', price, ({ scope, chain }) => scope && sameDayMagnet(chain)?.strike),
  open('zero_dte_net_gex', notional, ({ today }) => today?.netGex),
  open('zero_dte_pct_of_total', percent, ({ today }) => today?.percentOfTotal)
]

const volatility: readonly StockField[] = [
  open('atm_iv', percent, ({ premiums }) => premiums.implied.atmIv),
  open(
    'iv_rank',
    score,
    ({ premiums, records }) => impliedRank(premiums.implied.atmIv, records),
    '100 (atm_iv - min) / (max - min) over the recorded days of the last 252; null below 60 of them'
  ),
  open(
    'iv_percentile',
    score,
    ({ premiums, records }) => impliedPercentile(premiums.implied.atmIv, records),
    'percent of those days with a lower atm_iv'
  ),
  open('rv_5d', percent, ({ realized }) => realized.rv5),
  open('rv_10d', percent, ({ realized }) => realized.rv10),
  open('rv_20d', percent, ({ realized }) => realized.rv20),
  open('rv_30d', percent, ({ realized }) => realized.rv30),
  open('rv_60d', percent, ({ realized }) => realized.rv60),
  open('hv_20', percent, ({ realized }) => realized.rv20, 'the same as rv_20d'),
  open('hv_60', percent, ({ realized }) => realized.rv60, 'the same as rv_60d'),
  open('vrp_5d', vol, ({ premium }) => premium.over5, 'atm_iv less rv_5d'),
  open('vrp_10d', vol, ({ premium }) => premium.over10),
  open('vrp_20d', vol, ({ premium }) => premium.over20),
  open('vrp_30d', vol, ({ premium }) => premium.over30),
  open('vrp_assessment', word(...premiumAssessments), ({ premium }) =>
    premium.over20 === undefined ? undefined : premiumAssessment(premium.over20)
  ),
  open('skew_25d', vol, ({ skew }) => skew?.skew25),
  open('smile_ratio', ratio, ({ skew }) => skew?.smileRatio),
  open('term_state', word(...termStates), ({ term }) => term?.state),
  open('near_slope_pct', percent, ({ term }) => term?.nearSlope),
  open('far_slope_pct', percent, ({ term }) => term?.farSlope)
]

const trading: readonly StockField[] = [
  open('put_call_ratio', ratio, ({ putCall }) => putCall?.oiRatio, 'the same as pc_ratio_oi'),
  open('pc_ratio_oi', ratio, ({ putCall }) => putCall?.oiRatio),
  open('pc_ratio_volume', ratio, ({ putCall }) => putCall?.volumeRatio),
  open('total_call_oi', contracts, ({ putCall }) => putCall?.callOi),
  open('total_put_oi', contracts, ({ putCall }) => putCall?.putOi),
  open('total_call_volume', contracts, ({ putCall }) => putCall?.callVolume),
  open('total_put_volume', contracts, ({ putCall }) => putCall?.putVolume),
  open('active_expirations', figure(Count()), ({ expirations }) => expirations),
  open('oi_weighted_dte', figure(Decimal(1, 'days')), ({ scope }) => scope && openInterestDays(scope)),
  open('atm_spread_pct', percent, ({ spread }) => spread, 'mean of the strikes within 2 % of spot')
]

const premium: readonly StockField[] = [
  full('vrp_regime', word(...premiumRegimes), ({ premiumRegime }) => premiumRegime),
  full('harvest_score', score, ({ harvest }) => harvest, 'net_harvest_score of /v1/vrp'),
  full('dealer_flow_risk', score, ({ dealerFlowRisk }) => dealerFlowRisk),
  full('short_put_spread_score', score, ({ scores }) => scores?.shortPutSpread),
  full('short_strangle_score', score, ({ scores }) => scores?.shortStrangle),
  full('iron_condor_score', score, ({ scores }) => scores?.ironCondor),
  full('calendar_spread_score', score, ({ scores }) => scores?.calendarSpread),
  full('vrp_z_score', figure(Sigmas()), ({ rank }) => rank.zScore),
  full('vrp_percentile', score, ({ rank }) => rank.percentile)
]

const flow: readonly StockField[] = [
  full('net_option_volume', contracts, ({ flow }) => flow?.netVolume, 'netVolume of the option tape; null without one'),
  full(
    'net_premium',
    figure(Usd()),
    ({ flow }) => flow?.netPremium,
    'bought less sold in the session; null without a tape'
  ),
  full('flow_direction', word(...flowDirections), ({ dealerRisk }) => dealerRisk?.direction, 'null without a tape'),
  full('flow_gex_pct_shift', figure(Share()), ({ dealerRisk }) => dealerRisk?.gex.share, 'of /v1/flow/dealer-risk'),
  full(
    'hedge_flow_cumulative',
    figure(Usd()),
    ({ flow }) => flow?.hedgeFlow,
    'the newest of /v1/flow/zero-dte/hedge-flow'
  )
]

export const stockFields: readonly StockField[] = [
  ...quote,
  ...exposures,
  ...volatility,
  ...trading,
  ...premium,
  ...flow
]
