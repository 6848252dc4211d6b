import Type from 'typebox'
import {
  Days,
  Decimal,
  IndexPoints,
  Level,
  Notional,
  Nullable,
  Percent,
  Ratio,
  Score,
  Sentence,
  Sigmas,
  Words
} from '../../../api/quantity.ts'
import { gammaSides, vannaOutlooks } from '../../../signals/risk-premium/dealers.ts'
import { premiumRegimes } from '../../../signals/risk-premium/regime.ts'

const percent = (description?: string) => Nullable(Percent(description))
const score = (description?: string) => Nullable(Score(description))

export const core = Type.Object({
  atm_iv: percent('at the forward of the reference expiration'),
  rv_5d: percent('close to close over the last 5 returns'),
  rv_10d: percent(),
  rv_20d: percent(),
  rv_30d: percent(),
  vrp_5d: percent('atm_iv minus rv_5d, vol points'),
  vrp_10d: percent(),
  vrp_20d: percent(),
  vrp_30d: percent(),
  z_score: Nullable(Sigmas('of vrp_20d among those of the sessions before')),
  percentile: score('of vrp_20d among them'),
  history_days: Days('sessions compared with, 60 at most')
})

export const directional = Type.Object({
  put_wing_iv_25d: percent('25 delta, reference expiration'),
  call_wing_iv_25d: percent(),
  downside_rv_20d: percent('semi-deviation of falling days, doubled'),
  upside_rv_20d: percent('of rising days'),
  downside_vrp: percent('put_wing_iv_25d minus downside_rv_20d, vol points'),
  upside_vrp: percent()
})

export const term = Type.Array(
  Type.Object({
    dte: Days('7, 14, 30 or 60'),
    iv: Percent('at the forward'),
    rv: Percent('over as many past returns'),
    vrp: Percent('iv minus rv, vol points')
  })
)

export const gexConditioned = Type.Object({
  regime: Words(...gammaSides),
  harvest_score: Nullable(Decimal(2, 'fraction', '0 to 1', { minimum: 0, maximum: 1 })),
  interpretation: Sentence()
})

export const vannaConditioned = Type.Object({ outlook: Words(...vannaOutlooks), interpretation: Sentence() })

export const regime = Type.Object({
  gamma: Words(...gammaSides),
  vrp_regime: Nullable(Words(...premiumRegimes)),
  net_gex: Nullable(Notional('full chain, USD of delta gained per 1 % move of spot')),
  gamma_flip: Nullable(Level())
})

export const strategies = Nullable(
  Type.Object({
    short_put_spread: score(),
    short_strangle: score(),
    iron_condor: score(),
    calendar_spread: score()
  })
)

export const macroLevels = Type.Object({
  vix: Nullable(IndexPoints()),
  vix_3m: Nullable(IndexPoints()),
  vix_term_slope: Nullable(Ratio('vix_3m over vix')),
  dgs10: percent('10-year Treasury yield'),
  hy_spread: percent('option-adjusted spread of high-yield bonds'),
  fed_funds: percent()
})
