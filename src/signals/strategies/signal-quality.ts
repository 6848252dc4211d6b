import { totalOpenInterest } from '../../exposure/pin/max-pain.ts'
import type { Scope } from '../../exposure/scope.ts'
import { isMarketOpen } from '../../market/clock.ts'
import type { Instant } from '../../market/units.ts'
import { mid } from '../../pricing/parity.ts'

/** Warnings about the data of a signal, in the order in which responses list them. */
export const qualityWarnings = [
  'stale_quotes',
  'delayed_data',
  'market_closed',
  'one_sided_quotes',
  'no_open_interest',
  'thin_chain',
  'short_history'
] as const
export type QualityWarning = (typeof qualityWarnings)[number]

export interface SignalQuality {
  /** Score of the data quality, a whole number from 0 to 100. */
  readonly score: number
  readonly warnings: readonly QualityWarning[]
}

/** When a signal is computed, and what its data come from. */
export interface ReadAt {
  readonly now: Instant
  /** Usual delay of the chain's data source in seconds. 0 for past moments. */
  readonly delay: number
  /** Number of stored trading sessions that the signal uses. Undefined if it uses none. */
  readonly sessions: number | undefined
}

/** Data count as delayed if the usual delay of their source is longer than this, in seconds. */
const DELAYED = 60
const [STALE, VERY_STALE] = [60, 15 * 60]
/** Quotes up to this distance from spot, as a fraction of spot, count for the share of one-sided quotes. */
const REACH = 0.1
const MANY_ONE_SIDED = 0.25
const FEW_CONTRACTS = 20
const FEW_SESSIONS = 20

/**
 * Quality of the data of a scope. The age of quotes is measured beyond the usual delay of their source, so that a
 * delayed source costs no points. Source: the published API contract, x-conventions.data_quality.
 */
export function signalQuality(scope: Scope, { now, delay, sessions }: ReadAt): SignalQuality {
  const moment = now - 1000 * delay
  const isOpen = isMarketOpen(moment)
  const age = (moment - scope.chain.asOf) / 1000
  const oneSided = oneSidedShare(scope)
  const stale = isOpen && age > STALE
  const penalties: Readonly<Record<QualityWarning, number>> = {
    stale_quotes: stale ? (age > VERY_STALE ? 40 : 20) : 0,
    delayed_data: 0,
    market_closed: isOpen ? 0 : 10,
    one_sided_quotes: 40 * oneSided,
    no_open_interest: totalOpenInterest(scope) === 0 ? 30 : 0,
    thin_chain: scope.slots.length < FEW_CONTRACTS ? 20 : 0,
    short_history: sessions !== undefined && sessions < FEW_SESSIONS ? 15 : 0
  }
  const isWarnedOf = (warning: QualityWarning) => {
    if (warning === 'delayed_data') return delay > DELAYED
    return warning === 'one_sided_quotes' ? oneSided > MANY_ONE_SIDED : penalties[warning] > 0
  }
  const lost = qualityWarnings.reduce((sum, warning) => sum + penalties[warning], 0)
  return { score: Math.round(Math.max(0, 100 - lost)), warnings: qualityWarnings.filter(isWarnedOf) }
}

export const qualityOfNothing: SignalQuality = { score: 50, warnings: ['no_open_interest', 'thin_chain'] }

/** Fraction of the contracts near spot that lack a bid or an ask. 0 if no contracts are listed there. */
function oneSidedShare({ chain, slots }: Scope): number {
  const near = slots.filter((i) => Math.abs(chain.strike[i] - chain.spot) <= REACH * chain.spot)
  return near.length === 0 ? 0 : near.filter((i) => Number.isNaN(mid(chain, i))).length / near.length
}
