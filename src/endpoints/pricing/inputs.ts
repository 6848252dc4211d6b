import Type, { type TSchema } from 'typebox'
import { type ApiError, apiError } from '../../api/error.ts'
import { choice, number, type Parameters } from '../../api/params.ts'
import { Echo, Words } from '../../api/quantity.ts'
import type { ExerciseStyle } from '../../market/security.ts'
import type { Option, Right } from '../../pricing/bsm.ts'
import type { StructureGreeks } from '../../pricing/structures/structure-greeks.ts'

/**
 * Bounds for prices, strikes and premiums in the calculators, USD. Nothing trades outside these bounds, and within them
 * every result is finite.
 */
export const MIN_PRICE = 0.000001
export const MAX_PRICE = 1e12
/**
 * Lower bounds for volatility and days to expiry. Below them an option's price would jump at the strike like a step.
 */
export const MIN_VOLATILITY = 0.000001
export const MAX_VOLATILITY = 20
const MIN_DAYS = 0.000001

export const DEFAULT_RATE = 0.045
export const DEFAULT_DIVIDEND_YIELD = 0.013

/** Accepted words for call and put, in lower case. */
export const rights: Readonly<Record<string, Right>> = { call: 'call', c: 'call', put: 'put', p: 'put' }

export const required = (meaning: string, minimum: number, maximum: number, example: number) =>
  number({
    required: true,
    minimum,
    maximum,
    example: `${example}`,
    code: 'invalid_input',
    description: `a number from ${minimum} to ${maximum}: ${meaning}`
  })

export const priceParameter = (meaning: string, example: number) =>
  required(`${meaning}, USD`, MIN_PRICE, MAX_PRICE, example)

const yearlyRate = (meaning: string, otherwise: number) =>
  number({
    default: otherwise,
    minimum: -1,
    maximum: 1,
    code: 'invalid_input',
    description: `a number from -1 to 1: ${meaning}, annual fraction`
  })

const optionParameters = {
  spot: priceParameter('price of the underlying', 600),
  strike: priceParameter('strike price', 610),
  dte: required('days to expiry, fractions allowed', MIN_DAYS, 36500, 30)
}
const marketParameters = {
  type: choice<Right>({
    spelling: rights,
    default: 'call',
    code: 'invalid_input',
    description: 'call or put (c or p), in any case'
  }),
  r: yearlyRate('risk-free rate', DEFAULT_RATE),
  q: yearlyRate('dividend yield', DEFAULT_DIVIDEND_YIELD)
}

export const parametersWith = <Own extends Parameters>(own: Own) => ({
  ...optionParameters,
  ...own,
  ...marketParameters
})

export const exerciseParameter = choice<ExerciseStyle>({
  spelling: { european: 'european', american: 'american' },
  default: 'european',
  code: 'invalid_input',
  description: 'european (at expiry alone) or american (on any day), in any case'
})

/**
 * Error for the one case that no pricing method covers: an American option that is best exercised between two prices of
 * the underlying, but neither below nor above them.
 */
export function twoBoundaries(code: 'invalid_input' | 'invalid_body' = 'invalid_input'): ApiError {
  const message = 'an american option has two exercise boundaries where r and q are both negative: choose others'
  return apiError(code, message, { parameter: 'exercise' })
}

export const sigmaParameter = required(
  'annual volatility as a fraction (0.18 for 18 %)',
  MIN_VOLATILITY,
  MAX_VOLATILITY,
  0.18
)

interface OptionValues {
  readonly spot: number
  readonly strike: number
  readonly dte: number
  readonly type: Right
  readonly r: number
  readonly q: number
}

/** Converts the request parameters to an option. The calculators use a year of 365 days. */
export function optionOf({ spot, strike, dte, type, r, q }: OptionValues): Omit<Option, 'sigma'> {
  return { right: type, spot, strike, t: dte / 365, rate: r, dividendYield: q }
}

export const inputsWith = <Own extends Record<string, TSchema>>(own: Own) =>
  Type.Object({
    spot: Echo('price'),
    strike: Echo('price'),
    dte: Echo('days'),
    ...own,
    type: Words('call', 'put'),
    risk_free_rate: Echo('fraction'),
    dividend_yield: Echo('fraction')
  })

export function echoOf({ spot, strike, dte, type, r, q }: OptionValues) {
  return { spot, strike, dte, type, risk_free_rate: r, dividend_yield: q }
}

/**
 * The seven greeks of the calculators and structures, in the units of responses: theta per calendar day, vega per
 * volatility point, rho and vanna per 1.00, charm per day of time to expiry.
 */
export function printedGreeks({ delta, gamma, theta, vega, rho, vanna, charm }: StructureGreeks) {
  return { delta, gamma, theta: theta / 365, vega: vega / 100, rho, vanna, charm: -charm / 365 }
}
