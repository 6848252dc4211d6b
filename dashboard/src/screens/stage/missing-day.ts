import type { ReadonlySignal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import { sentenceOf } from '../../parts/sentences.ts'
import { hours } from '../../state/day/day.ts'
import type { Stage } from '../../state/day/price-stage.ts'
import { clock } from '../../state/day/time.ts'
import { place } from '../../state/page/address.ts'

/** Less of a session than this draws itself soon, milliseconds. */
const SOON = 300_000
/** Once the day has a line, a stretch before it has to be this long for words to have room in it, milliseconds. */
const ROOM = 7_200_000

interface Recorded {
  readonly answer: ReadonlySignal<unknown>
  readonly trouble: ReadonlySignal<ApiError | undefined>
}

/** Why a session is not drawn, or how much of its begin is not; undefined where it is. */
export function missingDay(series: Recorded, { day }: Pick<Stage, 'day'>): string | undefined {
  const trouble = series.trouble.value
  if (trouble?.status === 404) return `Nothing is recorded of ${place.value.symbol} yet: its day is drawn from here on`
  if (trouble !== undefined) return sentenceOf(trouble)
  const [first, second] = day.value
  const open = hours.value?.open
  if (series.answer.value === undefined || first === undefined || open === undefined) return undefined
  return first.time - open < (second === undefined ? SOON : ROOM)
    ? undefined
    : `Nothing of this day is recorded before ${clock(first.time, false)}.`
}
