import { totalOpenInterest } from '../../exposure/pin/max-pain.ts'
import type { Scope } from '../../exposure/scope.ts'
import { isMarketOpen } from '../../market/clock.ts'
import type { Instant } from '../../market/units.ts'
import { mid } from '../../pricing/parity.ts'

/** What may be wrong with the data of a signal, in the order answers list it. */
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
  /** A whole number, 0 to 100. */
  readonly score: number
  readonly warnings: readonly QualityWarning[]
}

/** When a signal is read. */
export interface ReadAt {
  readonly now: Instant
  /** Seconds that the source of the chain runs behind; 0 on a past moment. */
  readonly delay: number
  /** Stored sessions behind a signal that reads them; undefined of others. */
  readonly sessions: number | undefined
}

/** Seconds. */
const DELAYED = 60
const [STALE, VERY_STALE] = [60, 15 * 60]
/** Quotes that count towards one-sidedness lie within this share of spot. */
const REACH = 0.1
const MANY_ONE_SIDED = 0.25
const FEW_CONTRACTS = 20
const FEW_SESSIONS = 20

/**
 * How far the data of a scope can be trusted. The age of a quote is counted on the clock of its source, so that a source
 * which is late by design costs nothing. Source: the wire contract, x-conventions.data_quality.
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

/** What a scope without contracts would get. */
export const qualityOfNothing: SignalQuality = { score: 50, warnings: ['no_open_interest', 'thin_chain'] }

/** The share of contracts near spot without a two-sided quote; 0 where none is listed there. */
function oneSidedShare({ chain, slots }: Scope): number {
  const near = slots.filter((i) => Math.abs(chain.strike[i] - chain.spot) <= REACH * chain.spot)
  return near.length === 0 ? 0 : near.filter((i) => Number.isNaN(mid(chain, i))).length / near.length
}
