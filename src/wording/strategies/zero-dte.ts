import type { ZeroDteFigures } from '../../signals/strategies/zero-dte.ts'
import { count, level, percent } from '../format.ts'
import { flipCondition, flipReading } from './gamma.ts'
import { type Reasons, sentences } from './reasons.ts'

export function zeroDteReasons(figures: ZeroDteFigures): Reasons {
  const { maxPain, painDistance, minutesToClose, consumed, concentration, openInterest, moveOfDay } = figures
  return {
    why: sentences(
      `Max pain is at ${level(maxPain)}, ${percent(painDistance)} from spot.`,
      `${count(openInterest)} contracts are open; their concentration scores ${concentration}.`,
      `${minutesToClose} minutes are left to the close.`,
      flipReading(figures),
      consumed === undefined ? undefined : `Spot has gone ${percent(consumed)} of the move expected of the day.`
    ),
    avoidIf: sentences(
      flipCondition(figures),
      moveOfDay === undefined ? undefined : `Spot goes beyond the ${level(moveOfDay)} expected of the day.`,
      'News is due before the close.'
    )
  }
}
