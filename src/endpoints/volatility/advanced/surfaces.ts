import Type from 'typebox'
import { block } from '../../../api/block.ts'
import {
  Day,
  Days,
  Decimal,
  LogMoneyness,
  Name,
  Percent,
  Price,
  Sentence,
  Variance,
  Words,
  YearFraction
} from '../../../api/quantity.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import type { AcceptedSlice, Slice } from '../../../volatility/smile/slice.ts'
import type { ArbitrageFlag } from '../../../volatility/surface/arbitrage.ts'
import { arbitrageSource, arbitrageSources } from '../../../volatility/surface/quoted-arbitrage.ts'
import { surfaceMoneyness, totalVarianceSurface } from '../../../volatility/surface/total-variance-surface.ts'
import { fairVolatilityOf } from '../../../volatility/variance/variance-swap.ts'
import { arbitrageReading } from '../../../wording/volatility-readings.ts'
import { listingBlock } from '../listing.ts'

export const forwardPriceBlock = block(
  Type.Object(
    {
      expiry: Day(),
      days_to_expiry: Days(),
      ...listingBlock.schema.properties,
      forward: Price('from put-call parity, else spot carried at the configured rate and yield'),
      spot: Price(),
      basis_pct: Percent('100 (forward - spot) / spot')
    },
    { title: 'ForwardPrice' }
  ),
  (slice: Slice, spot: number) => ({
    expiry: slice.date,
    days_to_expiry: slice.days,
    ...listingBlock.fill(slice),
    forward: slice.forward,
    spot,
    basis_pct: (100 * (slice.forward - spot)) / spot
  })
)

export const varianceSurfaceBlock = block(
  Type.Object(
    {
      moneyness: Type.Array(LogMoneyness('ln(K / forward), -0.5 to 0.5'), { minItems: 41, maxItems: 41 }),
      expiries: Type.Array(Day()),
      tenors: Type.Array(YearFraction('time to expiry')),
      total_variance: Type.Array(Type.Array(Variance('by expiry, then by moneyness'))),
      implied_vol: Type.Array(Type.Array(Percent('at the same points')))
    },
    { title: 'TotalVarianceSurface' }
  ),
  (accepted: readonly AcceptedSlice[]) => {
    const surface = totalVarianceSurface(accepted)
    return {
      moneyness: surfaceMoneyness,
      expiries: accepted.map(({ date }) => date),
      tenors: accepted.map(({ t }) => t),
      total_variance: surface.totalVariance,
      implied_vol: surface.impliedVolatility
    }
  }
)

export const arbitrageFlagBlock = block(
  Type.Object(
    {
      expiry: Name('a date; for calendar the earlier and the later one, joined by a slash'),
      type: Words('butterfly', 'calendar'),
      strike_or_k: LogMoneyness('where it is worst'),
      found_in: Words(...arbitrageSources),
      description: Sentence(),
      condition: Words('d2w_dk2', 'durrleman_g', 'total_variance_decrease'),
      value: Decimal(10, 'quantity', 'the offending quantity there')
    },
    { title: 'ArbitrageFlag' }
  ),
  (chain: PricedChain, flag: ArbitrageFlag) => {
    const calendar = flag.kind === 'calendar'
    const source = arbitrageSource(chain, flag)
    return {
      expiry: calendar ? `${flag.earlier.date}/${flag.later.date}` : flag.slice.date,
      type: flag.kind,
      strike_or_k: flag.k,
      found_in: source,
      description: arbitrageReading(flag, source),
      condition: calendar ? ('total_variance_decrease' as const) : flag.condition,
      value: flag.value
    }
  }
)

export const varianceSwapBlock = block(
  Type.Object(
    {
      expiry: Day(),
      days_to_expiry: Days(),
      ...listingBlock.schema.properties,
      fair_variance: Variance('to expiry, not annualized'),
      fair_vol: Percent('100 √(fair_variance / T)'),
      atm_iv: Percent(),
      convexity_adjustment: Percent('fair_vol minus atm_iv, vol points')
    },
    { title: 'VarianceSwap' }
  ),
  (slice: AcceptedSlice) => {
    const { fairVariance, fairVolatility, atmVolatility, convexity } = fairVolatilityOf(slice)
    return {
      expiry: slice.date,
      days_to_expiry: slice.days,
      ...listingBlock.fill(slice),
      fair_variance: fairVariance,
      fair_vol: fairVolatility,
      atm_iv: atmVolatility,
      convexity_adjustment: convexity
    }
  }
)
