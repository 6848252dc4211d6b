import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Link } from './layouts.ts'

/** Time and chart under the pointer, for the other charts of the link. */
interface Pointed {
  /** The chart that has the pointer. */
  readonly by: object
  /** Milliseconds. */
  readonly time: number
}

const pointed = { blue: signal<Pointed>(), green: signal<Pointed>() }

/** Tells the other charts of a link where the crosshair of one is. */
export function pointIn(link: Link, by: object, time: number | undefined): void {
  if (link === 'none') return
  if (time !== undefined) pointed[link].value = { by, time }
  else if (pointed[link].peek()?.by === by) pointed[link].value = undefined
}

/** Time of the crosshair that another chart of the link shows, milliseconds. */
export function timeFor(link: () => Link, own: object): ReadonlySignal<number | undefined> {
  return computed(() => {
    const colour = link()
    const found = colour === 'none' ? undefined : pointed[colour].value
    return found === undefined || found.by === own ? undefined : found.time
  })
}
