import type { Backtest } from '../../state/chart/backtest.ts'
import type { History } from '../../state/chart/history.ts'
import { dayOf, newYork } from '../../state/day/time.ts'
import type { Step } from '../../state/page/place.ts'

const LENGTHS: Readonly<Record<Step, string>> = {
  '1m': 'one-minute bars',
  '5m': '5-minute bars',
  '15m': '15-minute bars',
  '30m': '30-minute bars',
  '1h': 'hourly bars',
  '1d': 'days'
}

/** Says how often an alert line would have fired, last when, and for how much of the bars nothing is known. */
export function backtestWords(
  { fired, count, sessions, unknown }: Backtest,
  { ends, every }: Pick<History, 'ends' | 'every'>
): string {
  if (count === 0) return 'No bar of the chart is over, so nothing says how often it would have fired.'
  if (unknown === count) return 'How often it would have fired is not known: the chart holds no past of this level.'
  const often =
    fired.length === 0 ? 'not have fired' : fired.length === 1 ? 'have fired once' : `have fired ${fired.length} times`
  const shown = sessions === 1 ? 'the session' : `the ${sessions} sessions`
  const last = fired.at(-1)
  const end = last === undefined ? '' : `; last on ${momentWords(ends[last]!, every)}`
  const missing = unknown === 0 ? '' : ` For ${unknown} of ${count} bars the level is not known, and they do not count.`
  return `Would ${often} in ${shown} shown, by closes of ${LENGTHS[every]}${end}.${missing}`
}

function momentWords(time: number, every: Step): string {
  const wall = newYork(time)
  const day = dayOf(wall.slice(0, 10)).slice(4)
  return every === '1d' ? day : `${day} ${wall.slice(11, 16)}`
}
