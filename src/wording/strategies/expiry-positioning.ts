import type { PinFigures } from '../../signals/strategies/expiry-positioning.ts'
import { count, level, percent } from '../format.ts'
import { flipCondition, flipReading } from './gamma.ts'
import { type Reasons, sentences } from './reasons.ts'

/** What pulls towards max pain, for every signal about it. */
export function pinReading({ maxPain, painDistance, expiry, days }: PinFigures): string {
  return `Max pain of ${expiry}, ${days} days away, is at ${level(maxPain)}, ${percent(painDistance)} from spot.`
}

export function positioningReasons(figures: PinFigures): Reasons {
  const { maxPain, concentration, openInterest } = figures
  return {
    why: sentences(
      pinReading(figures),
      `${count(openInterest)} contracts are open; their concentration scores ${concentration}.`,
      flipReading(figures)
    ),
    avoidIf: sentences(`spot leaves the neighbourhood of ${level(maxPain)}`, flipCondition(figures))
  }
}
