import { effect, signal } from '@preact/signals'

/** What belongs to the reader and not to the address. */

type Theme = 'dark' | 'light'

const kept = localStorage.getItem('theme')
const preferred: Theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
export const theme = signal<Theme>(kept === 'dark' || kept === 'light' ? kept : preferred)

export function changeTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark'
  localStorage.setItem('theme', theme.value)
}

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
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
