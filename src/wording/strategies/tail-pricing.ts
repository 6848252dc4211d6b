import type { TailFigures } from '../../signals/strategies/tail-pricing.ts'
import { points } from '../format.ts'
import { type Reasons, sentences } from './reasons.ts'

export function tailReasons({ put10, atm, call10, downside, asymmetry, points: count }: TailFigures): Reasons {
  return {
    why: sentences(
      `The 10-delta put costs ${points(put10)} vol points, ${points(downside)} over the ${points(atm)} at the money.`,
      call10 === undefined || asymmetry === undefined
        ? undefined
        : `The 10-delta call costs ${points(call10)}: the put is ${points(asymmetry)} dearer.`,
      `The smile rests on ${count} quoted strikes.`
    ),
    avoidIf: ['The quotes of the tail widen or vanish.', 'A report or a decision falls before the expiration.']
  }
}
