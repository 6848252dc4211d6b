import { Contracts, Greek, Percent, Price, Volatility } from '../../api/quantity.ts'
import { known } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { mid } from '../../pricing/parity.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { volatilitiesOf } from '../../pricing/quote-volatility.ts'
import type { ContractField } from '../../screener/screener-field.ts'
import { fieldOf, figure, word } from './field-kinds.ts'

type OfContract = ContractField['ofContract']

const field = (
  key: string,
  kind: Parameters<typeof fieldOf>[2],
  ofContract: OfContract,
  note?: string
): ContractField => ({
  ...fieldOf('contracts', key, kind, note === undefined ? {} : { note }),
  ofContract
})

/** Implied volatility of each contract's quote midpoint, in the order of the chain's contracts. */
const midVolatilities = memoize((chain: PricedChain): Float64Array => {
  const column = new Float64Array(chain.size)
  for (const [at, { start }] of chain.expirations.entries()) column.set(volatilitiesOf(chain, at, 'mid'), start)
  return column
})

/**
 * A missing bid counts as 0. An ask that is missing or below the bid counts as equal to the bid, as in /optionquote.
 */
const bidOf = ({ bid }: PricedChain, i: number) => bid[i] || 0
const askOf = (chain: PricedChain, i: number) => Math.max(bidOf(chain, i), chain.ask[i] || 0)

const price = figure(Price())
const contracts = figure(Contracts())
const greek = (unit: string) => ({ ...figure(Greek()), unit })
const column =
  (name: 'delta' | 'gamma' | 'theta' | 'vega' | 'vanna' | 'charm'): OfContract =>
  (chain) => {
    const figures = chain[name]
    return (i) => figures[i]
  }

/** Note on figures that are stated for a calendar day. */
const aDayOnly = 'a rate, also on the last day, when less than a day is left'

export const contractFields: readonly ContractField[] = [
  field(
    'type',
    word('C', 'P'),
    ({ right }) =>
      (i) =>
        right[i],
    'C or P'
  ),
  field('delta', greek('per share'), column('delta')),
  field(
    'oi',
    contracts,
    ({ openInterest }) =>
      (i) =>
        known(openInterest[i])
  ),
  field(
    'volume',
    contracts,
    ({ volume }) =>
      (i) =>
        known(volume[i])
  ),
  field('bid', price, (chain) => (i) => bidOf(chain, i)),
  field('ask', price, (chain) => (i) => askOf(chain, i)),
  field('mid', price, (chain) => (i) => {
    const middle = mid(chain, i)
    return Number.isNaN(middle) ? (bidOf(chain, i) + askOf(chain, i)) / 2 : middle
  }),
  field(
    'spread_pct',
    figure(Percent()),
    (chain) => (i) => (100 * (chain.ask[i] - chain.bid[i])) / mid(chain, i),
    'of mid'
  ),
  field(
    'implied_vol',
    figure(Volatility()),
    (chain) => {
      const inverted = midVolatilities(chain)
      return (i) => inverted[i]
    },
    'inverted from mid'
  ),
  field('gamma', greek('per share, per USD of spot'), column('gamma')),
  field('theta', greek('USD per share and calendar day passing'), column('theta'), aDayOnly),
  field('vega', greek('USD per share and 0.01 of volatility'), column('vega')),
  field('vanna', greek('delta per 1.00 of volatility'), column('vanna')),
  field('charm', greek('delta per calendar day passing'), column('charm'), aDayOnly)
]
