import type { DailyBar } from '../../market/bar.ts'
import { daysBetween } from '../../market/calendar.ts'
import { median } from '../../math/statistics.ts'
import type { BarDoubt, BarRow } from './judge-bars.ts'

/** Least factor between a close and both closes beside it that is a slip of the point rather than a move. */
const SLIP = 3
/** Largest distance of the closes beside a slip from each other, as a share of it; both as logarithms. */
const BESIDE = 0.15
/** Sessions further apart, in days, tell nothing about each other. */
const MAX_DAYS = 10

/**
 * Bars whose close is several times as high or as low as both closes beside it, which are alike: a decimal point that
 * slipped on one day. `bars` ascend by date.
 */
export function doubtOfSlips(bars: readonly BarRow[]): BarDoubt | undefined {
  const slips = bars.filter((bar, at) => at > 0 && at + 1 < bars.length && isSlip(bars[at - 1], bar, bars[at + 1]))
  if (slips.length === 0) return undefined
  const [{ date, close }] = slips
  const more = slips.length === 1 ? '' : `, and so on ${slips.length - 1} more days`
  const text = `its close of ${date}, ${close}, is many times that of the days beside it, or a small part of them${more}`
  return { kind: 'slip', text, bars: slips }
}

function isSlip(before: DailyBar, bar: DailyBar, after: DailyBar): boolean {
  if (daysBetween(before.date, bar.date) > MAX_DAYS || daysBetween(bar.date, after.date) > MAX_DAYS) return false
  const slip = Math.abs(Math.log(bar.close / before.close))
  return slip >= Math.log(SLIP) && Math.abs(Math.log(after.close / before.close)) <= BESIDE * slip
}

/** Fewest bars, and least close, from which whole numbers are no dollars: four prices a bar are never all whole. */
const FEWEST_WHOLE = 4
const MIN_CENTS = 1000

/** Why bars seem to be in cents: each price is a whole number, and they are as high as cents are. Undefined if not. */
export function doubtOfCents(bars: readonly BarRow[]): BarDoubt | undefined {
  if (bars.length < FEWEST_WHOLE || !bars.every(isWhole)) return undefined
  if (!(median(bars.map(({ close }) => close))! >= MIN_CENTS)) return undefined
  const text = `each of its prices is a whole number, the first close ${bars[0].close}: they may be in cents`
  return { kind: 'cents', text, bars }
}

const isWhole = ({ open, high, low, close }: DailyBar) =>
  [open, high, low, close].every((price) => Number.isNaN(price) || Number.isInteger(price)) && high > low
