import { computed, effect, signal } from '@preact/signals'

/** What belongs to the reader and not to the address. */

type Theme = 'dark' | 'light'

const kept = keptTheme()
const preferred: Theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
export const theme = signal<Theme>(kept === 'dark' || kept === 'light' ? kept : preferred)

/** Panels on pages of others may be kept from what a browser stores. */
function keptTheme(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

export function changeTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem('theme', theme.value)
}

const paper = matchMedia('print')
const isPrinting = signal(paper.matches)
paper.addEventListener('change', ({ matches }) => {
  isPrinting.value = matches
})
// A browser takes its picture right after the first of these, and may tell of its paper later or never.
addEventListener('beforeprint', () => {
  isPrinting.value = true
})
addEventListener('afterprint', () => {
  isPrinting.value = paper.matches
})

/** Paper is light whatever the screen is. */
export const shownTheme = computed((): Theme => (isPrinting.value ? 'light' : theme.value))

effect(() => {
  document.documentElement.dataset['theme'] = shownTheme.value
})

const narrow = matchMedia('(max-width: 640px)')
/** Whether there is room for one column only. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})

export const isHidden = signal(document.hidden)
document.addEventListener('visibilitychange', () => {
  isHidden.value = document.hidden
})
