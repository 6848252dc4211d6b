import { computed } from '@preact/signals'
import { areColoursForced, shownTheme } from '../state/page/reader.ts'

const NAMES = [
  'panel',
  'raised',
  'line',
  'ink',
  'ink-2',
  'ink-3',
  'grid',
  'line-strong',
  'call',
  'put',
  'call-bar',
  'put-bar',
  'call-ink',
  'put-ink',
  'flip',
  'magnet',
  'price',
  'good',
  'bad',
  'warn'
] as const
export type Ink = Readonly<Record<(typeof NAMES)[number], string>>

/** The colours of the style sheet, for canvases, which cannot use it. */
export const ink = computed((): Ink => {
  shownTheme.value
  areColoursForced.value
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Ink
})

const FAMILY = 'Inter, "SF Pro Text", "Segoe UI Variable Text", "Segoe UI", system-ui, sans-serif'

/** A canvas font that follows the text size of the page. `size`: pixels at the default of 16. */
export function font(size: number, weight = 400): string {
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return `${weight} ${(size * root) / 16}px ${FAMILY}`
}
