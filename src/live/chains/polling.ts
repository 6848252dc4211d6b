import type { Connector, UniverseSymbol } from '../../connectors/port/connector.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import { type LiveSymbol, strictestDemand } from './live-symbol.ts'

/** Symbols to refresh at least once per `every` milliseconds even if nobody requests them. */
export interface PolledSymbols {
  readonly symbols: ReadonlySet<Ticker>
  readonly every: number
}

export interface PollingRules {
  readonly source: Pick<Connector, 'pace'>
  readonly universe: ReadonlyMap<Ticker, UniverseSymbol>
  readonly watch: PolledSymbols | undefined
  /** The symbol of the first page, loaded before any other. */
  readonly example: Ticker | undefined
  /** Whether the source can have anything newer than the held chain. */
  readonly hasNewer: (symbol: LiveSymbol) => boolean
}

/** Refresh interval of symbols that nobody requests; requested ones follow the strictest plan. */
const WARM_EVERY = 15 * 60_000

/** Milliseconds between two polls. */
export const POLL_EVERY = 100
/** Symbols that are renewed at least this often are spread evenly over time; the others come too seldom to collide. */
const IN_TURN = 60_000
/** How many more of them one poll may begin than are due in its time. */
const ROOM_IN_TURN = 1.25

/** The refresh interval of a symbol, milliseconds. */
function everyOf(live: LiveSymbol, { pace }: PollingRules['source'], now: Instant): number {
  return Math.max(pace, strictestDemand(live, now) ?? WARM_EVERY)
}

/**
 * Whether a symbol is twice as old as it should become although there is something newer: the source fails, or its
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
 * The symbols to load now: those never loaded before those that are late, then the most overdue first. The example
 * comes alone, so that no large chain is made before it.
 *
 * Symbols that were requested together would be loaded together ever after, and answers about the last of them would
 * wait for all the others. So one poll begins about as many frequently renewed symbols as are due in its time.
 */
export function dueSymbols(
  symbols: Iterable<LiveSymbol>,
  { source, universe, watch, example, hasNewer }: PollingRules,
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
    const inTurn = every <= IN_TURN && held.chain !== undefined
    if (inTurn) perPoll += POLL_EVERY / every
    if (cell.isLoading || !cell.isDue) continue
    const age = now - observedAt
    if ((age < every && !isWatchDue(live)) || !hasNewer(live)) continue
    if (symbol === example && held.chain === undefined) return [live]
    const first = held.chain === undefined ? 1 / (universe.get(symbol)?.tier ?? 1) : 0
    due.push({ live, first, overdue: held.chain === undefined ? 0 : age / every, inTurn })
  }
  due.sort((a, b) => b.first - a.first || b.overdue - a.overdue)
  let left = Math.ceil(ROOM_IN_TURN * perPoll)
  return due.filter(({ inTurn }) => !inTurn || left-- > 0).map(({ live }) => live)

  /** Whether a watched symbol has not been observed in the current interval. */
  function isWatchDue({ symbol, observedAt }: LiveSymbol): boolean {
    if (watch === undefined || !watch.symbols.has(symbol) || now - observedAt < source.pace) return false
    return Math.floor(now / watch.every) !== Math.floor(observedAt / watch.every)
  }
}
