import type { PricesRequest } from '../../api/inputs/past-prices.ts'
import { addDays, completedSession, latestSession } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_DAY } from '../../market/units.ts'
import { pricesAmong } from '../series/fields.ts'
import { beginningOf, endOf, refuseTooFine } from '../series/stretch.ts'
import { volumeFields } from './sampled-rows.ts'
import { type BarSlot, type BarStep, barSlots, barStepNames, barSteps, slotCount } from './slots.ts'

/** Figures of an answer at most: for each bar open, high, low, close and volume, and the fields. */
const MAX_CELLS = 200_000
const PRICES = 5

/** Days before the end of the period at which it begins if a request names no beginning. */
const defaultDays = { '1d': 365, '1w': 3 * 365 }

export interface AskedBars {
  readonly fields: readonly string[]
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  readonly every: BarStep
}

/**
 * Slots of the bars of a request, ascending; they begin by `asOf`. Throws invalid_every if the answer could have too many
 * figures; the message names the finest step that fits.
 */
export function askedSlots({ fields, from, to, every }: AskedBars, asOf: Instant): readonly BarSlot[] {
  const last = Math.min(to ?? asOf, asOf)
  const period = { from: from ?? defaultFrom(every, last), to: last }
  const fits = (step: BarStep) => (PRICES + fields.length) * slotCount(period, step) <= MAX_CELLS
  refuseTooFine(every, { stepNames: barStepNames, fits, limit: `${MAX_CELLS} bars times columns` })
  return barSlots(period, every)
}

function defaultFrom(every: BarStep, last: Instant): Instant {
  if (every !== '1d' && every !== '1w') return latestSession(last).open
  return beginningOf(addDays(easternDate(last), -defaultDays[every]))
}

/** Slots of at most one session from which the bars of a request are made: those of its sessions if the bars are weeks. */
export function partSlots(slots: readonly BarSlot[], every: BarStep, asOf: Instant): readonly BarSlot[] {
  if (every !== '1w' || slots.length === 0) return slots
  return barSlots({ from: slots[0].start, to: Math.min(slots.at(-1)!.end, asOf) }, '1d')
}

/** BarPrices that the bars of a request are made from. Nothing after `asOf` is read. */
export function pricesOf(
  asked: AskedBars,
  { asOf, now }: { readonly asOf: Instant; readonly now: Instant }
): PricesRequest {
  const { fields, every } = asked
  const slots = partSlots(askedSlots(asked, asOf), every, asOf)
  const [first, last] = [slots[0], slots.at(-1)]
  const from = first?.start ?? asOf
  const to = Math.min(last === undefined ? asOf - MILLISECONDS_PER_DAY : endOf(last.date), asOf)
  const step = barSteps[every]
  const isDaily = typeof step === 'string'
  const { open } = latestSession(asOf)
  return {
    figures: {
      fields: [...fields, ...volumeFields],
      prices: pricesAmong(fields),
      from,
      to,
      until: asOf,
      closed: completedSession(now).date,
      every: isDaily ? 'session' : step,
      sampled: true
    },
    days: isDaily && first !== undefined ? { from: first.date, to: last!.date } : undefined,
    // A completed session has a daily bar, so that days need prints of the running session alone.
    prints: { from: isDaily ? Math.max(from, open) : from, to }
  }
}
