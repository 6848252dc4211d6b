import Type from 'typebox'
import { Day, Days, Decimal, LogMoneyness, Percent, Price, Variance, Words, Years } from '../../../api/quantity.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { type ArbitrageFlag, arbitrageFlags } from '../../../volatility/arbitrage.ts'
import type { AcceptedSlice, Slice } from '../../../volatility/slice.ts'
import { totalVariance } from '../../../volatility/svi/svi.ts'
import { surfaceMoneyness, totalVarianceSurface } from '../../../volatility/total-variance-surface.ts'
import { fairVariance } from '../../../volatility/variance-swap.ts'
import { arbitrageReading } from '../../../wording/volatility.ts'

export const forwardPrices = Type.Array(
  Type.Object({
    expiry: Day(),
    days_to_expiry: Days(),
    forward: Price('from put-call parity, else spot carried at the configured rate and yield'),
    spot: Price(),
    basis_pct: Percent('100 (forward - spot) / spot')
  })
)

export function wireForward({ spot }: PricedChain, { date, days, forward }: Slice) {
  return { expiry: date, days_to_expiry: days, forward, spot, basis_pct: (100 * (forward - spot)) / spot }
}

export const varianceSurface = Type.Object({
  moneyness: Type.Array(LogMoneyness('ln(K / forward), -0.5 to 0.5'), { minItems: 41, maxItems: 41 }),
  expiries: Type.Array(Day()),
  tenors: Type.Array(Years('time to expiry')),
  total_variance: Type.Array(Type.Array(Variance('by expiry, then by moneyness'))),
  implied_vol: Type.Array(Type.Array(Percent('the same places')))
})

export function wireSurface(accepted: readonly AcceptedSlice[]) {
  const surface = totalVarianceSurface(accepted)
  return {
    moneyness: surfaceMoneyness,
    expiries: accepted.map(({ date }) => date),
    tenors: accepted.map(({ t }) => t),
    total_variance: surface.totalVariance,
    implied_vol: surface.impliedVolatility
  }
}

export const flags = Type.Array(
  Type.Object({
    expiry: Type.String({ description: 'a date; for calendar the earlier and the later one, joined by a slash' }),
    type: Words('butterfly', 'calendar'),
    strike_or_k: LogMoneyness('where it is worst'),
    description: Type.String({ minLength: 1 }),
    condition: Words('d2w_dk2', 'durrleman_g', 'total_variance_decrease'),
    value: Decimal(10, 'quantity', 'the offending quantity there')
  })
)

export function wireFlags(accepted: readonly AcceptedSlice[]) {
  return arbitrageFlags(accepted).map((flag: ArbitrageFlag) => {
    const calendar = flag.kind === 'calendar'
    return {
      expiry: calendar ? `${flag.earlier.date}/${flag.later.date}` : flag.slice.date,
      type: flag.kind,
      strike_or_k: flag.k,
      description: arbitrageReading(flag),
      condition: calendar ? ('total_variance_decrease' as const) : flag.condition,
      value: flag.value
    }
  })
}

export const varianceSwaps = Type.Array(
  Type.Object({
    expiry: Day(),
    days_to_expiry: Days(),
    fair_variance: Variance('to expiry, not annualised'),
    fair_vol: Percent('100 √(fair_variance / T)'),
    atm_iv: Percent(),
    convexity_adjustment: Percent('fair_vol minus atm_iv, vol points')
  })
)

export function wireSwap({ date, days, t, svi }: AcceptedSlice) {
  const fair = fairVariance(svi)
  const [fairVol, atmIv] = [fair, totalVariance(svi, 0)].map((w) => 100 * Math.sqrt(w / t))
  return {
    expiry: date,
    days_to_expiry: days,
    fair_variance: fair,
    fair_vol: fairVol,
    atm_iv: atmIv,
    convexity_adjustment: fairVol - atmIv
  }
}
