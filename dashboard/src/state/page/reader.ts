import { computed, effect, signal } from '@preact/signals'
import { changeSettings, settings } from './settings.ts'

/** Settings of the reader and of the browser, which the address does not hold. */

type Theme = 'dark' | 'light'

const preferred: Theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
const chosen = computed(() => settings.value.theme as Theme | undefined)
export const theme = signal<Theme>(chosen.peek() ?? preferred)

export function changeTheme(): void {
  changeSettings({ theme: theme.value === 'dark' ? 'light' : 'dark' })
}

const paper = matchMedia('print')
const isPrinting = signal(paper.matches)

/** The theme that is drawn; print is always light. */
export const shownTheme = computed((): Theme => (isPrinting.value ? 'light' : theme.value))

const narrow = matchMedia('(max-width: 640px)')
/** Whether only one column fits. */
export const isNarrow = signal(narrow.matches)

const forced = matchMedia('(forced-colors: active)')
/** Whether the reader's colours replace those of the page. */
export const areColoursForced = signal(forced.matches)

/** How bars are drawn: rising ones light and falling ones grey, hollow and filled, green and red, or closes alone. */
export type Candles = 'quiet' | 'hollow' | 'colour' | 'line'

/** The chosen candles. Where the reader's colours replace green and red, rising ones are hollow. */
export const candles = computed((): Candles => {
  const chosen = (settings.value.candles ?? 'quiet') as Candles
  return chosen === 'colour' && areColoursForced.value ? 'hollow' : chosen
})

export const isHidden = signal(document.hidden)

/** Follows the browser's window and print state, and sets the theme for the style sheet. */
export function followBrowser(): void {
  paper.addEventListener('change', ({ matches }) => {
    isPrinting.value = matches
  })
  // Browsers capture the page right after `beforeprint` and may report the media change later or never.
  addEventListener('beforeprint', () => {
    isPrinting.value = true
  })
  addEventListener('afterprint', () => {
    isPrinting.value = paper.matches
  })
  effect(() => {
    if (chosen.value !== undefined) theme.value = chosen.value
  })
  effect(() => {
    document.documentElement.dataset['theme'] = shownTheme.value
  })
  narrow.addEventListener('change', ({ matches }) => {
    isNarrow.value = matches
  })
  forced.addEventListener('change', ({ matches }) => {
    areColoursForced.value = matches
  })
  document.addEventListener('visibilitychange', () => {
    isHidden.value = document.hidden
  })
}
