import type { ReadonlySignal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import { sentenceOf } from '../../parts/sentences.ts'
import { hours, moment, unknownSymbol } from '../../state/day/day.ts'
import type { Stage } from '../../state/day/price-stage.ts'
import { clock } from '../../state/day/time.ts'
import { place } from '../../state/page/address.ts'

/** Longest start of a session, in milliseconds, that may be missing without a note while only one point is drawn. */
const SOON = 300_000
/** Least length of an unrecorded beginning that has room for a note, milliseconds. */
const ROOM = 7_200_000

interface Recorded {
  readonly answer: ReadonlySignal<unknown>
  readonly trouble: ReadonlySignal<ApiError | undefined>
}

/** Why a session, or its beginning, is not drawn; undefined if all of it is. */
export function missingDay(series: Recorded, { day }: Pick<Stage, 'day'>): string | undefined {
  const trouble = series.trouble.value
  if (unknownSymbol.value !== undefined && trouble !== undefined) return sentenceOf(trouble)
  if (trouble?.status === 404)
    return `Nothing has been recorded for ${place.value.symbol} yet: its day appears from now on.`
  if (trouble !== undefined) return sentenceOf(trouble)
  const [first, second] = day.value
  const open = hours.value?.open
  const isBefore = open !== undefined && moment.value !== undefined && moment.value < open
  if (isBefore) return `This session opens at ${clock(open, false)}: its price appears from then on.`
  if (series.answer.value === undefined || first === undefined || open === undefined) return undefined
  return first.time - open < (second === undefined ? SOON : ROOM)
    ? undefined
    : `Nothing of this day was recorded before ${clock(first.time, false)}.`
}
