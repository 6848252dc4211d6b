import type { PinFigures } from '../../signals/strategies/expiry-positioning.ts'
import { count, level, percent } from '../format.ts'
import { flipCondition, flipReading } from './gamma.ts'
import { type Reasons, sentences } from './reasons.ts'

export function positioningReasons(figures: PinFigures): Reasons {
  const { maxPain, painDistance, expiry, days, concentration, openInterest } = figures
  return {
    why: sentences(
      `Max pain of ${expiry}, ${days} days away, is at ${level(maxPain)}, ${percent(painDistance)} from spot.`,
      `${count(openInterest)} contracts are open; their concentration scores ${concentration}.`,
      flipReading(figures)
    ),
    avoidIf: sentences(`Spot leaves the neighbourhood of ${level(maxPain)}.`, flipCondition(figures))
  }
}
