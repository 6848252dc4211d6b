import { computed } from '@preact/signals'
import { briefDate } from '../../state/day/brief-time.ts'
import { dayOf } from '../../state/day/time.ts'
import { place } from '../../state/page/address.ts'
import { changeSettings, settings } from '../../state/page/settings.ts'
import { narrative } from '../../state/screens/overview-state.ts'

/** The words of a desk's morning note, in the order in which they are read. */
const words = computed(() => {
  const { outlook, gex_change, key_levels, zero_dte, flow } = narrative.answer.value?.narrative ?? {}
  return [outlook, gex_change, key_levels, zero_dte, flow].filter((each) => each !== undefined)
})

/** The narrative of the service, before the open and half an hour after it, until the reader closes it for the day. */
export default function MorningBrief() {
  const date = briefDate.value
  if (date === undefined || date === settings.value.brief || words.value.length === 0) return null
  return (
    <section class="brief" aria-label="Morning brief">
      <h2>
        {place.value.symbol}, brief of {dayOf(date)}
      </h2>
      {words.value.map((each) => (
        <p key={each}>{each} </p>
      ))}
      <button
        type="button"
        class="close"
        aria-label="Close the brief of this day"
        onClick={() => changeSettings({ brief: date })}
      >
        ×
      </button>
    </section>
  )
}
