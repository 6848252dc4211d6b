import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Contracts, Greek, Name, Notional, Nullable, Percent, Price, Volatility } from '../../../api/quantity.ts'
import { slotsByStrike, strikeShares } from '../../../exposure/breakdown/strike-sides.ts'
import { netChex, netDex, netGex, netVex } from '../../../exposure/by-strike.ts'
import { spreadPercent } from '../../../exposure/liquidity/liquidity.ts'
import { expirationDate, type Scope } from '../../../exposure/scope.ts'
import { CALL } from '../../../market/chain.ts'
import { mid } from '../../../pricing/parity.ts'

export const strikesBlock = block(
  Type.Array(
    Type.Object(
      {
        strike: Price(),
        distance_from_spot_pct: Percent('signed, 100 (strike - spot) / spot'),
        call_symbol: Nullable(Name()),
        put_symbol: Nullable(Name()),
        call_gex: Notional(),
        put_gex: Notional(),
        net_gex: Notional(),
        call_dex: Notional(),
        put_dex: Notional(),
        net_dex: Notional(),
        net_vex: Notional(),
        net_chex: Notional(),
        call_oi: Contracts(),
        put_oi: Contracts(),
        call_volume: Contracts(),
        put_volume: Contracts(),
        gex_share_pct: Nullable(Percent()),
        oi_share_pct: Nullable(Percent()),
        volume_share_pct: Nullable(Percent()),
        call_iv: Nullable(Volatility()),
        put_iv: Nullable(Volatility()),
        call_delta: Nullable(Greek()),
        put_delta: Nullable(Greek()),
        call_gamma: Nullable(Greek()),
        put_gamma: Nullable(Greek()),
        call_theta: Nullable(Greek('USD per calendar day, which is not left of an expiration of today')),
        put_theta: Nullable(Greek('USD per calendar day, which is not left of an expiration of today')),
        call_mid: Nullable(Price()),
        put_mid: Nullable(Price()),
        call_spread_pct: Nullable(Percent('of mid')),
        put_spread_pct: Nullable(Percent('of mid'))
      },
      { title: 'ZeroDteStrikeRow' }
    ),
    rowKey('strike')
  ),
  (scope: Scope, window: number) => {
    const slots = slotsByStrike(scope)
    return strikeShares(scope, window).map(({ row, gex, oi, volume, distance }) => {
      const call = side(scope, slots.get(row.strike)?.call)
      const put = side(scope, slots.get(row.strike)?.put)
      return {
        strike: row.strike,
        distance_from_spot_pct: distance,
        call_symbol: call?.symbol,
        put_symbol: put?.symbol,
        call_gex: row.callGex,
        put_gex: row.putGex,
        net_gex: netGex(row),
        call_dex: row.callDex,
        put_dex: row.putDex,
        net_dex: netDex(row),
        net_vex: netVex(row),
        net_chex: netChex(row),
        call_oi: row.callOi,
        put_oi: row.putOi,
        call_volume: row.callVolume,
        put_volume: row.putVolume,
        gex_share_pct: gex,
        oi_share_pct: oi,
        volume_share_pct: volume,
        call_iv: call?.iv,
        put_iv: put?.iv,
        call_delta: call?.delta,
        put_delta: put?.delta,
        call_gamma: call?.gamma,
        put_gamma: put?.gamma,
        call_theta: call?.theta,
        put_theta: put?.theta,
        call_mid: call?.mid,
        put_mid: put?.mid,
        call_spread_pct: call?.spread,
        put_spread_pct: put?.spread
      }
    })
  }
)

/** Quote of one contract. The contract symbol contains the expiration date as yymmdd. */
function side({ chain }: Scope, slot: number | undefined) {
  if (slot === undefined) return undefined
  const date = expirationDate(chain, slot).slice(2).replaceAll('-', '')
  return {
    symbol: `${chain.symbol}-${date}-${chain.right[slot] === CALL ? 'C' : 'P'}-${chain.strike[slot]}`,
    iv: chain.sigma[slot],
    delta: chain.delta[slot],
    gamma: chain.gamma[slot],
    theta: chain.theta[slot],
    mid: mid(chain, slot),
    spread: spreadPercent(chain, slot)
  }
}
