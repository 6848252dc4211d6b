import { count, level, money, percent } from '../wording/format.ts'

/** A value as people read it, by the unit that the catalog names. What has no figure, or none of that unit, is shown as it is. */
export function figureOf(value: unknown, unit: string | null): string {
  if (value === null || value === undefined) return '-'
  if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value)
  switch (unit) {
    case 'usd':
    case 'usd-notional':
      return money(value)
    case 'price':
      return level(value)
    case 'percent':
      return percent(value)
    case 'contracts':
    case 'shares':
    case 'count':
      return count(value)
    default:
      return String(value)
  }
}

/** How far a value has moved since the first one, with its sign; nothing where the two are no figures. */
export function changeOf(value: unknown, first: unknown, unit: string | null): string {
  if (typeof value !== 'number' || typeof first !== 'number') return ''
  const change = Number((value - first).toPrecision(12)) // the last digits are noise of the subtraction
  const figure = figureOf(Math.abs(change), unit)
  return change === 0 ? '' : `${change > 0 ? '+' : '-'}${figure}`
}

/** A span of time: 0 s, 14 s, 3 min, 2 h, 5 d. */
export function ageOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}
