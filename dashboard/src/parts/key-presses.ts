import { beginAlert } from '../state/chart/alert-draft.ts'
import { period, step } from '../state/chart/chart-state.ts'
import { fits } from '../state/chart/period.ts'
import { hours } from '../state/day/day.ts'
import { go, place, turn } from '../state/page/address.ts'
import { closeCard } from '../state/page/card.ts'
import { isGoing, isTableOpen, openKeys } from '../state/page/open-dialogs.ts'
import { openPalette } from '../state/page/palette.ts'
import { NARROWEST, PERIODS, STEPS, WIDEST } from '../state/page/place.ts'
import { changeTheme } from '../state/page/reader.ts'
import { LETTERS, SCREEN_IDS, SCREENS } from '../state/page/screens.ts'
import { loadSymbols, symbols } from '../state/service/symbols.ts'
import { travelBy, travelTo } from './timeline.tsx'

/** Window from which a first press of plus or minus starts, percent of spot. */
const FIRST_RANGE = 2.5

const widen = (factor: number) => {
  const range = Math.round((place.value.range ?? FIRST_RANGE) * factor * 10) / 10
  turn({ range: Math.min(WIDEST, Math.max(NARROWEST, range)) })
}

async function neighbour(step: 1 | -1): Promise<void> {
  await loadSymbols()
  const list = symbols.value
  if (list.length === 0) return
  const here = list.indexOf(place.value.symbol)
  const symbol = list[(Math.max(0, here) + step + list.length) % list.length]!
  go({ symbol, expiry: undefined, range: undefined, legs: undefined })
}

const showPeriod = (number: number) =>
  go({ period: PERIODS[number - 1]!, every: undefined, from: undefined, to: undefined })

/** Shows bars of the next length that fits the period. */
function turnStep(): void {
  const fitting = STEPS.filter((each) => fits(period.value, each))
  go({ every: fitting[(fitting.indexOf(step.value) + 1) % fitting.length]!, from: undefined, to: undefined })
}

/** Opens the menu of the focused panel, or of the first one. */
function exportPanel(): void {
  const panel = document.activeElement?.closest('.panel') ?? document
  const menu = panel.querySelector<HTMLDetailsElement>('.menu')
  if (menu === null) return
  menu.open = true
  menu.querySelector('button')?.focus()
}

function fullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  else void (document.activeElement?.closest('.panel') ?? document.documentElement).requestFullscreen()
}

/** Opens or closes the card of the figure in focus, or of the first one. */
function explain(): void {
  const figure = '[data-card]'
  const focused = document.activeElement?.closest(figure)
  ;(focused ?? document.querySelector(`main ${figure}`))?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
}

/** In the chart with other symbols, else the smile with that of the session before. */
function compare(): void {
  if (place.value.screen !== 'overview') turn({ compare: !place.value.compare })
  else document.querySelector<HTMLElement>('summary.compare')?.click()
}

const ACTS: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  ...Object.fromEntries(SCREEN_IDS.map((screen) => [SCREENS[screen].key, () => go({ screen })])),
  '/': () => document.querySelector<HTMLInputElement>('#symbol')?.focus(),
  '[': () => void neighbour(-1),
  ']': () => void neighbour(1),
  ' ': () => document.querySelector<HTMLButtonElement>('#play')?.click(),
  ArrowLeft: ({ shiftKey }) => travelBy(shiftKey ? -15 : -1),
  ArrowRight: ({ shiftKey }) => travelBy(shiftKey ? 15 : 1),
  Home: () => hours.value !== undefined && travelTo(hours.value.open),
  End: () => hours.value !== undefined && travelTo(hours.value.close),
  l: () => go({ at: undefined }),
  a: beginAlert,
  b: turnStep,
  '+': () => widen(0.75),
  '-': () => widen(1 / 0.75),
  '0': () => turn({ range: undefined }),
  k: () => turn({ scale: place.value.scale === 'root' ? 'linear' : 'root' }),
  m: () => turn({ map: !place.value.map }),
  d: () => turn({ today: !place.value.today }),
  c: compare,
  g: () => {
    isGoing.value = true
  },
  v: () => {
    isTableOpen.value = place.value.screen === 'overview'
  },
  y: explain,
  h: () =>
    place.value.screen === 'zero-dte'
      ? turn({ heat: place.value.heat === 'gamma' ? 'flow' : 'gamma' })
      : turn({ surface: place.value.surface === 'solid' ? 'heat' : 'solid' }),
  e: exportPanel,
  f: fullScreen,
  t: changeTheme,
  '?': openKeys
}

/** Does what a key does. */
export function actOf(key: string): void {
  ACTS[key]?.(new KeyboardEvent('keydown', { key }))
}

/** Handles keys unless the reader is typing or the focused element uses them. */
export function listenToKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'k') {
      event.preventDefault()
      openPalette()
      return
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    // A button of a closed dialog keeps the focus until the next frame.
    if (target.closest('input:not([type=range]), select, textarea, dialog[open]') !== null) return
    const isSlider = target.matches('input[type=range]') && /^(Arrow|Home|End)/.test(event.key)
    const isPressed = target.closest('button, summary, a') !== null && (event.key === ' ' || event.key === 'Enter')
    if (isGoing.peek() && (event.key.length === 1 || event.key === 'Escape')) {
      isGoing.value = false
      const screen = LETTERS.get(event.key)
      if (screen !== undefined) go({ screen })
      if (screen !== undefined || event.key === 'Escape') {
        event.preventDefault()
        return
      }
    }
    // With shift a digit has another sign on each keyboard.
    const [, number] = (event.shiftKey && /^Digit([1-5])$/.exec(event.code)) || []
    const { card, cardSet: set } = place.peek()
    const leave = event.key === 'Escape' && card !== undefined ? () => closeCard({ card, set }) : undefined
    const act = number === undefined ? (leave ?? ACTS[event.key]) : () => showPeriod(Number(number))
    if (act === undefined || isSlider || isPressed) return
    event.preventDefault()
    act(event)
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}
