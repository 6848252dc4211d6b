import { signal } from '@preact/signals'

/** Whether the first steps are open. */
export const areStepsOpen = signal(false)
