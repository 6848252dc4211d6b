import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Decimal, Echo, Nullable } from '../../api/quantity.ts'
import { americanGreeks } from '../../pricing/american/american-option.ts'
import { greeks } from '../../pricing/bsm.ts'
import {
  echoOf,
  exerciseParameter,
  inputsWith,
  optionOf,
  parametersWith,
  printedGreeks,
  sigmaParameter,
  twoBoundaries
} from './inputs.ts'

export const pricingGreeks = endpoint({
  id: 'pricing.greeks',
  path: '/v1/pricing/greeks',
  tag: 'pricing',
  summary: 'Black-Scholes-Merton price and greeks to third order, with early exercise where requested',
  description:
    'A calculator without market data: price and greeks to third order of one option from the parameters alone, European or American.',
  plan: 'free',
  needs: [],
  params: parametersWith({ sigma: sigmaParameter, exercise: exerciseParameter }),
  errors: ['invalid_input'],
  replay: false,
  stream: false,
  response: Type.Object({
    inputs: inputsWith({ sigma: Echo('fraction') }),
    theoretical_price: Decimal(6, 'usd', 'per share', { minimum: 0 }),
    first_order: Type.Object(
      {
        delta: Decimal(6, 'greek'),
        gamma: Decimal(6, 'greek'),
        theta: Decimal(6, 'usd-per-day', 'per calendar day passing'),
        vega: Decimal(6, 'usd per vol point'),
        rho: Decimal(6, 'usd per 1.00 rate')
      },
      { title: 'FirstOrderGreeks' }
    ),
    second_order: Type.Object(
      {
        vanna: Decimal(6, 'per 1.00 vol'),
        charm: Decimal(6, 'delta-per-day', 'per day of time to expiry: the sign is opposite to that of theta'),
        vomma: Decimal(6, 'usd per 1.00 vol squared'),
        dual_delta: Decimal(6, 'greek', 'price change per 1.00 of strike')
      },
      { title: 'SecondOrderGreeks' }
    ),
    third_order: Type.Object(
      {
        speed: Decimal(8, 'greek', 'gamma change per 1.00 of spot'),
        zomma: Decimal(8, 'per 1.00 vol', 'gamma change'),
        color: Decimal(8, 'gamma-per-day', 'per day of time to expiry'),
        ultima: Decimal(6, 'greek', 'vomma change per 1.00 of volatility')
      },
      { title: 'ThirdOrderGreeks' }
    ),
    additional: Type.Object(
      {
        lambda: Nullable(Decimal(4, 'ratio', 'delta * spot / price; null when the price is 0')),
        veta: Decimal(6, 'vega-per-day', 'change of vega per 1.00 of volatility, per day of time to expiry')
      },
      { title: 'AdditionalGreeks' }
    )
  }),
  answer: (_, parameters) => {
    const { spot, sigma, exercise } = parameters
    const option = { ...optionOf(parameters), sigma }
    const found = exercise === 'american' ? americanGreeks(option) : greeks(option)
    if (found === undefined) throw twoBoundaries()
    const { price, ...all } = found
    const { delta, gamma, theta, vega, rho, vanna, charm } = printedGreeks(all)
    return {
      inputs: { ...echoOf(parameters), sigma },
      theoretical_price: price,
      first_order: { delta, gamma, theta, vega, rho },
      second_order: { vanna, charm, vomma: all.vomma, dual_delta: all.dualDelta },
      third_order: { speed: all.speed, zomma: all.zomma, color: all.color / 365, ultima: all.ultima },
      additional: { lambda: price > 0 ? (delta * spot) / price : undefined, veta: all.veta / 365 }
    }
  }
})
