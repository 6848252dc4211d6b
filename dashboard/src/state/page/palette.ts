import { signal } from '@preact/signals'

/** Whether the palette of symbols, screens and actions is open. */
export const isPaletteOpen = signal(false)

export function openPalette(): void {
  isPaletteOpen.value = true
}
