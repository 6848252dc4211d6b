import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Decimal, Echo, Note } from '../../api/quantity.ts'
import { roundTo } from '../../api/rounding.ts'
import { type Kelly, kelly } from '../../pricing/structures/kelly.ts'
import { percent } from '../../wording/format.ts'
import { echoOf, inputsWith, optionOf, parametersWith, priceParameter, required, sigmaParameter } from './inputs.ts'

const fraction = (maximum: number) => Decimal(6, 'fraction', undefined, { minimum: 0, maximum })
const percentage = (maximum: number) => Decimal(2, 'percent', undefined, { minimum: 0, maximum })

/**
 * Kelly fraction as printed. A fraction below half a millionth of capital is printed as 0, and then no position is
 * advised.
 */
function advisedShare({ fraction }: Kelly): number {
  return roundTo(fraction, 6) === 0 ? 0 : fraction
}

function recommendation(result: Kelly, mu: number, rate: number): string {
  if (advisedShare(result) > 0) {
    const half = percent(50 * result.fraction)
    const profit = percent(100 * result.probabilityOfProfit)
    const expected = percent(100 * result.expectedReturn)
    return `Half Kelly is ${half} of capital, with a ${profit} probability of profit and an expected return of ${expected}.`
  }
  if (mu === rate)
    return 'Kelly sizing advises no position: with an expected return equal to the risk-free rate there is no edge.'
  if (result.expectedReturn <= 0) {
    return 'Kelly sizing advises no position: the expected payoff does not exceed the premium.'
  }
  return 'Kelly sizing advises no position: the edge is too small to justify any meaningful share of capital.'
}

export const pricingKelly = endpoint({
  id: 'pricing.kelly',
  path: '/v1/pricing/kelly',
  tag: 'pricing',
  summary: 'Kelly sizing of a long option',
  description:
    "A calculator without market data: what share of the capital to put into a long option by Kelly's rule, for a view on drift and volatility.",
  plan: 'growth',
  needs: [],
  params: parametersWith({
    sigma: sigmaParameter,
    premium: priceParameter('premium paid per share', 8.4),
    mu: required('expected annual return of the underlying, as a fraction', -2, 2, 0.12)
  }),
  errors: ['invalid_input'],
  replay: false,
  stream: false,
  response: Type.Object({
    inputs: inputsWith({ sigma: Echo('fraction'), premium: Echo('usd'), mu: Echo('fraction') }),
    sizing: Type.Object(
      {
        kelly_fraction: fraction(1),
        half_kelly: fraction(0.5),
        quarter_kelly: fraction(0.25),
        kelly_pct: percentage(100),
        half_kelly_pct: percentage(50)
      },
      { title: 'KellySizing' }
    ),
    analysis: Type.Object(
      {
        expected_roi: Decimal(6, 'fraction', 'expected payoff / premium - 1, at expiry and undiscounted', {
          minimum: -1
        }),
        expected_roi_pct: Decimal(2, 'percent'),
        expected_payoff: Decimal(4, 'usd', 'per share', { minimum: 0 }),
        probability_of_profit: fraction(1),
        probability_of_profit_pct: percentage(100),
        probability_itm: fraction(1),
        probability_itm_pct: percentage(100),
        max_loss: Echo('usd', 'the premium'),
        breakeven: Decimal(6, 'price', 'the underlying at expiry where payoff and premium are equal'),
        expected_growth_rate: Decimal(8, 'log-growth', 'of wealth over the life of the option, at kelly_fraction', {
          minimum: 0
        })
      },
      { title: 'KellyAnalysis' }
    ),
    recommendation: Note()
  }),
  answer: (_, parameters) => {
    const { sigma, premium, mu, r } = parameters
    const result = kelly({ ...optionOf(parameters), sigma, premium, mu })
    const share = advisedShare(result)
    return {
      inputs: { ...echoOf(parameters), sigma, premium, mu },
      sizing: {
        kelly_fraction: share,
        half_kelly: share / 2,
        quarter_kelly: share / 4,
        kelly_pct: 100 * share,
        half_kelly_pct: 50 * share
      },
      analysis: {
        expected_roi: result.expectedReturn,
        expected_roi_pct: 100 * result.expectedReturn,
        expected_payoff: result.expectedPayoff,
        probability_of_profit: result.probabilityOfProfit,
        probability_of_profit_pct: 100 * result.probabilityOfProfit,
        probability_itm: result.probabilityInTheMoney,
        probability_itm_pct: 100 * result.probabilityInTheMoney,
        max_loss: premium,
        breakeven: result.breakeven,
        expected_growth_rate: share === 0 ? 0 : result.growth
      },
      recommendation: recommendation(result, mu, r)
    }
  }
})
