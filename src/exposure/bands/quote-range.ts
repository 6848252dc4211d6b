import { atSpot, movedGreeks } from '../../pricing/moved-chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { volatilitiesOfSide } from '../../pricing/quote-volatility.ts'
import { OWN_MID, SIBLING } from '../../pricing/sources.ts'
import { type NetExposures, netExposures } from '../net.ts'
import type { Scope } from '../scope.ts'

/**
 * Net exposures of a scope with three sets of volatilities: as priced, from the bids, and from the asks. A volatility
 * is replaced only if it comes from a mid, of the contract itself or of the other right at its strike, and both bid and
 * ask of that contract imply one. All other volatilities, such as those from a fitted smile, stay the same.
 */
export function exposuresByQuote(scope: Scope): readonly NetExposures[] {
  return [netExposures(scope), at(scope, 'bid'), at(scope, 'ask')]
}

function at(scope: Scope, side: 'bid' | 'ask'): NetExposures {
  const { chain, expirations } = scope
  const quoted = { ...chain, sigma: volatilitiesAt(chain, side) }
  return netExposures({ ...scope, chain: atSpot(quoted, chain.spot, expirations, movedGreeks(chain.size)) })
}

function volatilitiesAt(chain: PricedChain, side: 'bid' | 'ask'): Float64Array {
  const { strike, sigmaSource, expirations } = chain
  const [bid, ask] = [volatilitiesOfSide(chain, 'bid'), volatilitiesOfSide(chain, 'ask')]
  const quoted = side === 'bid' ? bid : ask
  const sigma = Float64Array.from(chain.sigma)
  const hasBothVolatilities = (i: number) =>
    sigmaSource[i] === OWN_MID && !Number.isNaN(bid[i]) && !Number.isNaN(ask[i])
  for (const { start, end } of expirations) {
    for (let i = start; i < end; i++) {
      if (hasBothVolatilities(i)) sigma[i] = quoted[i]
      if (sigmaSource[i] !== SIBLING) continue
      const other = i > start && strike[i - 1] === strike[i] ? i - 1 : i + 1
      if (hasBothVolatilities(other)) sigma[i] = quoted[other]
    }
  }
  return sigma
}
