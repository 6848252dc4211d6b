import type { PastPrices } from '../../api/inputs/past-prices.ts'
import { bucketPrices, type FlowBucket, merged, minuteBuckets } from '../../flow/windows/window-buckets.ts'
import type { DailyBar } from '../../market/bar.ts'
import { session } from '../../market/calendar.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { type BarOrigin, type BarPrices, known } from './prices.ts'
import { type SampledRow, sampledRows } from './sampled-rows.ts'
import { type BarSlot, isSession } from './slots.ts'

/** BarPrices of one slot, and figures at its end. */
export interface PriceBar extends BarPrices, Omit<SampledRow, 'prices'> {
  readonly slot: BarSlot
}

/**
 * Bars of slots of at most one session, ascending. A slot of which no price is known has none. The first source that has
 * prices counts: for a whole session its daily bar, then prints, minutes that a market made up, and snapshots. `fields` is the
 * number of figures beside the prices.
 */
export function priceBars(
  slots: readonly BarSlot[],
  { days, figures, prints, generated, asOf }: PastPrices,
  fields: number
): readonly PriceBar[] {
  const daily = new Map(days.map((bar) => [bar.date, bar]))
  const sampled = sampledRows(slots, figures, fields)
  const taped = tapedSlots(slots, prints, asOf)
  const ofPath = pathPrices(generated, asOf)
  const madeUp = new Set(prints.filter(({ source }) => source === 'synthetic').map(({ session }) => session))
  const label = (origin: BarOrigin, date: IsoDate): BarOrigin =>
    origin === 'tape' && madeUp.has(date) ? 'generated' : origin
  const unknown: SampledRow = {
    prices: undefined,
    figures: Array.from({ length: fields }, () => undefined),
    contractsSoFar: undefined
  }
  // Fields are written out: of a month of minutes a spread took two thirds of the answer.
  const found: PriceBar[] = []
  for (const slot of slots) {
    const { prices: sample, figures: atEnd, contractsSoFar } = sampled.get(slot.start) ?? unknown
    const ofWhole = isSession(slot) ? ofDay(daily.get(slot.date)) : undefined
    const prices = ofWhole ?? ofPrints(taped.get(slot.start)) ?? ofPath(slot) ?? sample
    if (prices === undefined) continue
    const { open, high, low, close, shares, origin } = prices
    found.push({
      open,
      high,
      low,
      close,
      shares,
      origin: label(origin, slot.date),
      figures: atEnd,
      contractsSoFar,
      slot
    })
  }
  return found
}

/** Prices of a slot from minutes of a market that makes its prices up: those that lie whole within it, up to `asOf`. */
function pathPrices(generated: PastPrices['generated'], asOf: Instant): (slot: BarSlot) => BarPrices | undefined {
  const days = new Map(generated.map((prices) => [prices.date, prices]))
  return ({ date, start, end }) => {
    const path = days.get(date)
    if (path === undefined) return undefined
    const { open } = session(date)!
    const from = Math.round((start - open) / MILLISECONDS_PER_MINUTE)
    const to = Math.min(path.close.length, Math.floor((Math.min(end, asOf) - open) / MILLISECONDS_PER_MINUTE))
    if (to <= from) return undefined
    return {
      open: path.open[from],
      high: Math.max(...path.high.subarray(from, to)),
      low: Math.min(...path.low.subarray(from, to)),
      close: path.close[to - 1],
      shares: path.shares?.subarray(from, to).reduce((sum, each) => sum + each, 0),
      origin: 'generated'
    }
  }
}

function ofDay(bar: DailyBar | undefined): BarPrices | undefined {
  if (bar === undefined || Number.isNaN(bar.close)) return undefined
  const [open, high, low, close, shares] = [bar.open, bar.high, bar.low, bar.close, bar.volume].map(known)
  return { open, high, low, close, shares, origin: 'daily' }
}

/** Prints of each slot by its start, up to `asOf`. */
function tapedSlots(
  slots: readonly BarSlot[],
  prints: PastPrices['prints'],
  asOf: Instant
): ReadonlyMap<Instant, FlowBucket> {
  if (slots.length === 0 || prints.length === 0) return new Map()
  const starts: Instant[] = []
  let k = 0
  const minutes = minuteBuckets(prints, { from: slots[0].start, to: asOf }).filter(({ start }) => {
    while (k < slots.length - 1 && slots[k].end <= start) k++
    const isWithin = slots[k].start <= start && start < slots[k].end
    if (isWithin) starts.push(slots[k].start)
    return isWithin
  })
  let row = 0
  return new Map(merged(minutes, () => starts[row++]).map((bucket) => [bucket.start, bucket]))
}

function ofPrints(bucket: FlowBucket | undefined): BarPrices | undefined {
  const prices = bucket && bucketPrices(bucket)
  if (prices?.close === undefined) return undefined
  const { open, high, low, close } = prices
  return { open, high, low, close, shares: bucket!.bought + bucket!.sold + bucket!.other, origin: 'tape' }
}

/** Joins bars of sessions into bars of weeks. A price that is unknown of a session is unknown of its week. */
export function weeklyBars(weeks: readonly BarSlot[], daily: readonly PriceBar[]): readonly PriceBar[] {
  return weeks.flatMap((slot): PriceBar | readonly [] => {
    const days = daily.filter((day) => day.slot.start >= slot.start && day.slot.start < slot.end)
    const last = days.at(-1)
    if (last === undefined) return []
    const high = allOf(days, (day) => day.high)
    const low = allOf(days, (day) => day.low)
    return {
      ...last,
      slot,
      open: days[0].open,
      high: high && Math.max(...high),
      low: low && Math.min(...low),
      shares: sumOf(allOf(days, ({ shares }) => shares)),
      contractsSoFar: sumOf(allOf(days, ({ contractsSoFar }) => contractsSoFar))
    }
  })
}

/** A figure of every bar; undefined if one lacks it. */
function allOf(bars: readonly PriceBar[], of: (bar: PriceBar) => number | undefined): readonly number[] | undefined {
  const found = bars.map(of)
  return found.every((figure) => figure !== undefined) ? found : undefined
}

const sumOf = (figures: readonly number[] | undefined) => figures?.reduce((sum, figure) => sum + figure, 0)
