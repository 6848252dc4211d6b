import Type from 'typebox'
import { rowKey, rowName } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { Day, Days, Decimal, LogMoneyness, Percent, Price, Variance } from '../../api/quantity.ts'
import type { AcceptedSlice } from '../../volatility/smile/slice.ts'
import { totalVariance } from '../../volatility/svi/svi.ts'
import { listingBlock } from './listing.ts'

/** Fitted smile in raw SVI parameters: w(k) = a + b (rho (k - m) + √((k - m)² + sigma²)), k = ln(K / forward). */
export const sviSliceBlock = block(
  Type.Object(
    {
      expiry: Day(),
      days_to_expiry: Days(),
      ...listingBlock.schema.properties,
      forward: Price(),
      a: Variance(),
      b: Variance('', { minimum: 0 }),
      rho: Decimal(10, 'ratio', '', { minimum: -1, maximum: 1 }),
      m: LogMoneyness(),
      sigma: LogMoneyness(),
      atm_total_variance: Variance('w(0)'),
      atm_iv: Percent('100 √(w(0) / T)')
    },
    { title: 'SviSlice' }
  ),
  (slice: AcceptedSlice) => {
    const { date, days, t, forward, svi } = slice
    const w = totalVariance(svi, 0)
    const { a, b, rho, m, sigma } = svi
    const iv = 100 * Math.sqrt(w / t)
    return {
      expiry: date,
      days_to_expiry: days,
      ...listingBlock.fill(slice),
      forward,
      a,
      b,
      rho,
      m,
      sigma,
      atm_total_variance: w,
      atm_iv: iv
    }
  }
)

export const sviSlices = Type.Array(sviSliceBlock.schema, {
  ...rowKey('expiry'),
  description: 'accepted fits, by days to expiry'
})

/** Fitted SVI smiles of AM-settled option series. */
export const amSviSlices = Type.Array(sviSliceBlock.schema, {
  ...rowName('expiry', 'root'),
  description: 'accepted fits of AM-settled series, by days to expiry, whichever series stands for their date'
})
