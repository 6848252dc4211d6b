import Type from 'typebox'
import type { ErrorCode } from '../../api/error.ts'
import { dateOfEpochDay, type Instant, type IsoDate, MILLISECONDS_PER_DAY, parseIsoDate } from '../../market/units.ts'
import { DEFAULT_DIVIDEND_YIELD, DEFAULT_RATE } from '../pricing/inputs.ts'
import { type BodyFields, between, refusal } from './body.ts'

/** JSON types of the request fields that set the valuation date and rates. */
export const valuationTypes = { today: 'string', rate: 'number', dividendYield: 'number' } as const

const yearlyRate = (otherwise: number) =>
  Type.Optional(Type.Number({ minimum: -1, maximum: 1, default: otherwise, 'x-unit': 'fraction' }))

export const valuationFields = {
  today: Type.Optional(Type.String({ format: 'date', description: 'default: current UTC date' })),
  rate: yearlyRate(DEFAULT_RATE),
  dividendYield: yearlyRate(DEFAULT_DIVIDEND_YIELD)
}

/** Date and rates with which a structure is valued; `today` defaults to the date of the request. */
export interface Valuation {
  readonly today: IsoDate | undefined
  readonly rate: number
  readonly dividendYield: number
}

/** Reads the valuation date and rates from the request body. A bad date and a bad rate have different error codes. */
export function readValuation(
  { today, rate = DEFAULT_RATE, dividendYield = DEFAULT_DIVIDEND_YIELD }: BodyFields<typeof valuationTypes>,
  prefix: string,
  badDate: ErrorCode,
  badRate: ErrorCode
): Valuation {
  const date = today === undefined ? undefined : parseIsoDate(today)
  if (today !== undefined && date === undefined) throw refusal(badDate, `${prefix}today`, 'a date, yyyy-MM-dd')
  for (const [name, value] of Object.entries({ rate, dividendYield })) {
    if (between(value, -1, 1) === undefined) throw refusal(badRate, prefix + name, 'a number from -1 to 1')
  }
  return { today: date, rate, dividendYield }
}

/** UTC date of a moment. It is the valuation date of requests that name none. */
export function utcDate(now: Instant): IsoDate {
  return dateOfEpochDay(Math.floor(now / MILLISECONDS_PER_DAY))
}
