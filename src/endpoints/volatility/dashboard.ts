import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { Nullable, Percent } from '../../api/quantity.ts'
import { tenorBuckets } from '../../exposure/breakdown/tenor-buckets.ts'
import { inPercent } from '../../math/optional.ts'
import { realizedWindows, usableBars } from '../../volatility/realized/realized.ts'
import { REFERENCE_DAYS, referenceVolatility } from '../../volatility/term/reference-slice.ts'
import { tenorVolatility } from '../../volatility/term/tenor.ts'
import { scopeFor } from '../exposure/scoped.ts'
import {
  ivDispersionBlock,
  premiumBlock,
  realizedBlock,
  skewProfilesBlock,
  termStructureBlock
} from './dashboard/implied.ts'
import {
  concentrationBlock,
  gexByTenorBlock,
  hedgingBlock,
  putCallBlock,
  spreadsBlock,
  thetaByTenorBlock
} from './dashboard/positioning.ts'
import { modelFreeBlock } from './model-free.ts'
import { openingBlock } from './opening.ts'

export const dashboard = endpoint({
  id: 'volatility.current',
  path: '/v1/volatility/{symbol}',
  tag: 'volatility',
  summary: 'Realized and implied volatility, skew, term structure, positioning by tenor and liquidity',
  description:
    'A dashboard of volatility: realized over several windows, premiums, skew of every expiration, term structure, positions by tenor, concentration and spreads.',
  plan: 'growth',
  needs: ['chain', 'bars'],
  barsRead: () => 90,
  params: { symbol: symbolInPath() },
  replay: true,
  stream: true,
  response: Type.Object({
    ...openingBlock.schema.properties,
    realized_vol: realizedBlock.schema,
    atm_iv: Nullable(Percent('at the forward of the reference expiration')),
    atm_iv_30d: Nullable(Percent('at the forward, constant maturity of 30 days')),
    iv_rv_spreads: premiumBlock.schema,
    skew_profiles: skewProfilesBlock.schema,
    term_structure: termStructureBlock.schema,
    iv_dispersion: ivDispersionBlock.schema,
    model_free: modelFreeBlock.schema,
    gex_by_dte: gexByTenorBlock.schema,
    theta_by_dte: thetaByTenorBlock.schema,
    put_call_profile: putCallBlock.schema,
    oi_concentration: concentrationBlock.schema,
    hedging_scenarios: hedgingBlock.schema,
    liquidity: spreadsBlock.schema
  }),
  answer: ({ chain, bars }) => {
    const scope = scopeFor(chain, undefined)
    const realized = realizedWindows(usableBars(bars))
    const atmIv = inPercent(referenceVolatility(chain))
    const tenors = tenorBuckets(scope)
    return {
      ...openingBlock.fill(chain),
      realized_vol: realizedBlock.fill(realized),
      atm_iv: atmIv,
      atm_iv_30d: inPercent(tenorVolatility(chain, REFERENCE_DAYS)),
      iv_rv_spreads: premiumBlock.fill(atmIv, realized),
      skew_profiles: skewProfilesBlock.fill(chain),
      term_structure: termStructureBlock.fill(chain),
      iv_dispersion: ivDispersionBlock.fill(chain),
      model_free: modelFreeBlock.fill(chain),
      gex_by_dte: gexByTenorBlock.fill(tenors),
      theta_by_dte: thetaByTenorBlock.fill(tenors),
      put_call_profile: putCallBlock.fill(scope),
      oi_concentration: concentrationBlock.fill(scope),
      hedging_scenarios: hedgingBlock.fill(scope),
      liquidity: spreadsBlock.fill(scope)
    }
  }
})
