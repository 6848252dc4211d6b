import { signal } from '@preact/signals'
import type { EmbeddablePanel } from './embeddable-panels.ts'

/** Whether the list of keys is open. */
export const areKeysOpen = signal(false)

export function openKeys(): void {
  areKeysOpen.value = true
}

/** Whether the next key leads to a screen. */
export const isGoing = signal(false)

/** Whether the seen bars of the chart are shown as a table. */
export const isTableOpen = signal(false)

/** Panel whose HTML for other pages is shown. */
export const embeddedPanel = signal<EmbeddablePanel>()
