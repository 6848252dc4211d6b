import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import {
  Contracts,
  Day,
  Decimal,
  Level,
  Notional,
  Nullable,
  Percent,
  Price,
  Shares,
  Usd,
  Words
} from '../../../api/quantity.ts'
import { netGex, totalOi } from '../../../exposure/by-strike.ts'
import { dealerHedge, type Hedge } from '../../../exposure/hedging.ts'
import { keyLevels, topGammaStrikes } from '../../../exposure/levels/key-levels.ts'
import { hasGreeks } from '../../../exposure/liquidity/data-quality.ts'
import { netExposures, sameDayShare } from '../../../exposure/net.ts'
import { openInterestDays } from '../../../exposure/open-interest/open-interest-profile.ts'
import { maxPain } from '../../../exposure/pin/max-pain.ts'
import { gammaRegime, regimeOrPositive, regimes } from '../../../exposure/regime.ts'
import type { Scope } from '../../../exposure/scope.ts'
import { gammaFlip } from '../../../exposure/spot-ladder/gamma-flip.ts'
import { easternDate } from '../../../market/eastern.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { interpretationBlock } from '../../exposure/interpretation-block.ts'
import { spokenNetBlock } from '../../exposure/net-block.ts'
import { readingBlock } from '../../exposure/reading-block.ts'

/** Trades that dealers must make to stay hedged if spot moves by a given amount. */
const hedgeBlock = block(
  Type.Object(
    {
      dealer_shares: Shares('absolute', { minimum: 0 }),
      direction: Words('buy', 'sell'),
      notional_usd: Usd('shares times spot', { minimum: 0 })
    },
    { title: 'SummaryHedge' }
  ),
  ({ shares, buys, notional }: Hedge) => ({
    dealer_shares: Math.abs(shares),
    direction: buys ? ('buy' as const) : ('sell' as const),
    notional_usd: Math.abs(notional)
  })
)

const sameDayBlock = block(
  Type.Object(
    {
      net_gex: Notional(),
      pct_of_total: Nullable(Percent('100 |same-day net| / |full-chain net|; may exceed 100', { minimum: 0 })),
      pct_of_gross_gex: Nullable(
        Percent('share of the gross gamma of all contracts, 0 to 100', { minimum: 0, maximum: 100 })
      ),
      expiration: Nullable(Day('today, or null when nothing live expires today'))
    },
    { title: 'SummaryZeroDte' }
  ),
  (chain: PricedChain) => {
    const today = sameDayShare(chain)
    return {
      net_gex: today.netGex,
      pct_of_total: today.percentOfTotal,
      pct_of_gross_gex: today.percentOfGross,
      expiration: today.expires ? easternDate(chain.asOf) : undefined
    }
  }
)

/**
 * Exposure part of the summary. Undefined if no live contract has greeks, since then even an exposure of 0 would be a
 * guess.
 */
export const exposureBlock = block(
  Nullable(
    Type.Object(
      {
        ...spokenNetBlock.schema.properties,
        gamma_flip: Nullable(Level()),
        call_wall: Nullable(Price()),
        put_wall: Nullable(Price()),
        max_pain: Nullable(Price('all expirations pooled')),
        highest_oi_strike: Nullable(Price()),
        regime: Words(...regimes),
        interpretation: interpretationBlock.schema,
        reading: readingBlock.schema,
        hedging_estimate: Type.Object(
          { spot_down_1pct: hedgeBlock.schema, spot_up_1pct: hedgeBlock.schema },
          { title: 'SummaryHedges' }
        ),
        zero_dte: sameDayBlock.schema,
        top_strikes: Type.Array(
          Type.Object(
            {
              strike: Price(),
              net_gex: Notional(),
              call_oi: Contracts(),
              put_oi: Contracts(),
              total_oi: Contracts()
            },
            { title: 'SummaryStrike' }
          ),
          { ...rowKey('strike'), maxItems: 5, description: 'by size of net gamma, largest first' }
        ),
        oi_weighted_dte: Nullable(Decimal(1, 'days', 'mean days to expiry of the open contracts', { minimum: 0 }))
      },
      { title: 'SummaryExposure' }
    )
  ),
  (scope: Scope) => {
    if (!hasGreeks(scope)) return undefined
    const { chain } = scope
    const net = netExposures(scope)
    const flip = gammaFlip(scope)
    const regime = gammaRegime(scope)
    const levels = keyLevels(scope)
    return {
      ...spokenNetBlock.fill(net),
      gamma_flip: flip,
      call_wall: levels.callWall?.strike,
      put_wall: levels.putWall?.strike,
      max_pain: maxPain(scope),
      highest_oi_strike: levels.highestOi?.strike,
      regime: regimeOrPositive(regime),
      interpretation: interpretationBlock.fill(scope),
      reading: readingBlock.fill(),
      hedging_estimate: {
        spot_down_1pct: hedgeBlock.fill(dealerHedge(net.gex, chain.spot, -1)),
        spot_up_1pct: hedgeBlock.fill(dealerHedge(net.gex, chain.spot, 1))
      },
      zero_dte: sameDayBlock.fill(chain),
      top_strikes: topGammaStrikes(scope, 5).map((row) => ({
        strike: row.strike,
        net_gex: netGex(row),
        call_oi: row.callOi,
        put_oi: row.putOi,
        total_oi: totalOi(row)
      })),
      oi_weighted_dte: openInterestDays(scope)
    }
  }
)
