import { figuresAt } from '../state/day/day.ts'
import { newYork } from '../state/day/time.ts'
import { place } from '../state/page/address.ts'
import { addressOf } from '../state/page/place.ts'
import { freshness, isSynthetic } from '../state/service/freshness.ts'

/** For print only: the address of the page, and what it shows. */
export function PrintFooter() {
  const shown = figuresAt.value === undefined ? '' : `${newYork(figuresAt.value)} New York`
  const source = `source ${freshness.value.source ?? 'unknown'}${isSynthetic() ? ', made-up data' : ''}`
  return (
    <p class="print-footer">
      {location.origin}/{addressOf(place.value)} · {shown} · {source}
    </p>
  )
}
