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

/** The parameters of an answer about flow: a symbol, and optionally one of its expirations. */
export const flowScoped = { symbol: symbolInPath(), expiry: flowExpiry }

/** The same contracts by two books: on official open interest, and on what the flow of the session has made of it. */
export interface FlowScope {
  readonly settled: Scope
  readonly live: Scope
  readonly totals: SimulatorTotals
}

/** The contracts that a request names, or no_data where nothing of them is listed any more. */
export function flowScopeFor(
  chain: PricedChain,
  positions: Positions | undefined,
  expiry: IsoDate | undefined
): FlowScope {
  return flowScopeOf(scopeFor(chain, expiry), positions)
}

/** A scope beside the same by the effective book. Without flow both are one scope. */
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
 * What dealers hold on effective open interest, by the convention of every other exposure. Where nothing has flow it is the
 * settled book itself, so that whatever was measured by that is not measured again.
 */
export const effectiveBook = memoizePair((chain: PricedChain, positions: Positions): Book => {
  const { hasFlow, openInterest } = effectiveOpenInterest(chain, positions)
  return hasFlow ? bookOf(chain, openInterest) : signConvention(chain)
})

/** The net exposures of both books, compared. */
export function dealerRiskOf({ settled, live, totals }: FlowScope): DealerRisk {
  return dealerRisk(netExposures(settled), netExposures(live), totals.seriesWithFlow)
}

/** Volumes of a session that ended before the one of the chain are in its open interest already. */
export function ofItsSession(chain: PricedChain, positions: Positions | undefined): Positions | undefined {
  return positions !== undefined && positions.session >= latestSession(chain.asOf).date ? positions : undefined
}
