import Type from 'typebox'
import { rowsByPosition } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Days, Nullable, Percent, Score, Sigmas } from '../../../api/quantity.ts'
import type { TermPremium } from '../../../signals/risk-premium/implied-realized.ts'
import type { NetPremiums } from '../../../signals/risk-premium/net-premiums.ts'
import type { PremiumFigures } from '../../../signals/risk-premium/premium-figures.ts'
import type { PremiumRank } from '../../../signals/risk-premium/premium-rank.ts'

const percent = (description?: string) => Nullable(Percent(description))

export const coreBlock = block(
  Type.Object(
    {
      atm_iv: percent('at the forward of the reference expiration'),
      atm_iv_30d: percent('at the forward, constant maturity of 30 days'),
      rv_5d: percent('close to close over the last 5 returns'),
      rv_10d: percent(),
      rv_20d: percent(),
      rv_30d: percent(),
      vrp_5d: percent('atm_iv minus rv_5d, vol points'),
      vrp_10d: percent(),
      vrp_20d: percent(),
      vrp_30d: percent(),
      z_score: Nullable(Sigmas('of vrp_20d among previous sessions')),
      percentile: Nullable(Score('of vrp_20d among them')),
      history_days: Days('sessions in the comparison, 60 at most')
    },
    { title: 'VrpCore' }
  ),
  ({ implied, realized }: PremiumFigures, net: NetPremiums, { sessions, zScore, percentile }: PremiumRank) => ({
    atm_iv: implied.atmIv,
    atm_iv_30d: implied.atmIv30,
    rv_5d: realized.rv5,
    rv_10d: realized.rv10,
    rv_20d: realized.rv20,
    rv_30d: realized.rv30,
    vrp_5d: net.over5,
    vrp_10d: net.over10,
    vrp_20d: net.over20,
    vrp_30d: net.over30,
    z_score: zScore,
    percentile,
    history_days: sessions
  })
)

export const directionalBlock = block(
  Type.Object(
    {
      put_wing_iv_25d: percent('25 delta, reference expiration'),
      call_wing_iv_25d: percent(),
      downside_rv_20d: percent('semi-deviation of falling days, doubled'),
      upside_rv_20d: percent('of rising days'),
      downside_vrp: percent('put_wing_iv_25d minus downside_rv_20d, vol points'),
      upside_vrp: percent()
    },
    { title: 'VrpDirectional' }
  ),
  ({ implied, realized }: PremiumFigures, { downside, upside }: NetPremiums) => ({
    put_wing_iv_25d: implied.putWing25,
    call_wing_iv_25d: implied.callWing25,
    downside_rv_20d: realized.downside20,
    upside_rv_20d: realized.upside20,
    downside_vrp: downside,
    upside_vrp: upside
  })
)

export const termBlock = block(
  Type.Array(
    Type.Object(
      {
        dte: Days('7, 14, 30 or 60'),
        iv: Percent('at the forward'),
        rv: Percent('over as many past returns'),
        vrp: Percent('iv minus rv, vol points')
      },
      { title: 'TenorVrp' }
    ),
    rowsByPosition
  ),
  (term: readonly TermPremium[]) => term.map(({ days, iv, rv, premium }) => ({ dte: days, iv, rv, vrp: premium }))
)
