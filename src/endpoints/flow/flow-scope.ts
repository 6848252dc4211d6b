import { flowExpiry, symbolInPath } from '../../api/params.ts'
import { type Book, bookOf, signConvention } from '../../exposure/book.ts'
import { netExposures } from '../../exposure/net.ts'
import { type Scope, withBook } from '../../exposure/scope.ts'
import { type DealerRisk, dealerRisk } from '../../flow/open-interest/dealer-risk.ts'
import {
  effectiveOpenInterest,
  type SimulatorTotals,
  simulatorTotals
} from '../../flow/open-interest/effective-open-interest.ts'
import type { Positions } from '../../flow/tape-views.ts'
import { latestSession } from '../../market/calendar.ts'
import { memoizePair } from '../../market/memoize.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { scopeFor } from '../exposure/scoped.ts'

export const flowScoped = { symbol: symbolInPath(), expiry: flowExpiry }

/**
 * A set of contracts with two versions of what dealers hold: `settled` from official open interest, `live` from
 * official open interest plus the session's estimated changes.
 */
export interface FlowScope {
  readonly settled: Scope
  readonly live: Scope
  readonly totals: SimulatorTotals
}

/**
 * Selects the requested contracts for both versions of the dealers' positions. Throws no_data if none of the contracts
 * is listed any more.
 */
export function flowScopeFor(
  chain: PricedChain,
  positions: Positions | undefined,
  expiry: IsoDate | undefined
): FlowScope {
  return flowScopeOf(scopeFor(chain, expiry), positions)
}

/**
 * Adds to contracts at official open interest (`settled`) the same contracts at effective open interest (`live`).
 * Without flow both are the same object.
 */
export function flowScopeOf(settled: Scope, positions: Positions | undefined): FlowScope {
  const { chain, slots } = settled
  const held = ofItsSession(chain, positions)
  const flow = held && effectiveOpenInterest(chain, held)
  return {
    settled,
    live: held === undefined ? settled : withBook(settled, effectiveBook(chain, held)),
    totals: simulatorTotals(chain, slots, flow)
  }
}

/**
 * Dealer positions at effective open interest, if dealers are long calls and short puts. Without flow it is the same
 * object as at official open interest, so that memoized measures are reused.
 */
export const effectiveBook = memoizePair((chain: PricedChain, positions: Positions): Book => {
  const { hasFlow, openInterest } = effectiveOpenInterest(chain, positions)
  return hasFlow ? bookOf(chain, openInterest) : signConvention(chain)
})

/** Compares the net exposures from official open interest with those from effective open interest. */
export function dealerRiskOf({ settled, live, totals }: FlowScope): DealerRisk {
  return dealerRisk(netExposures(settled), netExposures(live), totals.seriesWithFlow)
}

/** Returns undefined for positions of an earlier session, because the chain's open interest already includes them. */
export function ofItsSession(chain: PricedChain, positions: Positions | undefined): Positions | undefined {
  return positions !== undefined && positions.session >= latestSession(chain.asOf).date ? positions : undefined
}
