import type { CarryFigures } from '../../signals/strategies/vol-carry.ts'
import { percent, points } from '../format.ts'
import { type Reasons, sentences } from './reasons.ts'

export function carryReasons(figures: CarryFigures): Reasons {
  const { atmIv, realized, premium, percentile, sessions, realizedChange, skew25, termSlope } = figures
  return {
    why: sentences(
      `Volatility at the money is ${points(atmIv)} against ${points(realized)} realized: ${points(premium)} vol points of premium.`,
      `That is percentile ${percentile} of ${sessions} sessions.`,
      realizedChange === undefined
        ? undefined
        : `Realized volatility has changed by ${points(realizedChange)} vol points in five sessions.`,
      skew25 === undefined ? undefined : `25-delta puts cost ${points(skew25)} vol points more than calls.`,
      termSlope === undefined ? undefined : `Volatility of 30 days stands ${percent(termSlope)} over that of 7 days.`
    ),
    avoidIf: sentences(
      'The company reports before the expiration.',
      'Realized volatility rises above implied.',
      termSlope !== undefined && termSlope > 0 ? 'The term structure inverts.' : undefined
    )
  }
}
