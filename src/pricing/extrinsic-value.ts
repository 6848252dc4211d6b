import { CALL } from '../market/chain.ts'
import { yieldOfDividends } from './american/dividends/dividend-terms.ts'
import { fillPremiums } from './american/early-exercise.ts'
import { price } from './bsm.ts'
import { premiumTablesOf } from './by-exercise.ts'
import type { PricedChain } from './price-chain.ts'

/**
 * Fills `out` with the extrinsic values of all contracts of the expiration with index `at`, USD per share: the price at
 * the contract's own volatility less what exercise at the spot would pay, never below 0. It is what the contract loses
 * until it expires if the spot stays where it is. NaN for a contract without a volatility.
 */
export function fillExtrinsicValues(chain: PricedChain, at: number, out: Float64Array): void {
  const { strike, right, sigma } = chain
  const { start, end } = chain.expirations[at]
  const carry = chain.carries[at]
  const { spot, t, rate, dividendYield, dividends } = carry
  out.fill(0, start, end)
  const tables = premiumTablesOf(carry)
  if (tables !== undefined) {
    const borrow = dividendYield - yieldOfDividends(dividends, t)
    fillPremiums({ spot, t, rate, dividendYield: borrow }, tables, strike, right, sigma, start, end, out, 'edge')
  }
  for (let i = start; i < end; i++) {
    const isCall = right[i] === CALL
    const terms = { spot, strike: strike[i], t, sigma: sigma[i], rate, dividendYield }
    const intrinsic = Math.max(isCall ? spot - strike[i] : strike[i] - spot, 0)
    // The premium is NaN where exercise at once is best: such a contract is worth its intrinsic value.
    const premium = Number.isNaN(out[i]) ? Number.NEGATIVE_INFINITY : out[i]
    out[i] = Number.isNaN(sigma[i])
      ? Number.NaN
      : Math.max(price({ right: isCall ? 'call' : 'put', ...terms }) + premium - intrinsic, 0)
  }
}
