import { easternDate } from '../../market/eastern.ts'
import { type FigureColumns, sampleColumns } from '../../market/figure-row.ts'
import type { Instant } from '../../market/units.ts'
import { type BarPrices, known } from './prices.ts'
import { type BarSlot, isSession } from './slots.ts'

/** Figures of which the option contracts of a bar are the growth. They follow the fields of the request. */
export const volumeFields = ['total_call_volume', 'total_put_volume'] as const

/** What recorded snapshots say about one slot. */
export interface SampledRow {
  readonly prices: BarPrices | undefined
  /** Figures at the end of the slot, in the order of the request. */
  readonly figures: readonly (number | undefined)[]
  /** Option contracts traded from the open of the session until the end of the slot. */
  readonly contractsSoFar: number | undefined
}

/** Recorded snapshots of each slot by its start. `fields` is the number of figures that the caller asked for. */
export function sampledRows(
  slots: readonly BarSlot[],
  found: FigureColumns | undefined,
  fields: number
): ReadonlyMap<Instant, SampledRow> {
  const rows = new Map<Instant, SampledRow>()
  if (found === undefined || slots.length === 0) return rows
  const slotOf = isSession(slots[0]) ? slotByDate(slots) : slotByTime(slots)
  const samples = samplesOf(found)
  for (const [row, at] of found.t.entries()) {
    const slot = slotOf(at)
    if (slot === undefined) continue
    const figures = found.columns.slice(0, fields).map((column) => known(column[row]))
    const [calls, puts] = found.columns.slice(fields, fields + volumeFields.length)
    rows.set(slot.start, { prices: pricesOf(samples, row), figures, contractsSoFar: known(calls[row] + puts[row]) })
  }
  return rows
}

/** The last columns of a request with `sampled`, by name. */
export function samplesOf({ columns }: FigureColumns) {
  const from = columns.length - sampleColumns.length
  return Object.fromEntries(sampleColumns.map((name, k) => [name, columns[from + k]])) as Readonly<
    Record<(typeof sampleColumns)[number], Float64Array>
  >
}

function slotByDate(slots: readonly BarSlot[]): (at: Instant) => BarSlot | undefined {
  const byDate = new Map(slots.map((slot) => [slot.date, slot]))
  return (at) => byDate.get(easternDate(at))
}

/** Finds the slots of ascending moments. */
function slotByTime(slots: readonly BarSlot[]): (at: Instant) => BarSlot | undefined {
  let k = 0
  return (at) => {
    while (k < slots.length && slots[k].end <= at) k++
    return k < slots.length && slots[k].start <= at ? slots[k] : undefined
  }
}

/** A session of which the close alone is known has no other price. */
function pricesOf(samples: ReturnType<typeof samplesOf>, row: number): BarPrices | undefined {
  const [open, high, low, close] = (['first', 'high', 'low', 'last'] as const).map((name) => known(samples[name][row]))
  if (close === undefined) return undefined
  const ends = samples.samples[row] === 0 ? { open: undefined, high: undefined, low: undefined } : { open, high, low }
  return { ...ends, close, shares: undefined, origin: 'snapshots' }
}
