import { computed, effect, signal } from '@preact/signals'

/** What belongs to the reader and the browser, and not to the address. */

type Theme = 'dark' | 'light'

const kept = keptTheme()
const preferred: Theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
export const theme = signal<Theme>(kept === 'dark' || kept === 'light' ? kept : preferred)

/** The stored theme. A browser may deny storage to panels on pages of others. */
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

/** The theme that is drawn: paper is light whatever the screen is. */
export const shownTheme = computed((): Theme => (isPrinting.value ? 'light' : theme.value))

const narrow = matchMedia('(max-width: 640px)')
/** Whether there is room for one column only. */
export const isNarrow = signal(narrow.matches)

export const isHidden = signal(document.hidden)

/** Follows what the browser says of its window, and gives the theme to the style sheet. */
export function followBrowser(): void {
  paper.addEventListener('change', ({ matches }) => {
    isPrinting.value = matches
  })
  // Browsers take the picture right after `beforeprint`, and may report the change of medium later or never.
  addEventListener('beforeprint', () => {
    isPrinting.value = true
  })
  addEventListener('afterprint', () => {
    isPrinting.value = paper.matches
  })
  effect(() => {
    document.documentElement.dataset['theme'] = shownTheme.value
  })
  narrow.addEventListener('change', ({ matches }) => {
    isNarrow.value = matches
  })
  document.addEventListener('visibilitychange', () => {
    isHidden.value = document.hidden
  })
}
