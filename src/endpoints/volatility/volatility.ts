import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { Nullable, Percent } from '../../api/quantity.ts'
import { usableBars } from '../../volatility/realized.ts'
import { referenceVolatility } from '../../volatility/reference-slice.ts'
import { scopeFor } from '../exposure/scoped.ts'
import { percentOf } from './bars.ts'
import {
  ivDispersion,
  realizedVol,
  skewRows,
  spreads,
  termStructure,
  wireDispersion,
  wireRealized,
  wireSkew,
  wireSpreads,
  wireTerm
} from './dashboard/implied.ts'
import {
  gexByDte,
  hedgingScenarios,
  oiConcentration,
  putCallProfile,
  spreadsNearAndFar,
  thetaByDte,
  wireConcentration,
  wireHedging,
  wireLiquidity,
  wirePutCall,
  wireTenors
} from './dashboard/positioning.ts'
import { opening, openingFields } from './opening.ts'

export const volatility = endpoint({
  id: 'volatility.dashboard',
  path: '/v1/volatility/{symbol}',
  tag: 'volatility',
  summary: 'Realized and implied volatility, skew, term structure, positioning by tenor and liquidity',
  plan: 'growth',
  needs: ['chain', 'bars'],
  history: () => 90,
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...openingFields,
    realized_vol: realizedVol,
    atm_iv: Nullable(Percent('at the forward of the reference expiration')),
    iv_rv_spreads: spreads,
    skew_profiles: skewRows,
    term_structure: termStructure,
    iv_dispersion: ivDispersion,
    gex_by_dte: gexByDte,
    theta_by_dte: thetaByDte,
    put_call_profile: putCallProfile,
    oi_concentration: oiConcentration,
    hedging_scenarios: hedgingScenarios,
    liquidity: spreadsNearAndFar
  }),
  answer: ({ chain, bars }) => {
    const scope = scopeFor(chain, undefined)
    const realized = wireRealized(usableBars(bars))
    const atmIv = percentOf(referenceVolatility(chain))
    return {
      ...opening(chain),
      realized_vol: realized,
      atm_iv: atmIv,
      iv_rv_spreads: wireSpreads(atmIv, realized),
      skew_profiles: wireSkew(chain),
      term_structure: wireTerm(chain),
      iv_dispersion: wireDispersion(chain),
      ...wireTenors(scope),
      put_call_profile: wirePutCall(scope),
      oi_concentration: wireConcentration(scope),
      hedging_scenarios: wireHedging(scope),
      liquidity: wireLiquidity(scope)
    }
  }
})
