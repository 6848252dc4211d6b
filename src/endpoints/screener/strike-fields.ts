import { Contracts, Notional, Percent, Price } from '../../api/quantity.ts'
import { charmExposure, deltaExposure, gammaExposure, vannaExposure } from '../../exposure/contract-exposure.ts'
import { liveScope, type Scope } from '../../exposure/scope.ts'
import { CALL, known, PUT } from '../../market/chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { StrikeNodes } from '../../screener/chain-tree.ts'
import type { StrikeField } from '../../screener/screener-field.ts'
import { quoteSides } from '../market/underlying-quote.ts'
import { fieldOf, figure } from './field-kinds.ts'

/** Function that computes the field for the k-th strike. */
type OfStrike = StrikeField['ofStrike']

const field = (key: string, kind: Parameters<typeof fieldOf>[2], ofStrike: OfStrike, note?: string): StrikeField => ({
  ...fieldOf('strikes', key, kind, note === undefined ? {} : { note }),
  ofStrike
})

type OfContract = (chain: PricedChain) => (slot: number) => number

/** Makes a field that sums a column over the calls of a strike, over its puts, or over both. */
const sum =
  (figureOf: OfContract, right?: number): OfStrike =>
  (chain, { first, slots }: StrikeNodes) => {
    const of = figureOf(chain)
    return (k) => {
      let total = 0
      for (let at = first[k]; at < first[k + 1]; at++) {
        if (right === undefined || chain.right[slots[at]] === right) total += of(slots[at])
      }
      return total
    }
  }

const openInterest: OfContract =
  ({ openInterest }) =>
  (slot) =>
    known(openInterest[slot])
const volume: OfContract =
  ({ volume }) =>
  (slot) =>
    known(volume[slot])
const exposure =
  (of: (scope: Scope, slot: number) => number): OfContract =>
  (chain) => {
    const scope = liveScope(chain)
    return (slot) => of(scope, slot)
  }
const gamma = exposure(gammaExposure)
const contracts = figure(Contracts())
const notional = figure(Notional())

/** All screener fields for one strike of one expiration. */
export const strikeFields: readonly StrikeField[] = [
  field(
    'strike',
    figure(Price()),
    (_chain, { strike }) =>
      (k) =>
        strike[k]
  ),
  field(
    'distance_pct',
    figure(Percent()),
    ({ quote }, { strike }) => {
      const { mid } = quoteSides(quote)
      return (k) => (100 * (strike[k] - mid)) / mid
    },
    '100 (strike - mid) / mid'
  ),
  field('call_oi', contracts, sum(openInterest, CALL)),
  field('put_oi', contracts, sum(openInterest, PUT)),
  field('total_oi', contracts, sum(openInterest)),
  field('call_volume', contracts, sum(volume, CALL)),
  field('put_volume', contracts, sum(volume, PUT)),
  field('call_gex', notional, sum(gamma, CALL)),
  field('put_gex', notional, sum(gamma, PUT)),
  field('net_gex', notional, sum(gamma)),
  field('net_dex', notional, sum(exposure(deltaExposure))),
  field('net_vex', notional, sum(exposure(vannaExposure))),
  field('net_chex', notional, sum(exposure(charmExposure)))
]
