import type { Chain, Expiration } from '../../market/chain.ts'
import { yearsToExpiry } from '../../market/clock.ts'
import type { ProportionalDividend } from './dividend-terms.ts'

/**
 * The dividends of a chain that matter to one of its expirations: those with an ex-date after its moment and no later than
 * the day of expiry, as shares of its spot. Ascending; several of one ex-date are one. A stock goes ex with the opening
 * prices of its ex-date, on the clock of `market/clock.ts`. A dividend of the whole spot or more is left out as an error.
 */
export function dividendsUntil(
  { asOf, spot, dividends = [] }: Pick<Chain, 'asOf' | 'spot' | 'dividends'>,
  { date, settlement }: Pick<Expiration, 'date' | 'settlement'>
): readonly ProportionalDividend[] {
  const shares = new Map<string, { readonly t: number; fraction: number }>()
  const expiry = yearsToExpiry(asOf, date, settlement)
  for (const { exDate, amount } of dividends) {
    if (exDate > date) continue
    const known = shares.get(exDate)
    if (known !== undefined) known.fraction += amount / spot
    else shares.set(exDate, { t: Math.min(yearsToExpiry(asOf, exDate, 'am'), expiry), fraction: amount / spot })
  }
  return [...shares.values()].filter(({ fraction }) => fraction < 1).sort((a, b) => a.t - b.t)
}
