import type { Alignment } from '../exposure/pin/max-pain-signal.ts'
import { level } from './format.ts'

/** Whether dealer levels agree with max pain, in one sentence. */
export function alignmentReading(alignment: Alignment, maxPain: number, flip: number | undefined): string {
  const at = `Max pain at ${level(maxPain)}`
  if (alignment === 'converging') {
    return `${at} lies between the walls and next to the gamma flip at ${level(flip!)}: dealer hedging and expiry pull agree.`
  }
  if (alignment === 'moderate')
    return `${at} lies between the walls but away from the gamma flip: a pull without confirmation.`
  if (alignment === 'diverging') return `${at} lies outside the walls: dealer hedging works against a drift there.`
  return `${at}; a wall or the gamma flip is missing, so alignment with dealer positioning cannot be judged.`
}
