import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Contracts, Level, Nullable, Percent, Price, Score, Words } from '../../api/quantity.ts'
import type { PinFigures } from '../../signals/strategies/expiry-positioning-signal.ts'
import { type GammaSetting, spotPositions } from '../../signals/strategies/gamma-setting.ts'

/** Gamma flip, walls, and where spot lies relative to them. */
export const settingBlock = block(
  Type.Object({
    gamma_flip: Nullable(Level()),
    call_wall: Nullable(Price()),
    put_wall: Nullable(Price()),
    distance_to_flip_pct: Nullable(Percent('spot minus flip, of spot')),
    spot_position_label: Nullable(Words(...spotPositions))
  }),
  (figures: GammaSetting | undefined) => ({
    gamma_flip: figures?.flip,
    call_wall: figures?.callWall,
    put_wall: figures?.putWall,
    distance_to_flip_pct: figures?.distance,
    spot_position_label: figures?.position
  })
)

export const pinBlock = block(
  Type.Object({
    max_pain_strike: Nullable(Price('strike at which option holders are paid least')),
    distance_to_pain_pct: Nullable(Percent('of spot, unsigned')),
    oi_concentration_score: Nullable(Score('of the three largest strikes')),
    total_open_interest: Nullable(Contracts())
  }),
  (figures: PinFigures | undefined) => ({
    max_pain_strike: figures?.maxPain,
    distance_to_pain_pct: figures?.painDistance,
    oi_concentration_score: figures?.concentration,
    total_open_interest: figures?.openInterest
  })
)
