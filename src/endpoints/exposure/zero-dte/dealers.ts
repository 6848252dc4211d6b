import Type from 'typebox'
import {
  Decimal,
  Level,
  Notional,
  Nullable,
  Percent,
  Sentence,
  Shares,
  Sigmas,
  Usd,
  Words
} from '../../../api/quantity.ts'
import { expectedMove } from '../../../exposure/at-the-money.ts'
import { byStrike } from '../../../exposure/by-strike.ts'
import { gammaFlip } from '../../../exposure/gamma-flip.ts'
import { curvatureAtSpot } from '../../../exposure/gamma-profile.ts'
import { dealerHedge } from '../../../exposure/hedging.ts'
import { netExposures, shareOfTotal } from '../../../exposure/net.ts'
import { gammaRegime } from '../../../exposure/regime.ts'
import { liveScope, type Scope } from '../../../exposure/scope.ts'
import { dayShareLeft, isMarketOpen } from '../../../market/clock.ts'
import { regimeReading } from '../../../wording/zero-dte.ts'
import { netFields, wireNet } from '../net-block.ts'
import { block } from './block.ts'

/** The days and the share of the session that a scope's expected move counts with. */
export function moveOf(scope: Scope) {
  const { chain, expirations } = scope
  return expectedMove(scope, chain.carries[expirations[0]].days, dayShareLeft(chain.asOf))
}

export const regimeBlock = block(
  Type.Object({
    label: Words('positive_gamma', 'negative_gamma', 'undetermined'),
    description: Sentence(),
    gamma_flip: Nullable(Level()),
    spot_vs_flip: Nullable(Words('above', 'below')),
    spot_to_flip_pct: Nullable(Percent('100 (spot - flip) / spot')),
    distance_to_flip_dollars: Nullable(Usd()),
    distance_to_flip_sigmas: Nullable(
      Sigmas('in remaining one-deviation moves, of a full day once the market is closed')
    )
  }),
  (scope) => {
    const { chain } = scope
    const { spot } = chain
    const label = gammaRegime(scope)
    const flip = gammaFlip(scope)
    const move = moveOf(scope)
    const sigma = isMarketOpen(chain.asOf) ? move?.remaining : move?.fullDay
    const distance = flip && Math.abs(spot - flip)
    return {
      label,
      description: regimeReading(label, spot, flip),
      gamma_flip: flip,
      spot_vs_flip: flip === undefined ? undefined : spot >= flip ? ('above' as const) : ('below' as const),
      spot_to_flip_pct: flip && (100 * (spot - flip)) / spot,
      distance_to_flip_dollars: distance,
      distance_to_flip_sigmas: distance === undefined || !sigma ? undefined : distance / sigma
    }
  }
)

export const exposuresBlock = block(
  Type.Object({
    ...netFields,
    pct_of_total_gex: Nullable(Percent('above 50 this expiration dominates')),
    total_chain_net_gex: Notional()
  }),
  (scope) => {
    const net = netExposures(scope)
    return {
      ...wireNet(net),
      pct_of_total_gex: shareOfTotal(net.gex, scope.chain),
      total_chain_net_gex: netExposures(liveScope(scope.chain)).gex
    }
  }
)

const moves = {
  spot_up_10bp: 0.1,
  spot_down_10bp: -0.1,
  spot_up_25bp: 0.25,
  spot_down_25bp: -0.25,
  spot_up_half_pct: 0.5,
  spot_down_half_pct: -0.5,
  spot_up_1pct: 1,
  spot_down_1pct: -1
} as const

const hedge = Type.Object({
  dealer_shares_to_trade: Shares('signed: dealers buy when positive'),
  direction: Words('buy', 'sell'),
  notional_usd: Usd('signed like the shares')
})
type Moves<Value> = { readonly [Name in keyof typeof moves]: Value }
const perMove = <Value>(value: (percent: number) => Value) =>
  Object.fromEntries(Object.entries(moves).map(([name, percent]) => [name, value(percent)])) as Moves<Value>

export const hedgingBlock = block(
  Type.Object({
    ...perMove(() => hedge),
    convexity_at_spot: Nullable(Decimal(2, 'usd-notional per dollar^2', 'how sharply net gamma bends at spot'))
  }),
  (scope) => {
    const { gex } = netExposures(scope)
    const { spot } = scope.chain
    return {
      ...perMove((percent) => {
        const { shares, buys, notional } = dealerHedge(gex, spot, percent)
        return {
          dealer_shares_to_trade: shares,
          direction: buys ? ('buy' as const) : ('sell' as const),
          notional_usd: notional
        }
      }),
      convexity_at_spot: curvatureAtSpot(byStrike(scope), spot)
    }
  }
)
