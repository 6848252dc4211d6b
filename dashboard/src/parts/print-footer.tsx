import { place } from '../state/address.ts'
import { moment } from '../state/day.ts'
import { addressOf } from '../state/place.ts'
import { freshness, isSynthetic } from '../state/service.ts'
import { newYork } from '../state/time.ts'

/** On paper alone: where this can be seen again, and what it is of. */
export function PrintFooter() {
  const shown = moment.value === undefined ? '' : `${newYork(moment.value)} New York`
  const source = `source ${freshness.value.source ?? 'unknown'}${isSynthetic() ? ', made-up data' : ''}`
  return (
    <p class="print-footer">
      {location.origin}/{addressOf(place.value)} · {shown} · {source}
    </p>
  )
}
