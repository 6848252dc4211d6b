import type { SkewFigures } from '../../signals/strategies/skew.ts'
import { points } from '../format.ts'
import type { Reasons } from './reasons.ts'

export function skewReasons({ put25, call25, riskReversal, slope, points: count, atm }: SkewFigures): Reasons {
  return {
    why: [
      `The 25-delta put costs ${points(put25)} and the call ${points(call25)} vol points, ${points(atm)} at the money.`,
      `The risk reversal is ${points(riskReversal)} vol points, the slope ${points(slope)} per 10% of moneyness.`,
      `The smile rests on ${count} quoted strikes.`
    ],
    avoidIf: ['The quotes of the wings widen or vanish.', 'A report or a decision falls before the expiration.']
  }
}
