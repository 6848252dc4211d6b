import { clock, newYork, shortDate } from '../../state/day/time.ts'

/** An instant in New York: 20 Nov 14:46:02. */
export function momentText(instant: string): string {
  const moment = Date.parse(instant)
  return `${shortDate(newYork(moment).slice(0, 10))} ${clock(moment)}`
}
