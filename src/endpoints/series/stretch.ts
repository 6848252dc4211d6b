import { apiError } from '../../api/error.ts'
import { addDays, completedSession, latestSession, session, tradingDays } from '../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../market/eastern.ts'
import type { FigureRequest } from '../../market/figure-row.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { pricesAmong } from './fields.ts'

/**
 * Length of a row in milliseconds by the name of the step, finest first. Each row holds the last figures of its
 * interval.
 */
export const steps = {
  '1m': MILLISECONDS_PER_MINUTE,
  '5m': 5 * MILLISECONDS_PER_MINUTE,
  '15m': 15 * MILLISECONDS_PER_MINUTE,
  '30m': 30 * MILLISECONDS_PER_MINUTE,
  '1h': 60 * MILLISECONDS_PER_MINUTE,
  '1d': 'session'
} as const
export type SeriesStep = keyof typeof steps
export const stepNames = Object.keys(steps) as readonly SeriesStep[]

const MAX_CELLS = 50_000
/** Options were first listed on this day, so no figure is older. */
const FIRST_LISTED = '1973-04-26' as IsoDate

export interface AskedStretch {
  readonly fields: readonly string[]
  /**
   * Start of the period. Both its start and its end belong to it. Default: the open of the session that the response
   * describes.
   */
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  readonly every: SeriesStep
}

/** The moment that the response describes (`asOf`) and the current market time. */
export interface Present {
  readonly asOf: Instant
  readonly now: Instant
}

/**
 * Determines the period and step of the rows. The period never ends after the moment that the response describes.
 * Throws invalid_every if the response could have too many cells; the message names the finest step that fits.
 */
export function stretchOf(
  { fields, from, to, every }: AskedStretch,
  { asOf, now }: Present
): Omit<FigureRequest, 'symbol'> {
  const stretch = { from: from ?? latestSession(asOf).open, to: Math.min(to ?? asOf, asOf) }
  refuseTooMany(stretch, fields.length, every)
  return {
    ...stretch,
    fields,
    prices: pricesAmong(fields),
    every: steps[every],
    until: asOf,
    closed: completedSession(now).date
  }
}

function refuseTooMany(
  stretch: { readonly from: Instant; readonly to: Instant },
  fields: number,
  every: SeriesStep
): void {
  const fits = (step: SeriesStep) => fields * mostRows(stretch, step) <= MAX_CELLS
  refuseTooFine(every, { stepNames, fits, limit: `${MAX_CELLS} rows times fields` })
}

/** Throws invalid_every if a step does not fit. `stepNames` are finest first; the message names the finest that fits. */
export function refuseTooFine<Step extends string>(
  every: Step,
  {
    stepNames: names,
    fits,
    limit
  }: { readonly stepNames: readonly Step[]; readonly fits: (step: Step) => boolean; readonly limit: string }
): void {
  if (fits(every)) return
  const coarser = names.slice(names.indexOf(every) + 1).find(fits)
  const advice =
    coarser === undefined ? 'request fewer fields or a shorter period' : `${coarser} is the finest that fits`
  throw apiError('invalid_every', `every is too fine: an answer has at most ${limit}; ${advice}`, {
    parameter: 'every'
  })
}

/** Greatest number of rows that a period can have. Rows recorded after a close count as recorded at the close. */
function mostRows({ from, to }: { readonly from: Instant; readonly to: Instant }, every: SeriesStep): number {
  const first = easternDate(from)
  const days = tradingDays(first < FIRST_LISTED ? FIRST_LISTED : first, easternDate(to))
  const step = steps[every]
  if (step === 'session') return days.length
  let rows = 0
  for (const day of days) {
    const { open, close } = session(day)!
    const bucket = (at: Instant) => Math.floor((Math.min(at, close) - open) / step)
    if (to >= open) rows += bucket(to) - bucket(Math.max(from, open)) + 1
  }
  return rows
}

/** First millisecond of a New York date; `endOf` is the last. */
export const beginningOf = (date: IsoDate): Instant => instantOfEastern(date, 0)
export const endOf = (date: IsoDate): Instant => instantOfEastern(addDays(date, 1), 0) - 1
