import { level } from '../../parts/format.ts'
import { NIGHT, type Session } from '../../state/chart/sessions.ts'
import { newYork, shortDate } from '../../state/day/time.ts'
import type { Scene } from './scene.ts'

export interface Tick {
  /** Position of bars. */
  readonly at: number
  readonly text: string
  readonly isStrong: boolean
}

/** Least distances of time labels and of price labels, CSS pixels. */
const [APART, APART_PRICES] = [54, 46] as const
const HOURS = [30, 60, 120] as const

const year = (date: string) => date.slice(0, 4)
const month = (date: string) => date.slice(0, 7)
const monthName = (date: string) => shortDate(date).split(' ')[1]!

/** Labels of the time axis: years, months, sessions and hours, those of longer periods first, where there is room. */
export function timeTicks(scene: Scene, sessions: readonly Session[]): readonly Tick[] {
  const { span, x, data } = scene
  const chosen: Tick[] = []
  const perBar = x(1) - x(0)
  const add = (tick: Tick) => {
    if (chosen.every((each) => Math.abs(each.at - tick.at) * perBar >= APART)) chosen.push(tick)
  }
  const seen = sessions.flatMap((each, i) =>
    each.at >= span.from && each.at <= span.to ? [{ ...each, before: sessions[i - 1]?.date }] : []
  )
  for (const { at, date, before } of seen)
    if (before !== undefined && year(date) !== year(before)) add({ at, text: year(date), isStrong: true })
  const months = seen.filter(({ date, before }) => before !== undefined && month(date) !== month(before))
  if (seen.length > 45) for (const { at, date } of months) add({ at, text: monthName(date), isStrong: false })
  for (const { at, date } of seen) add({ at, text: shortDate(date), isStrong: seen.length <= 12 })
  const first = sessions.findLast(({ at }) => at <= span.from) ?? sessions[0]
  for (const session of first === undefined ? [] : [first, ...seen]) addHours(scene, session, add)
  return chosen.sort((a, b) => a.at - b.at).filter(({ at }) => at <= data.bars.t.length)
}

/** Adds round times of a session that is wide enough. */
function addHours({ data, x, span }: Scene, { at }: Session, add: (tick: Tick) => void): void {
  const { t } = data.bars
  const perHour = (3_600_000 / data.step) * (x(1) - x(0))
  const every = HOURS.find((minutes) => (perHour * minutes) / 60 >= APART)
  if (data.step >= 3_600_000 || (every === undefined && perHour * 3 < APART)) return
  const opened = clockMinutes(newYork(t[at]!))
  for (let i = at + 1; i < t.length && i <= span.to && t[i]! - t[i - 1]! < NIGHT; i++) {
    const minutes = opened + (t[i]! - t[at]!) / 60_000
    // A narrow session has room for noon alone.
    if (i >= span.from && (every === undefined ? minutes === 720 : minutes % every === 0))
      add({ at: i, text: `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`, isStrong: false })
  }
}

const two = (value: number) => String(value).padStart(2, '0')
const clockMinutes = (wall: string) => 60 * Number(wall.slice(11, 13)) + Number(wall.slice(14, 16))

/** Round values between two bounds, at least `apart` pixels from one another. */
export function roundValues(
  low: number,
  high: number,
  pixels: number,
  apart: number = APART_PRICES
): readonly number[] {
  if (!(high > low) || pixels < apart) return []
  const least = ((high - low) * apart) / pixels
  const unit = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((each) => each * unit).find((each) => each >= least)!
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12))
  )
}

export const priceLabel = (value: number): string => level(value)
