import { computed, type ReadonlySignal } from '@preact/signals'
import { dayAt } from '../day/day.ts'
import { place } from '../page/address.ts'
import { isCalendarSet } from '../page/expiration-set.ts'
import type { Place } from '../page/place.ts'
import { exposuresAt } from '../screens/exposures.ts'
import { type Focus, PAGE_FOCUS } from '../screens/focus.ts'
import { subjectAt } from '../service/question.ts'
import { LINKED, type PanelSpec, placeOfPanel } from './layouts.ts'
import { openLayout } from './workspace-state.ts'

/** The place that a panel shows. Single dates are those of the page's symbol: for another one they choose nothing. */
export function shownBy(spec: PanelSpec, green: string, shown: Place): Place {
  const own = placeOfPanel(spec, green, shown)
  const isElsewhere = spec.link === 'blue' && own.symbol !== shown.symbol && !isCalendarSet(own.expirations)
  return { ...own, ...(isElsewhere && { expirations: undefined }), panes: own.panes ?? 'net_gex' }
}

/** Names what a panel is about: panels of one name share their figures. */
export function focusName({ symbol, link, query }: PanelSpec): string {
  const own = link === 'none' ? new URLSearchParams(query) : undefined
  return [link, symbol, own?.get('at'), own?.get('expirations')].join()
}

const shared = new Map<string, { readonly focus: Focus; users: number }>()

/** Subject of a panel, shared by all panels about the same. `leave` gives it back. */
export function focusOf(spec: PanelSpec): { readonly focus: Focus; readonly leave: () => void } {
  if (spec.link === 'blue' && spec.symbol === LINKED) return { focus: PAGE_FOCUS, leave: () => {} }
  const name = focusName(spec)
  let found = shared.get(name)
  if (found === undefined) {
    const own: ReadonlySignal<Place> = computed(() => shownBy(spec, openLayout.value?.green ?? '', place.value))
    const subject = subjectAt(own)
    found = { focus: { subject, day: dayAt(subject), exposures: exposuresAt(subject) }, users: 0 }
    shared.set(name, found)
  }
  const entry = found
  entry.users++
  return {
    focus: entry.focus,
    leave: () => {
      if (--entry.users === 0) shared.delete(name)
    }
  }
}
