import Type, { type TObject } from 'typebox'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { expirationSetParameters } from '../../api/expiration-filter.ts'
import { symbolInPath } from '../../api/params.ts'
import { Day, Level, Notional, Nullable, Percent, Shares, Usd, Words } from '../../api/quantity.ts'
import { dealerHedge, type Hedge } from '../../exposure/hedging.ts'
import { netExposures, sameDayShare } from '../../exposure/net.ts'
import { gammaRegime, statedRegimes } from '../../exposure/regime.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { easternDate } from '../../market/eastern.ts'
import { bookFor, dealerModel, modelledEnvelope, modelledHeader, readsTape } from './dealer-model.ts'
import { interpretationBlock } from './interpretation-block.ts'
import { spokenNetBlock } from './net-block.ts'
import { readingBlock } from './reading-block.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { bySet, scopeAsked } from './scoped.ts'

/** Trades that dealers must make to stay hedged if spot moves by a given amount. */
const hedgeBlock = block(
  Type.Object(
    {
      dealer_shares_to_trade: Shares('signed: dealers buy when positive'),
      direction: Words('BUY', 'SELL'),
      notional_usd: Usd('|shares| times spot', { minimum: 0 })
    },
    { title: 'HedgingEstimate' }
  ),
  ({ shares, buys, notional }: Hedge) => ({
    dealer_shares_to_trade: shares,
    direction: buys ? ('BUY' as const) : ('SELL' as const),
    notional_usd: Math.abs(notional)
  })
)

interface SpokenHedge {
  readonly direction: string
}

/** Existing historical clients read directions in small letters, as the other answers with a hedging estimate have them. */
function smallDirections({ properties }: TObject) {
  const schema = Type.Object({ ...hedgeBlock.schema.properties, direction: Words('buy', 'sell') })
  const small = (hedge: SpokenHedge) => ({ ...hedge, direction: hedge.direction.toLowerCase() })
  return {
    response: Type.Object({
      ...properties,
      hedging_estimate: Type.Object({ spot_down_1pct: schema, spot_up_1pct: schema })
    }),
    of: (answer: { readonly hedging_estimate: Record<'spot_down_1pct' | 'spot_up_1pct', SpokenHedge> }) => {
      const { spot_down_1pct, spot_up_1pct } = answer.hedging_estimate
      const hedging_estimate = { spot_down_1pct: small(spot_down_1pct), spot_up_1pct: small(spot_up_1pct) }
      return { ...answer, hedging_estimate }
    }
  }
}

export const summary = endpoint({
  id: 'exposure.summary',
  path: '/v1/exposure/summary/{symbol}',
  tag: 'exposure',
  summary: 'Net exposures, regime and hedging estimate of the full chain',
  description:
    'The headline of a symbol in one answer: four net exposures, the gamma regime, shares that dealers trade for a 1 % move, and the part that expires today. The usual source of tiles and alerts.',
  plan: 'growth',
  needs: ['chain', 'sessionPositions', 'distrust'],
  params: { symbol: symbolInPath(), ...expirationSetParameters, dealer_model: dealerModel },
  ...bySet,
  positionsRead: readsTape,
  replay: true,
  stream: true,
  mainBlock: 'exposures',
  compatible: smallDirections,
  response: Type.Object({
    ...modelledEnvelope,
    gamma_flip: Nullable(Level()),
    regime: Words(...statedRegimes),
    exposures: spokenNetBlock.schema,
    interpretation: interpretationBlock.schema,
    reading: readingBlock.schema,
    hedging_estimate: Type.Object(
      { spot_down_1pct: hedgeBlock.schema, spot_up_1pct: hedgeBlock.schema },
      { title: 'HedgingEstimates' }
    ),
    zero_dte: Type.Object(
      {
        net_gex: Notional(),
        pct_of_total_gex: Nullable(Percent('100 |same-day net| / |full-chain net|; may exceed 100')),
        pct_of_gross_gex: Nullable(
          Percent('share of the gross gamma of all contracts, 0 to 100', { minimum: 0, maximum: 100 })
        ),
        expiration: Nullable(Day('today, or null when nothing live expires today'))
      },
      { title: 'ZeroDteShare' }
    ),
    ...setScopeSchema
  }),
  answer: ({ chain, sessionPositions }, asked) => {
    const book = bookFor(chain, asked, sessionPositions)
    const scope = scopeAsked(chain, asked, book)
    const net = netExposures(scope)
    const regime = gammaRegime(scope)
    const flip = gammaFlip(scope)
    const today = sameDayShare(chain, book)
    return {
      ...modelledHeader(chain, asked),
      gamma_flip: flip,
      regime,
      exposures: spokenNetBlock.fill(net),
      interpretation: interpretationBlock.fill(scope),
      reading: readingBlock.fill(asked.dealer_model),
      hedging_estimate: {
        spot_down_1pct: hedgeBlock.fill(dealerHedge(net.gex, chain.spot, -1)),
        spot_up_1pct: hedgeBlock.fill(dealerHedge(net.gex, chain.spot, 1))
      },
      zero_dte: {
        net_gex: today.netGex,
        pct_of_total_gex: today.percentOfTotal,
        pct_of_gross_gex: today.percentOfGross,
        expiration: today.expires ? easternDate(chain.asOf) : undefined
      },
      ...setScope(scope, asked)
    }
  }
})
