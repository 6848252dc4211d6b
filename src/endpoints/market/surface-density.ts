import Type from 'typebox'
import { rowName } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import {
  Count,
  Day,
  Days,
  Decimal,
  Level,
  Name,
  Percent,
  Price,
  Share,
  Words,
  YearFraction
} from '../../api/quantity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { priceQuantile, probabilityAbove, probabilityBelow } from '../../volatility/market-smile/distribution.ts'
import { type MarketRefusal, marketRefusals } from '../../volatility/market-smile/market-surface.ts'
import type { MarketSmile } from '../../volatility/market-smile/smile-curve.ts'
import { smileQuality } from '../../volatility/market-smile/smile-quality.ts'
import { marketVariances } from '../../volatility/market-smile/whole-variance.ts'

const QUANTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99]

const Probability = (description: string) =>
  Decimal(6, 'fraction', `risk-neutral probability: ${description}`, { minimum: 0, maximum: 1 })

/** Price distribution at expiry, computed from the fitted smile of one expiration and option root. */
export const densityBlock = block(
  Type.Object(
    {
      expiry: Day(),
      root: Name('option root; SPX and SPXW may expire on one day'),
      settlement: Words('am', 'pm'),
      days_to_expiry: Days(),
      tenor: YearFraction(),
      forward: Price(),
      quotes: Count('out-of-the-money quotes with bid and ask'),
      quotes_inside: Share('of them, those whose bid and ask hold the price of the smile', { minimum: 0, maximum: 1 }),
      beyond_quotes: Probability(
        'an end below the lowest or above the highest of these quotes, which is extrapolation'
      ),
      variance_vol: Percent('of the whole smile, tails included, calendar minutes: beside vol of model_free'),
      variance_beyond_quotes: Share('of that variance, what comes from strikes beyond these quotes: extrapolation', {
        minimum: 0,
        maximum: 1
      }),
      quantiles: Type.Array(
        Type.Object(
          {
            probability: Percent('risk-neutral probability of an end at or below the price', {
              minimum: 0,
              maximum: 100
            }),
            price: Level()
          },
          { title: 'PriceQuantile' }
        ),
        { ...rowName('probability'), description: QUANTILES.map((p) => `${p} %`).join(', ') }
      ),
      strikes: Type.Array(Price(), { description: 'every listed strike, ascending' }),
      below: Type.Array(Probability('an end at or below the strike'), { description: 'by index of strikes' }),
      above: Type.Array(Probability('an end above the strike'), { description: 'by index of strikes' })
    },
    {
      title: 'PriceDensity',
      description: 'risk-neutral: what option prices say, with the premium for risk in them, not a forecast'
    }
  ),
  (chain: PricedChain, smile: MarketSmile) => {
    const { root, settlement, start, end } = chain.expirations[smile.at]
    const { date, forward, t } = smile
    const { quotes, inside, beyond } = smileQuality(chain, smile)
    const variance = marketVariances(chain).of.get(smile)!
    const strikes = Array.from(new Set(chain.strike.subarray(start, end)))
    const within = (probability: number) => Math.min(1, Math.max(0, probability))
    const atStrikes = (probability: typeof probabilityBelow) =>
      strikes.map((strike) => within(probability(smile, Math.log(strike / forward))))
    return {
      expiry: date,
      root,
      settlement,
      days_to_expiry: chain.carries[smile.at].days,
      tenor: t,
      forward,
      quotes,
      quotes_inside: inside,
      beyond_quotes: within(beyond),
      variance_vol: variance.volatility,
      variance_beyond_quotes: within(variance.beyond),
      quantiles: QUANTILES.map((probability) => ({
        probability,
        price: forward * Math.exp(priceQuantile(smile, probability / 100)!)
      })),
      strikes,
      below: atStrikes(probabilityBelow),
      above: atStrikes(probabilityAbove)
    }
  }
)

/** An expiration and option root whose smile fit was rejected, and the reason. */
export const refusalBlock = block(
  Type.Object(
    { expiry: Day(), root: Name(), settlement: Words('am', 'pm'), reason: Words(...marketRefusals) },
    { title: 'RefusedExpiration' }
  ),
  (chain: PricedChain, at: number, reason: MarketRefusal) => {
    const { date, root, settlement } = chain.expirations[at]
    return { expiry: date, root, settlement, reason }
  }
)
