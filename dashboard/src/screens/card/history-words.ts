import { dayOf } from '../../state/day/time.ts'
import type { Card } from '../../state/page/place.ts'
import { figureText } from './card-names.ts'

/** A figure at the close of a session. */
export interface Close {
  /** yyyy-MM-dd */
  readonly date: string
  readonly value: number
}

/** A figure at a moment of a session. */
export interface Sample {
  /** HH:mm in New York */
  readonly time: string
  readonly value: number
}

/** Words on the closes of a figure: a strike by how long it has stood, another figure by its extremes. */
export function historyWords(card: Card, closes: readonly Close[]): string {
  return pastWords(
    card,
    closes.map(({ date, value }) => ({ at: dayOf(date), value })),
    {
      none: 'No close with this figure is recorded before this moment.',
      only: (at) => `at the close of ${at}, the only one recorded`,
      same: (count) => `at all of the last ${count} closes`,
      on: 'on'
    }
  )
}

/** Words on a figure through the session, as `historyWords` says them of closes. */
export function sessionWords(card: Card, samples: readonly Sample[]): string {
  return pastWords(
    card,
    samples.map(({ time, value }) => ({ at: time, value })),
    {
      none: 'No minute of this session with this figure is recorded yet.',
      only: (at) => `at ${at}, the only moment recorded`,
      same: () => `since ${samples[0]?.time}`,
      on: 'at'
    }
  )
}

interface Words {
  readonly none: string
  readonly only: (at: string) => string
  /** `count`: how many values have been alike. */
  readonly same: (count: number) => string
  readonly on: string
}

interface Past {
  readonly at: string
  readonly value: number
}

function pastWords(card: Card, past: readonly Past[], { none, only, same, on }: Words): string {
  const last = past.at(-1)
  if (last === undefined) return none
  if (past.length === 1) return `${figureText(card, last.value)} ${only(last.at)}.`
  if (isStrike(card)) {
    const other = past.findLastIndex(({ value }) => value !== last.value)
    const before = past[other]
    return before === undefined
      ? `At ${figureText(card, last.value)} ${same(past.length)}.`
      : `At ${figureText(card, last.value)} since ${past[other + 1]!.at}, before at ${figureText(card, before.value)}.`
  }
  const [low, high] = extremes(past)
  return `Lowest ${figureText(card, low.value)} ${on} ${low.at}, highest ${figureText(card, high.value)} ${on} ${high.at}.`
}

const STRIKES: readonly Card[] = ['call_wall', 'put_wall', 'magnet', 'max_pain']

/** Whether a figure is a strike, which jumps. */
export const isStrike = (card: Card) => STRIKES.includes(card)

/** The lowest and the highest value, the newest of equals. */
function extremes(past: readonly Past[]): readonly [low: Past, high: Past] {
  return past.reduce<readonly [Past, Past]>(
    ([low, high], each) => [each.value <= low.value ? each : low, each.value >= high.value ? each : high],
    [past[0]!, past[0]!]
  )
}
