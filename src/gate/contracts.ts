import type { Chain, Expiration } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import { eachShared, liveExpirations, nameOf } from '../market/shared-contracts.ts'
import { type Check, doubted } from './candidate.ts'

/**
 * Minimum fraction of the held chain's live contracts that must remain. Over all recorded sessions of SPY and SPX, up to
 * eight days apart, every live contract remained.
 */
const MIN_KEPT = 0.9
/** Minimum fraction if the held chain comes from another source, which may list other contracts. */
const MIN_KEPT_ELSEWHERE = 0.7

/**
 * Doubts a chain in which live contracts or expirations of the held chain are missing. They are believed to be gone if
 * they are still missing in a later session than the one in which this was first doubted.
 */
export const contracts: Check = ({ chain, held, doubt }) => {
  if (held === undefined) return undefined
  const live = liveExpirations(held, chain)
  if (live.length === 0) return undefined
  if (doubt?.reason === 'contracts' && doubt.session < easternDate(chain.asOf)) return undefined
  const isSameSource = held.source === chain.source
  const minKept = isSameSource ? MIN_KEPT : MIN_KEPT_ELSEWHERE
  const listed = new Set(chain.expirations.map(nameOf))
  const lost = live.filter((expiration) => !listed.has(nameOf(expiration)))
  if (lost.length > (1 - minKept) * live.length || (isSameSource && lost.some((one) => hasInterest(held, one)))) {
    return doubted('contracts', `it lists ${live.length - lost.length} of the ${live.length} live expirations`)
  }
  const all = live.reduce((sum, { start, end }) => sum + end - start, 0)
  let kept = 0
  eachShared(held, chain, () => kept++)
  return kept < minKept * all ? doubted('contracts', `it lists ${kept} of the ${all} live contracts`) : undefined
}

function hasInterest({ openInterest }: Chain, { start, end }: Expiration): boolean {
  for (let i = start; i < end; i++) if (openInterest[i] > 0) return true
  return false
}

/** Most new shares for one old share; larger splits are seen once the new list has lasted into the next session. */
const MAX_SPLIT = 50
/** Largest move of the price beside the split, as a logarithm. */
const MAX_MOVE_BESIDE = 0.3
/** Minimum fraction of the held contracts that must be listed again at a strike divided by the ratio. */
const MIN_SCALED = 0.7

/**
 * Whether the underlying was split between two chains of different days: the price fell to a whole fraction of itself,
 * and the strikes with it, to the tenth of a cent. Source: The Options Clearing Corporation, Characteristics and Risks
 * of Standardized Options, chapter II: a whole split divides the strikes and multiplies the contracts.
 */
export function isSplit(held: Chain, chain: Chain): boolean {
  const ratio = Math.round(held.spot / chain.spot)
  if (ratio < 2 || ratio > MAX_SPLIT || easternDate(chain.asOf) <= easternDate(held.asOf)) return false
  if (Math.abs(Math.log(held.spot / chain.spot / ratio)) > MAX_MOVE_BESIDE) return false
  const scaled = { ...held, strike: held.strike.map((strike) => Math.round((1000 * strike) / ratio) / 1000) }
  const all = liveExpirations(held, chain).reduce((sum, { start, end }) => sum + end - start, 0)
  let again = 0
  eachShared(scaled, chain, () => again++)
  return all > 0 && again >= MIN_SCALED * all
}
