import type { TermFigures } from '../../signals/strategies/term-structure.ts'
import { count, points } from '../format.ts'
import type { Reasons } from './reasons.ts'

export function termReasons({ front, back, slope, points: curve }: TermFigures): Reasons {
  return {
    why: [
      `Volatility at the money is ${points(front)} in front and ${points(back)} at the back of the curve.`,
      `The slope is ${points(slope)} vol points over ${count(curve.length)} expirations.`
    ],
    avoidIf: ['An event lifts the volatility of a single expiration.', 'The front expiration is about to end.']
  }
}
