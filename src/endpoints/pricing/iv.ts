import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import { Decimal, Echo, Volatility } from '../../api/quantity.ts'
import { roundTo } from '../../api/rounding.ts'
import type { ExerciseStyle } from '../../market/security.ts'
import { americanImpliedVolatility, americanPrice } from '../../pricing/american/american-option.ts'
import { impliedVolatility, type Option } from '../../pricing/bsm.ts'
import {
  echoOf,
  exerciseParameter,
  inputsWith,
  MAX_VOLATILITY,
  optionOf,
  parametersWith,
  priceParameter,
  twoBoundaries
} from './inputs.ts'

/** Range of volatilities that the search covers, annual fractions. */
const MIN = 0.0001
const MAX = MAX_VOLATILITY

/** Bounds that the price must lie strictly between, USD per share. At or beyond them no volatility explains it. */
function priceBounds({ right, spot, strike, t, rate, dividendYield }: Omit<Option, 'sigma'>, exercise: ExerciseStyle) {
  if (exercise === 'american') {
    const [received, paid] = right === 'call' ? [spot, strike] : [strike, spot]
    return { least: Math.max(0, received - paid), most: received }
  }
  const spotPart = spot * Math.exp(-dividendYield * t)
  const strikePart = strike * Math.exp(-rate * t)
  return right === 'call'
    ? { least: Math.max(0, spotPart - strikePart), most: spotPart }
    : { least: Math.max(0, strikePart - spotPart), most: strikePart }
}

/** Volatility implied by a price. Throws an error that says why there is none. */
function volatilityOf(option: Omit<Option, 'sigma'>, price: number, exercise: ExerciseStyle): number {
  const { least, most } = priceBounds(option, exercise)
  if (!(price > least && price < most)) throw outside(`price must lie above ${least} and below ${most}`)
  const isAmerican = exercise === 'american'
  if (isAmerican && americanPrice({ ...option, sigma: 1 }) === undefined) throw twoBoundaries()
  const sigma = isAmerican ? americanImpliedVolatility(option, price) : impliedVolatility(option, price)
  // Checks the rounded volatility, so that every printed volatility is valid input for other endpoints.
  const printed = roundTo(sigma ?? 0, 6)
  if (sigma !== undefined && printed >= MIN && printed <= MAX) return sigma
  throw outside(`no volatility from ${MIN} to ${MAX} gives this price: move price further from its bounds`)
}

function outside(reason: string): ApiError {
  return apiError('iv_not_found', reason, { parameter: 'price' })
}

export const pricingIv = endpoint({
  id: 'pricing.iv',
  path: '/v1/pricing/iv',
  tag: 'pricing',
  summary: 'Implied volatility of a price, with early exercise where requested',
  description: 'A calculator without market data: the volatility that makes the model price equal a price.',
  plan: 'free',
  needs: [],
  params: parametersWith({ price: priceParameter('price of the option, per share', 8.4), exercise: exerciseParameter }),
  errors: ['invalid_input', 'iv_not_found'],
  replay: false,
  stream: false,
  response: Type.Object({
    inputs: inputsWith({ price: Echo('usd') }),
    implied_volatility: Volatility('annual fraction', { minimum: MIN, maximum: MAX }),
    implied_volatility_pct: Decimal(2, 'percent')
  }),
  answer: (_, parameters) => {
    const sigma = volatilityOf(optionOf(parameters), parameters.price, parameters.exercise)
    return {
      inputs: { ...echoOf(parameters), price: parameters.price },
      implied_volatility: sigma,
      implied_volatility_pct: 100 * sigma
    }
  }
})
