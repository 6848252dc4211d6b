import type { Connector, UniverseSymbol } from '../../connectors/port/connector.ts'
import { POLL_EVERY, REPRICED_WITHIN, TURNS_WITHIN, WARM_EVERY } from '../../facts/freshness.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type LiveSymbol, strictestDemand } from './live-symbol.ts'

/** Symbols to refresh at least once per `every` milliseconds even if nobody requests them. */
export interface PolledSymbols {
  readonly symbols: ReadonlySet<Ticker>
  readonly every: number
}

export interface PollingRules {
  readonly source: Pick<Connector, 'pace' | 'followed'>
  readonly universe: ReadonlyMap<Ticker, UniverseSymbol>
  readonly watch: PolledSymbols | undefined
  /** Symbol shown on the first page, loaded before any other. */
  readonly example: Ticker | undefined
  /** Whether symbols that were never loaded wait until somebody asks for them. */
  readonly onlyAsked: boolean
  /** Whether the source can have anything newer than the loaded chain. */
  readonly hasNewer: (symbol: LiveSymbol) => boolean
  /** Whether the loaded chain was priced with other rates or dividends than are known now. */
  readonly isOutdated: (symbol: LiveSymbol) => boolean
}

/** Factor by which one poll may start more of these loads than are due in its time. */
const ROOM_IN_TURN = 1.25

export function everyOf(live: LiveSymbol, { pace }: PollingRules['source'], now: Instant): number {
  return Math.max(pace, strictestDemand(live, now) ?? WARM_EVERY)
}

/**
 * Whether a symbol's chain is twice as old as its refresh interval although newer data exists: the source fails, or its
 * request limit is used up.
 */
export function isLate(
  live: LiveSymbol,
  { source, hasNewer }: Pick<PollingRules, 'source' | 'hasNewer'>,
  now: Instant
): boolean {
  return now - live.observedAt >= 2 * everyOf(live, source, now) && hasNewer(live)
}

/**
 * The symbols to load now: those never loaded, then those that are late, then the most overdue first. The example
 * symbol is loaded alone, so that no large chain delays it.
 *
 * Symbols that were requested together would otherwise be loaded together ever after, and requests for the last of them
 * would wait for all the others. So one poll starts about as many frequently renewed symbols as are due in its time.
 */
export function dueSymbols(
  symbols: Iterable<LiveSymbol>,
  { source, universe, watch, example, onlyAsked, hasNewer, isOutdated }: PollingRules,
  now: Instant
): readonly LiveSymbol[] {
  const due: {
    readonly live: LiveSymbol
    readonly first: number
    readonly overdue: number
    readonly inTurn: boolean
  }[] = []
  let perPoll = 0
  for (const live of symbols) {
    const { cell, held, symbol, observedAt } = live
    const every = everyOf(live, source, now)
    const inTurn = every <= TURNS_WITHIN && held.chain !== undefined
    if (inTurn) perPoll += POLL_EVERY / every
    if (cell.isLoading || !cell.isDue) continue
    if (source.followed !== undefined && held.chain !== undefined && !live.isRestored && !isOutdated(live)) continue
    const age = now - observedAt
    // An age below zero means that the clock was set back.
    const isRecent = age >= 0 && age < every && !(age >= REPRICED_WITHIN && isOutdated(live))
    if ((isRecent && !isWatchDue(live)) || !hasNewer(live)) continue
    if (symbol === example && held.chain === undefined) return [live]
    if (onlyAsked && held.chain === undefined && strictestDemand(live, now) === undefined) continue
    const first = held.chain === undefined ? 1 / (universe.get(symbol)?.tier ?? 1) : 0
    due.push({ live, first, overdue: held.chain === undefined ? 0 : age / every, inTurn })
  }
  due.sort((a, b) => b.first - a.first || b.overdue - a.overdue)
  let left = Math.ceil(ROOM_IN_TURN * perPoll)
  return due.filter(({ inTurn }) => !inTurn || left-- > 0).map(({ live }) => live)

  /** Whether a polled symbol has not been loaded in the current interval. */
  function isWatchDue({ symbol, observedAt }: LiveSymbol): boolean {
    if (watch === undefined || !watch.symbols.has(symbol) || now - observedAt < source.pace) return false
    return Math.floor(now / watch.every) !== Math.floor(observedAt / watch.every)
  }
}
