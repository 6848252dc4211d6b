import type { TSchema } from 'typebox'
import { Contracts, Level, Notional, Percent, Price, Ratio, Score, Usd } from '../../api/quantity.ts'
import { type AnswerColumn, figureColumn } from '../../api/rows/table-columns.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import { impliedMove } from '../../exposure/at-the-money/implied-move.ts'
import { keyLevels } from '../../exposure/levels/key-levels.ts'
import { netExposures } from '../../exposure/net.ts'
import { maxPain } from '../../exposure/pin/max-pain.ts'
import { magnetPin } from '../../exposure/pin/pin-risk.ts'
import type { Scope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { hoursToClose, netTheta, perHourLeft } from '../../exposure/time-decay.ts'
import { cellsWhere, pressureSum } from '../../market/hedge-pressure.ts'
import { inPercent } from '../../math/optional.ts'
import { quarterSkewOf } from '../../volatility/smile/skew.ts'
import { moveOfDay } from '../../volatility/term/expected-move.ts'
import { REFERENCE_DAYS, referenceSmile } from '../../volatility/term/reference-slice.ts'
import { tenorVolatility } from '../../volatility/term/tenor.ts'
import { flowScopeOf } from '../flow/flow-scope.ts'
import type { SeriesSubject } from './subject.ts'

export interface SeriesField {
  readonly name: string
  /** Unit and rounding of the figure, the same as in the endpoint that returns it for one moment. */
  readonly quantity: TSchema
  /**
   * Whether the figure needs option prints. Such figures are recorded later than the others, once the prints of the
   * session are archived.
   */
  readonly ofTape: boolean
  readonly of: (subject: SeriesSubject) => number | undefined
}

const field = (name: string, quantity: TSchema, of: SeriesField['of']): SeriesField => ({
  name,
  quantity,
  ofTape: name.startsWith('flow.'),
  of
})
/** Declares a figure of the options that expire today. */
const sameDay = (name: string, quantity: TSchema, of: (today: Scope) => number | undefined): SeriesField =>
  field(`zero_dte.${name}`, quantity, ({ today }) => today && of(today))
const ofTape = (
  name: string,
  quantity: TSchema,
  of: (subject: SeriesSubject & { readonly tape: NonNullable<SeriesSubject['tape']> }) => number | undefined
): SeriesField => field(`flow.${name}`, quantity, ({ tape, ...subject }) => tape && of({ ...subject, tape }))

const CENTS = 100
/** Cells of the hedging pressure that is recorded over time. */
const hedgeSums = {
  delta: cellsWhere(({ measure }) => measure === 'delta'),
  delta_calls: cellsWhere(({ measure, right }) => measure === 'delta' && right === 'calls'),
  delta_puts: cellsWhere(({ measure, right }) => measure === 'delta' && right === 'puts'),
  delta_next: cellsWhere(({ measure, expiry }) => measure === 'delta' && expiry === 'next'),
  gamma: cellsWhere(({ measure }) => measure === 'gamma'),
  vega: cellsWhere(({ measure }) => measure === 'vega')
}

/**
 * All figures that are recorded over time, in the order of the table's columns. After adding one or changing a formula,
 * raise the version in `signals/figure-version.ts`.
 */
export const seriesFields: readonly SeriesField[] = [
  field('underlying_price', Price(), ({ chain }) => chain.spot),
  field('net_gex', Notional(), ({ net }) => net?.gex),
  field('net_dex', Notional(), ({ net }) => net?.dex),
  field('net_vex', Notional(), ({ net }) => net?.vex),
  field('net_chex', Notional(), ({ net }) => net?.chex),
  field('gamma_flip', Level(), ({ scope }) => scope && gammaFlip(scope)),
  field('call_wall', Price(), ({ levels }) => levels?.callWall?.strike),
  field('put_wall', Price(), ({ levels }) => levels?.putWall?.strike),
  field('call_wall_above', Price(), ({ levels }) => levels?.callWallAbove?.strike),
  field('put_wall_below', Price(), ({ levels }) => levels?.putWallBelow?.strike),
  field('max_positive_gamma', Price(), ({ levels }) => levels?.maxPositiveGamma?.strike),
  field('max_negative_gamma', Price(), ({ levels }) => levels?.maxNegativeGamma?.strike),
  field('max_pain', Price(), ({ scope }) => scope && maxPain(scope)),
  field('atm_iv', Percent(), ({ atmIv }) => atmIv),
  field('atm_iv_30d', Percent(), ({ scope, chain }) => scope && inPercent(tenorVolatility(chain, REFERENCE_DAYS))),
  field('skew_25d', Percent(), ({ scope, chain }) => {
    const smile = scope && referenceSmile(chain)
    return smile && quarterSkewOf(smile)?.skew25
  }),
  field('expected_move_1d', Price(), ({ atmIv, chain }) =>
    atmIv === undefined ? undefined : moveOfDay(chain.spot, atmIv)
  ),
  field('pc_ratio_oi', Ratio(), ({ putCall }) => putCall?.oiRatio),
  field('pc_ratio_volume', Ratio(), ({ putCall }) => putCall?.volumeRatio),
  field('total_call_oi', Contracts(), ({ putCall }) => putCall?.callOi),
  field('total_put_oi', Contracts(), ({ putCall }) => putCall?.putOi),
  field('total_call_volume', Contracts(), ({ putCall }) => putCall?.callVolume),
  field('total_put_volume', Contracts(), ({ putCall }) => putCall?.putVolume),
  sameDay('net_gex', Notional(), (today) => netExposures(today).gex),
  sameDay('net_chex', Notional(), (today) => netExposures(today).chex),
  sameDay('call_wall', Price(), (today) => keyLevels(today).callWall?.strike),
  sameDay('put_wall', Price(), (today) => keyLevels(today).putWall?.strike),
  sameDay('magnet', Price(), (today) => magnetPin(today).magnet?.strike),
  sameDay('pin_score', Score(), (today) => magnetPin(today).risk.score),
  sameDay('theta_per_hour', Usd(), (today) => perHourLeft(netTheta(today), hoursToClose(today))),
  sameDay('remaining_1sd_dollars', Usd(), (today) => impliedMove(today)?.remaining),
  ofTape('net_premium', Usd(), ({ tape }) => tape.netPremium),
  ofTape('delta_dollars', Usd(), ({ tape }) => tape.hedgeFlow),
  ...(Object.keys(hedgeSums) as (keyof typeof hedgeSums)[]).map((name) =>
    ofTape(
      `hedge.${name}`,
      Usd(),
      ({ tape: { pressure } }) => pressure && pressureSum(pressure, hedgeSums[name]) / CENTS
    )
  ),
  ofTape('net_gex_live', Notional(), ({ tape, scope }) => {
    return scope && netExposures(flowScopeOf(scope, tape.positions).live).gex
  })
]

/** Columns of a table of all figures. */
export const seriesColumns: readonly AnswerColumn[] = seriesFields.map(({ name, quantity }) =>
  figureColumn(name, quantity as SchemaNode)
)

export const seriesFieldNames: readonly string[] = seriesFields.map(({ name }) => name)

const priceFields: ReadonlySet<string> = new Set(
  seriesFields
    .filter(({ name, quantity }) => unitOf(quantity) === 'price' || name === 'zero_dte.remaining_1sd_dollars')
    .map(({ name }) => name)
)

/** Those of the fields that are prices of one share, so that a split changes their scale. */
export function pricesAmong(fields: readonly string[]): readonly string[] {
  return fields.filter((name) => priceFields.has(name))
}

function unitOf(quantity: TSchema): unknown {
  return (quantity as { readonly 'x-unit'?: unknown })['x-unit']
}
