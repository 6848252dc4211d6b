import { computed } from '@preact/signals'
import { horizon } from '../day/day.ts'
import { at, place } from '../page/address.ts'
import { type Alert, type AlertEvent, alerts, events } from '../screens/alerts-state.ts'
import { LEVEL_METRICS } from '../screens/metric-names.ts'
import { type Aim, aimOf, type LevelNow, type TiedLevel } from './aim.ts'
import { history } from './chart-state.ts'
import { LEVEL_FIELDS } from './level-lines.ts'

/**
 * The levels of the newest bar. They are by the convention and of all expirations, as the figures that alerts watch are,
 * whatever model or set the page shows.
 */
export const levelsNow = computed((): readonly LevelNow[] =>
  LEVEL_FIELDS.flatMap(({ field, name }) => {
    const price = history.value?.columns[field]?.findLast((value) => !Number.isNaN(value))
    return price === undefined || !Object.hasOwn(LEVEL_METRICS, field)
      ? []
      : [{ level: field as TiedLevel, name: name.startsWith('0DTE') ? name : name.toLowerCase(), price }]
  })
)

export interface AlertLine {
  readonly alert: Alert
  readonly aim: Aim
}

/** The alerts about the price of the page's symbol that may still fire, the highest first. None at a past moment. */
export const alertLines = computed((): readonly AlertLine[] => {
  if (at.value !== undefined) return []
  const { symbol } = place.value
  return (alerts.value ?? [])
    .flatMap((alert) => {
      if (alert.symbol !== symbol || alert.state === 'done') return []
      const aim = aimOf(alert, levelsNow.value)
      return aim === undefined ? [] : [{ alert, aim }]
    })
    .sort((a, b) => b.aim.price - a.aim.price)
})

/** A firing, and the moment of the market at which it came, milliseconds. */
export interface FiredMark {
  readonly event: AlertEvent
  readonly time: number
}

/** Firings about the symbol of the page up to its moment, the oldest first. */
export const firedMarks = computed((): readonly FiredMark[] => {
  const { symbol } = place.value
  return (events.value ?? [])
    .filter((event) => event.symbol === symbol)
    .map((event) => ({ event, time: Date.parse(event.as_of ?? event.at) }))
    .filter(({ time }) => time <= horizon.value)
    .sort((a, b) => a.time - b.time)
})
