import { signal } from '@preact/signals'
import { readPlace } from './place.ts'

/** The address of the page, read. */
export const shown = signal(readPlace(location.hash))
