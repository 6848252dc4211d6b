import Type from 'typebox'
import { block } from '../../api/block.ts'
import {
  Contracts,
  Count,
  Decimal,
  Level,
  Notional,
  Nullable,
  Price,
  Sentence,
  Share,
  Words
} from '../../api/quantity.ts'
import { keyLevels } from '../../exposure/levels/key-levels.ts'
import { maxPain } from '../../exposure/pin/max-pain.ts'
import type { Scope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import type { DealerRisk } from '../../flow/open-interest/dealer-risk.ts'
import { flowDirections } from '../../flow/open-interest/dealer-risk.ts'
import type { SimulatorTotals } from '../../flow/open-interest/effective-open-interest.ts'
import { DEFAULT_CONFIDENCE } from '../../flow/open-interest/simulator.ts'
import type { Positions } from '../../flow/tape-views.ts'
import { flowReading } from '../../wording/flow-reading.ts'

export const shift = (of: string) => Nullable(Share(`${of}_adjustment / settled; null where only that is 0`))
export const withFlow = Count("option series whose open interest the session's flow is estimated to have changed")
export const direction = Words(...flowDirections)

/** Gamma flip, walls and max pain, computed from effective open interest. */
export const liveLevelsBlock = block(
  Type.Object({
    live_gamma_flip: Nullable(Level('spot at which net gamma exposure crosses zero, volatilities held')),
    live_call_wall: Nullable(Price('strike with the largest call gamma')),
    live_put_wall: Nullable(Price('strike with the most negative put gamma')),
    live_max_pain: Nullable(Price('strike at which the fewest dollars are paid out'))
  }),
  (scope: Scope) => {
    const { callWall, putWall } = keyLevels(scope)
    return {
      live_gamma_flip: gammaFlip(scope),
      live_call_wall: callWall?.strike,
      live_put_wall: putWall?.strike,
      live_max_pain: maxPain(scope)
    }
  }
)

/**
 * Open interest of the selected contracts: the official figure, the change estimated from the session's prints, and
 * both together.
 */
export const simulatorBlock = block(
  Type.Object({
    official_oi: Contracts('as published in the morning', { minimum: 0 }),
    simulated_oi: Contracts('official_oi + intraday_oi_delta; may be below 0'),
    intraday_oi_delta: Contracts("contracts that the session's flow is estimated to have opened, less those closed"),
    oi_delta_confidence: Decimal(6, 'fraction', 'the share of classified volume that is taken to change positions', {
      maximum: 1
    }),
    effective_oi: Contracts('the sum of what each contract has, none of them below 0', { minimum: 0 })
  }),
  ({ official, simulated, delta, effective }: SimulatorTotals, positions: Positions | undefined) => ({
    official_oi: official,
    simulated_oi: simulated,
    intraday_oi_delta: delta,
    oi_delta_confidence: positions?.confidence ?? DEFAULT_CONFIDENCE,
    effective_oi: effective
  })
)

/** Net dealer exposure computed from official and from effective open interest, and the change between the two. */
export const dealerRiskBlock = block(
  Type.Object({
    settled_net_gex: Notional('on official open interest, USD of delta gained per 1 % move of spot'),
    live_net_gex: Notional('on effective open interest'),
    flow_gex_adjustment: Notional('live - settled'),
    flow_gex_pct_shift: shift('flow_gex'),
    settled_net_dex: Notional('on official open interest, USD delta of the option holders'),
    live_net_dex: Notional('on effective open interest'),
    flow_dex_adjustment: Notional('live - settled'),
    flow_dex_pct_shift: shift('flow_dex'),
    total_abs_delta_contracts: Contracts('sum of |effective - official| over the contracts', { minimum: 0 }),
    flow_direction: direction,
    description: Sentence()
  }),
  ({ gex, dex, direction }: DealerRisk, { moved, seriesWithFlow }: SimulatorTotals) => ({
    settled_net_gex: gex.settled,
    live_net_gex: gex.live,
    flow_gex_adjustment: gex.adjustment,
    flow_gex_pct_shift: gex.share,
    settled_net_dex: dex.settled,
    live_net_dex: dex.live,
    flow_dex_adjustment: dex.adjustment,
    flow_dex_pct_shift: dex.share,
    total_abs_delta_contracts: moved,
    flow_direction: direction,
    description: flowReading(direction, gex.share, { seriesWithFlow, moved, liveGex: gex.live })
  })
)
