import type { DealerFigures } from '../../signals/strategies/dealer-regime.ts'
import { level, money } from '../format.ts'
import { flipCondition, flipReading } from './gamma.ts'
import { type Reasons, sentences } from './reasons.ts'

export function dealerReasons(figures: DealerFigures): Reasons {
  const { gex, vex, callWall, putWall } = figures
  const walls =
    callWall === undefined || putWall === undefined
      ? undefined
      : `The put wall is at ${level(putWall)}, the call wall at ${level(callWall)}.`
  return {
    why: sentences(
      `Net gamma of dealers is ${money(gex)} per 1% move.`,
      flipReading(figures) ?? 'Net gamma crosses zero nowhere near spot.',
      walls,
      `Net vanna is ${money(vex)} per vol unit.`
    ),
    avoidIf: sentences(
      gex > 0 ? flipCondition(figures) : 'Spot rises above the gamma flip.',
      'Open interest of the next morning moves the walls.'
    )
  }
}
