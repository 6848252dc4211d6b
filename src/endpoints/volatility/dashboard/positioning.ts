import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Contracts, Day, Notional, Nullable, Percent, Ratio, Share, Shares, Usd, Words } from '../../../api/quantity.ts'
import type { TenorBucket } from '../../../exposure/breakdown/tenor-buckets.ts'
import { dealerHedge } from '../../../exposure/hedging.ts'
import { spreadsByReach } from '../../../exposure/liquidity/execution.ts'
import { grossShares, netExposures } from '../../../exposure/net.ts'
import {
  herfindahl,
  openInterestByMoneyness,
  putCallByExpiration
} from '../../../exposure/open-interest/open-interest-profile.ts'
import { withRatios } from '../../../exposure/open-interest/put-call-totals.ts'
import { topStrikesShare } from '../../../exposure/pin/pin-risk.ts'
import type { Scope } from '../../../exposure/scope.ts'

const bucket = Words('0-7d', '8-30d', '31-60d', '60d+')
const held = Contracts('series with open interest and greeks')

export const gexByTenorBlock = block(
  Type.Array(
    Type.Object(
      {
        bucket,
        net_gex: Notional('USD of delta gained per 1 % move of spot'),
        pct_of_total: Percent('100 |net_gex| over the sum of them'),
        contract_count: held
      },
      { title: 'TenorGex' }
    ),
    { ...rowKey('bucket'), minItems: 4, maxItems: 4 }
  ),
  (tenors: readonly TenorBucket[]) => {
    const shares = grossShares(tenors.map(({ netGex }) => netGex))
    return tenors.map(({ bucket, netGex, contracts }, k) => ({
      bucket,
      net_gex: netGex,
      pct_of_total: shares[k],
      contract_count: contracts
    }))
  }
)

export const thetaByTenorBlock = block(
  Type.Array(
    Type.Object(
      {
        bucket,
        net_theta: Usd('holder side, per calendar day; of contracts that expire today, to their expiry'),
        contract_count: held
      },
      { title: 'TenorTheta' }
    ),
    {
      ...rowKey('bucket'),
      minItems: 4,
      maxItems: 4
    }
  ),
  (tenors: readonly TenorBucket[]) =>
    tenors.map(({ bucket, netTheta, contracts }) => ({ bucket, net_theta: netTheta, contract_count: contracts }))
)

export const putCallBlock = block(
  Type.Object(
    {
      by_expiry: Type.Array(
        Type.Object(
          {
            expiry: Day(),
            call_oi: Contracts(),
            put_oi: Contracts(),
            pc_ratio_oi: Nullable(Ratio()),
            call_volume: Contracts(),
            put_volume: Contracts(),
            pc_ratio_volume: Nullable(Ratio())
          },
          { title: 'ExpirationPutCall' }
        ),
        rowKey('expiry')
      ),
      by_moneyness: Type.Object(
        {
          otm_call_oi: Contracts(),
          atm_call_oi: Contracts('within 5 % of spot'),
          itm_call_oi: Contracts(),
          otm_put_oi: Contracts(),
          atm_put_oi: Contracts(),
          itm_put_oi: Contracts()
        },
        { title: 'MoneynessPutCall' }
      )
    },
    { title: 'PutCallProfile' }
  ),
  (scope: Scope) => {
    const { calls, puts } = openInterestByMoneyness(scope)
    return {
      by_expiry: putCallByExpiration(scope)
        .map(withRatios)
        .map((row) => ({
          expiry: row.date,
          call_oi: row.callOi,
          put_oi: row.putOi,
          pc_ratio_oi: row.oiRatio,
          call_volume: row.callVolume,
          put_volume: row.putVolume,
          pc_ratio_volume: row.volumeRatio
        })),
      by_moneyness: {
        otm_call_oi: calls.otm,
        atm_call_oi: calls.atm,
        itm_call_oi: calls.itm,
        otm_put_oi: puts.otm,
        atm_put_oi: puts.atm,
        itm_put_oi: puts.itm
      }
    }
  }
)

export const concentrationBlock = block(
  Type.Object(
    {
      top_3_pct: Nullable(Percent('share of the three largest strikes')),
      top_5_pct: Nullable(Percent()),
      top_10_pct: Nullable(Percent()),
      herfindahl: Nullable(Share('sum of the squared shares of all strikes'))
    },
    { title: 'OpenInterestConcentration' }
  ),
  (scope: Scope) => {
    const [three, five, ten] = [3, 5, 10].map((count) => topStrikesShare(scope, count))
    return { top_3_pct: three, top_5_pct: five, top_10_pct: ten, herfindahl: herfindahl(scope) }
  }
)

const moves = [-5, -2, -1, 1, 2, 5]

export const hedgingBlock = block(
  Type.Array(
    Type.Object(
      {
        move_pct: Type.Integer({ description: 'move of spot', 'x-unit': 'percent' }),
        dealer_shares: Shares('signed: dealers buy when positive'),
        direction: Words('buy', 'sell'),
        notional_usd: Usd('|shares| times spot', { minimum: 0 })
      },
      { title: 'HedgingScenario' }
    ),
    { ...rowKey('move_pct'), minItems: 6, maxItems: 6 }
  ),
  (scope: Scope) => {
    const { gex } = netExposures(scope)
    return moves.map((move) => {
      const { shares, buys, notional } = dealerHedge(gex, scope.chain.spot, move)
      return {
        move_pct: move,
        dealer_shares: shares,
        direction: buys ? ('buy' as const) : ('sell' as const),
        notional_usd: Math.abs(notional)
      }
    })
  }
)

export const spreadsBlock = block(
  Type.Object(
    {
      atm_avg_spread_pct: Nullable(Percent('of mid, strikes within 2 % of spot')),
      wing_avg_spread_pct: Nullable(Percent('of mid, more than 10 % out of the money')),
      atm_contracts: Contracts('averaged'),
      wing_contracts: Contracts('averaged')
    },
    { title: 'AverageSpreads' }
  ),
  (scope: Scope) => {
    const { atm, wing } = spreadsByReach(scope)
    return {
      atm_avg_spread_pct: atm.mean,
      wing_avg_spread_pct: wing.mean,
      atm_contracts: atm.contracts,
      wing_contracts: wing.contracts
    }
  }
)
