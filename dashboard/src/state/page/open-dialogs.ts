import { signal } from '@preact/signals'
import type { EmbeddablePanel } from './embeddable-panels.ts'

/** Whether the list of keys is open. */
export const areKeysOpen = signal(false)

export function openKeys(): void {
  areKeysOpen.value = true
}

/** Panel whose HTML for other pages is shown. */
export const embeddedPanel = signal<EmbeddablePanel>()
