import { fixed, percent } from '../../parts/format.ts'
import type { Explained } from './why-words.ts'

type Basis = Explained['rests_on']

const SOURCES = [
  ['own_mid', 'own quotes'],
  ['twin', 'the other option of the strike'],
  ['smile', 'the smile']
] as const satisfies readonly (readonly [keyof Basis['sigma_sources'], string])[]

/** Sources of the volatilities, largest share first. Undefined if no contract has exposure. */
export function sourceWords({ sigma_sources: shares }: Pick<Basis, 'sigma_sources'>): string | undefined {
  const parts = SOURCES.map(([source, name]) => ({ name, value: shares[source] }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .map(({ name, value }) => `${percent(100 * value, 'plain')} from ${name}`)
  return parts.length === 0 ? undefined : `Volatility: ${parts.join(', ')}.`
}

/** How wide quotes are. Undefined if no contract has a quote of two sides. */
export function spreadWords({ spreads }: Pick<Basis, 'spreads'>): string | undefined {
  const { median_pct: middle, p95_pct: high } = spreads
  if (middle === null) return undefined
  const wide = high === null ? '' : `, 95 of 100 under ${percent(high, 'plain')}`
  return `Half of the spreads are under ${percent(middle, 'plain')} of the mid${wide}.`
}

const REASONS: Readonly<Record<Basis['left_out'][number]['reason'], string>> = {
  no_open_interest: 'without open interest',
  no_volatility: 'without volatility',
  not_live: 'no longer live'
}

/** Contracts that count nothing, by their reason. */
export function leftOutWords({ left_out: rows }: Pick<Basis, 'left_out'>): string | undefined {
  const parts = rows.map(({ contracts, reason }) => `${fixed(contracts, 0)} ${REASONS[reason]}`)
  return parts.length === 0 ? undefined : `Contracts left out: ${parts.join(', ')}.`
}
