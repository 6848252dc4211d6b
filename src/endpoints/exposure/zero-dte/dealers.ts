import Type from 'typebox'
import { block } from '../../../api/block.ts'
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
import { flipDistance } from '../../../exposure/at-the-money/implied-move.ts'
import { curvatureAtSpot } from '../../../exposure/breakdown/gamma-profile.ts'
import { byStrike } from '../../../exposure/by-strike.ts'
import { dealerHedge, type Hedge } from '../../../exposure/hedging.ts'
import { netExposures, shareOfGross, shareOfTotal } from '../../../exposure/net.ts'
import { gammaRegime, statedRegimes } from '../../../exposure/regime.ts'
import { exposureGap, hasExpired, liveScope, type Scope, withBook } from '../../../exposure/scope.ts'
import { gammaFlip } from '../../../exposure/spot-ladder/gamma-flip.ts'
import { regimeOfExpired } from '../../../wording/expired.ts'
import { regimeReading } from '../../../wording/same-day-readings.ts'
import { spokenNetBlock } from '../net-block.ts'

export const sameDayRegimeBlock = block(
  Type.Object(
    {
      label: Words(...statedRegimes),
      description: Sentence(),
      gamma_flip: Nullable(Level()),
      spot_vs_flip: Nullable(Words('above', 'below')),
      spot_to_flip_pct: Nullable(Percent('100 (spot - flip) / spot')),
      distance_to_flip_dollars: Nullable(Usd()),
      distance_to_flip_sigmas: Nullable(
        Sigmas('in remaining one-deviation moves, of a full day once the market is closed')
      )
    },
    { title: 'ZeroDteRegime' }
  ),
  (scope: Scope) => {
    const label = gammaRegime(scope)
    const flip = gammaFlip(scope)
    const distance = flipDistance(scope)
    return {
      label,
      description: hasExpired(scope)
        ? regimeOfExpired
        : regimeReading(label, scope.chain.spot, flip, exposureGap(scope)),
      gamma_flip: flip,
      spot_vs_flip: distance?.side,
      spot_to_flip_pct: distance?.percent,
      distance_to_flip_dollars: distance?.dollars,
      distance_to_flip_sigmas: distance?.sigmas
    }
  }
)

export const exposuresBlock = block(
  Type.Object(
    {
      ...spokenNetBlock.schema.properties,
      pct_of_total_gex: Nullable(Percent('100 |net of this expiration| / |full-chain net|; may exceed 100')),
      pct_of_gross_gex: Nullable(
        Percent('share of the gross gamma of all contracts, 0 to 100', { minimum: 0, maximum: 100 })
      ),
      total_chain_net_gex: Notional()
    },
    { title: 'ZeroDteExposures' }
  ),
  (scope: Scope) => {
    const net = netExposures(scope)
    return {
      ...spokenNetBlock.fill(net),
      pct_of_total_gex: shareOfTotal(net.gex, scope.chain, scope.book),
      pct_of_gross_gex: shareOfGross(scope),
      total_chain_net_gex: netExposures(withBook(liveScope(scope.chain), scope.book)).gex
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

/** Trades that dealers must make to stay hedged if spot moves by a given amount. */
const hedgeBlock = block(
  Type.Object(
    {
      dealer_shares_to_trade: Shares('signed: dealers buy when positive'),
      direction: Words('buy', 'sell'),
      notional_usd: Usd('signed like the shares')
    },
    { title: 'ZeroDteHedge' }
  ),
  ({ shares, buys, notional }: Hedge) => ({
    dealer_shares_to_trade: shares,
    direction: buys ? ('buy' as const) : ('sell' as const),
    notional_usd: notional
  })
)

type Moves<Value> = { readonly [Name in keyof typeof moves]: Value }
const perMove = <Value>(value: (percent: number) => Value) =>
  Object.fromEntries(Object.entries(moves).map(([name, percent]) => [name, value(percent)])) as Moves<Value>

export const sameDayHedgingBlock = block(
  Type.Object(
    {
      ...perMove(() => hedgeBlock.schema),
      convexity_at_spot: Nullable(Decimal(2, 'usd-notional per dollar^2', 'how sharply net gamma bends at spot'))
    },
    { title: 'ZeroDteHedges' }
  ),
  (scope: Scope) => {
    const { gex } = netExposures(scope)
    const { spot } = scope.chain
    return {
      ...perMove((percent) => hedgeBlock.fill(dealerHedge(gex, spot, percent))),
      convexity_at_spot: curvatureAtSpot(byStrike(scope), spot)
    }
  }
)
