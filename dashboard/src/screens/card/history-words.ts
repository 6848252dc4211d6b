import { dayOf } from '../../state/day/time.ts'
import type { Card } from '../../state/page/place.ts'
import { figureText } from './card-names.ts'

/** A figure at the close of a session. */
export interface Close {
  /** yyyy-MM-dd */
  readonly date: string
  readonly value: number
}

/** Words on the closes of a figure: a strike by how long it has stood, another figure by its extremes. */
export function historyWords(card: Card, closes: readonly Close[]): string {
  const last = closes.at(-1)
  if (last === undefined)
    return card === 'magnet'
      ? 'At a close there is no magnet: the options of the day have expired.'
      : 'No close with this figure is recorded before this moment.'
  if (closes.length === 1)
    return `${figureText(card, last.value)} at the close of ${dayOf(last.date)}, the only one recorded.`
  if (isStrike(card)) {
    const other = closes.findLastIndex(({ value }) => value !== last.value)
    const count = closes.length - 1 - other
    const before = closes[other]
    return before === undefined
      ? `At ${figureText(card, last.value)} at all of the last ${count} closes.`
      : `At ${figureText(card, last.value)} since ${dayOf(closes[other + 1]!.date)}, before at ${figureText(card, before.value)}.`
  }
  const [low, high] = extremes(closes)
  return `Lowest ${figureText(card, low.value)} on ${dayOf(low.date)}, highest ${figureText(card, high.value)} on ${dayOf(high.date)}.`
}

const isStrike = (card: Card) => !card.startsWith('net_') && card !== 'gamma_flip'

/** The lowest and the highest close, the newest of equals. */
function extremes(closes: readonly Close[]): readonly [low: Close, high: Close] {
  return closes.reduce<readonly [Close, Close]>(
    ([low, high], each) => [each.value <= low.value ? each : low, each.value >= high.value ? each : high],
    [closes[0]!, closes[0]!]
  )
}
