import Type from 'typebox'
import type { ErrorCode } from '../../api/error.ts'
import { dateOfEpochDay, type Instant, type IsoDate, MILLISECONDS_PER_DAY, parseIsoDate } from '../../market/units.ts'
import { DEFAULT_DIVIDEND_YIELD, DEFAULT_RATE } from '../pricing/inputs.ts'
import { between, type Fields, refusal } from './body.ts'

/** The JSON types of the fields that say when and at which rates a model values a structure. */
export const valuationTypes = { today: 'string', rate: 'number', dividendYield: 'number' } as const

const yearlyRate = (otherwise: number) =>
  Type.Optional(Type.Number({ minimum: -1, maximum: 1, default: otherwise, 'x-unit': 'fraction' }))

export const valuationFields = {
  today: Type.Optional(Type.String({ format: 'date', description: 'default: current UTC date' })),
  rate: yearlyRate(DEFAULT_RATE),
  dividendYield: yearlyRate(DEFAULT_DIVIDEND_YIELD)
}

/** When and at which rates a structure is valued; `today` undefined stands for the date of the request. */
export interface Valuation {
  readonly today: IsoDate | undefined
  readonly rate: number
  readonly dividendYield: number
}

/** Reads the fields under `prefix` of the body; a bad date and a bad rate have each their code. */
export function readValuation(
  { today, rate = DEFAULT_RATE, dividendYield = DEFAULT_DIVIDEND_YIELD }: Fields<typeof valuationTypes>,
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

/** The UTC date of a moment: what `today` means when the caller does not say. */
export function utcDate(now: Instant): IsoDate {
  return dateOfEpochDay(Math.floor(now / MILLISECONDS_PER_DAY))
}
