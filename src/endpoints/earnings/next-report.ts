import { apiError } from '../../api/error.ts'
import { eventDecomposition } from '../../earnings/event-decomposition.ts'
import { daysBetween } from '../../market/calendar.ts'
import type { ChainHeader } from '../../market/chain.ts'
import { type EarningsEvent, nextEvent, type SymbolEarnings, sessionsAround } from '../../market/earnings.ts'
import { easternDate } from '../../market/eastern.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'

/** The first earnings report of a company after the time of a quote. Throws no_data if none is known. */
export function reportAfter({ asOf, symbol }: ChainHeader, { events }: SymbolEarnings) {
  const today = easternDate(asOf)
  const event = nextEvent(events, today)
  if (event === undefined) throw apiError('no_data', `no upcoming earnings report of ${symbol} is known`)
  return { event, days: daysBetween(today, event.date) }
}

/**
 * The move that a chain implies for an earnings report. Undefined if there are no options, or if their expirations do
 * not allow the move on that day to be separated from moves on other days.
 */
export function pricedReport(chain: PricedChain | undefined, event: EarningsEvent) {
  return chain && eventDecomposition(chain, sessionsAround(event).before)
}
