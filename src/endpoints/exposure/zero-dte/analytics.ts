import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { number } from '../../../api/params.ts'
import { Day, Hours, Note, Percent, Sentence } from '../../../api/quantity.ts'
import { decaySpan } from '../../../exposure/decay-ahead.ts'
import { expirationDate, hasExpired, type Scope } from '../../../exposure/scope.ts'
import { dayShareLeft, hoursToExpiryClose, isMarketOpen } from '../../../market/clock.ts'
import { easternDate } from '../../../market/eastern.ts'
import { closingWarning, lastDayNote } from '../../../wording/same-day-readings.ts'
import type { ModelId } from '../dealer-model.ts'
import { readingBlock } from '../reading-block.ts'
import { decayBlock, expectedMoveBlock, pinRiskBlock, volContextBlock } from './day.ts'
import { exposuresBlock, sameDayHedgingBlock, sameDayRegimeBlock } from './dealers.ts'
import { levelsBlock, liquidityBlock, metadataBlock, sameDayFlowBlock } from './market.ts'
import { strikesBlock } from './strikes.ts'

/** Number of minutes before expiry during which greeks change faster than new snapshots arrive. */
const UNSTABLE_MINUTES = 5

export const strikeRange = number({
  description: 'a number: half-width of strikes[] as a fraction of spot',
  default: 0.03,
  minimum: 0.001,
  maximum: 0.1,
  clamp: true,
  code: 'invalid_strike_range'
})

interface Setting {
  /** Dealer model that the request names. */
  readonly model?: ModelId | undefined
  readonly vix: number | undefined
  /** Strikes are shown up to this distance from spot, a fraction of spot. */
  readonly window: number
}

/** Analytics of one expiration, under an assumption about what dealers hold. */
export const analyticsBlock = block(
  Type.Object({
    expiration: Day(),
    expired: Type.Boolean({
      description:
        'whether the last contract of this expiration has ended: from then on exposures are 0, and only open interest, volume, quotes and max pain remain'
    }),
    time_to_close_hours: Hours('hours of session until the expiration closes'),
    time_to_close_pct: Percent('share of the current trading day elapsed', { minimum: 0, maximum: 100 }),
    reading: readingBlock.schema,
    regime: sameDayRegimeBlock.schema,
    exposures: exposuresBlock.schema,
    expected_move: expectedMoveBlock.schema,
    pin_risk: pinRiskBlock.schema,
    hedging: sameDayHedgingBlock.schema,
    decay: decayBlock.schema,
    vol_context: volContextBlock.schema,
    flow: sameDayFlowBlock.schema,
    levels: levelsBlock.schema,
    liquidity: liquidityBlock.schema,
    metadata: metadataBlock.schema,
    strikes: strikesBlock.schema,
    greeks_note: Type.Optional(Note('on the last day, what the theta of strikes[] means')),
    warnings: Type.Optional(Type.Array(Sentence(), { minItems: 1 }))
  }),
  (scope: Scope, { model, vix, window }: Setting) => {
    const { asOf } = scope.chain
    const expiration = expirationDate(scope.chain, scope.slots[0])
    const expired = hasExpired(scope)
    const hoursLeft = expired ? 0 : hoursToExpiryClose(asOf, expiration)
    return {
      expiration,
      expired,
      time_to_close_hours: hoursLeft,
      time_to_close_pct: 100 * (1 - dayShareLeft(asOf)),
      reading: readingBlock.fill(model),
      regime: sameDayRegimeBlock.fill(scope),
      exposures: exposuresBlock.fill(scope),
      expected_move: expectedMoveBlock.fill(scope),
      pin_risk: pinRiskBlock.fill(scope),
      hedging: sameDayHedgingBlock.fill(scope),
      decay: decayBlock.fill(scope, hoursLeft),
      vol_context: volContextBlock.fill(scope, vix),
      flow: sameDayFlowBlock.fill(scope),
      levels: levelsBlock.fill(scope),
      liquidity: liquidityBlock.fill(scope, window),
      metadata: metadataBlock.fill(scope, window),
      strikes: strikesBlock.fill(scope, window),
      ...(!expired && decaySpan(scope) === 'close' ? { greeks_note: lastDayNote } : {}),
      ...warningsFor(scope, hoursLeft)
    }
  }
)

function warningsFor(scope: Scope, hoursLeft: number): { warnings?: string[] } {
  const { chain, slots } = scope
  const near = isMarketOpen(chain.asOf) && 60 * hoursLeft <= UNSTABLE_MINUTES
  const unstable = near && expirationDate(chain, slots[0]) === easternDate(chain.asOf) && !hasExpired(scope)
  return unstable ? { warnings: [closingWarning] } : {}
}
