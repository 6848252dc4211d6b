import { decodeSnapshot } from '../archive/codec/decode-snapshot.ts'
import { decodeTape } from '../archive/codec/decode-tape.ts'
import type { HistoryStore, StoredTape } from '../archive/history-store.ts'
import { positions } from '../flow/folds/positions.ts'
import { foldedView, stepFolds } from '../flow/folds.ts'
import { rowsNear } from '../flow/near-cancel.ts'
import { customerSums, tradedByGroup } from '../flow/open-interest/customer-side.ts'
import { type SettlementSums, settlementSums } from '../flow/open-interest/settlement.ts'
import { confidenceFor } from '../flow/open-interest/simulator.ts'
import type { Positions } from '../flow/tape-views.ts'
import { latestSession, nextTradingDay, previousTradingDay, session as sessionOf } from '../market/calendar.ts'
import { type CustomerGroup, type CustomerSums, customerGroups } from '../market/customer-sums.ts'
import type { TapeSource } from '../market/print.ts'
import type { Instant, IsoDate, Ticker } from '../market/units.ts'
import type { AccuracyJob } from './job.ts'

export const uncompared = ['no_tape', 'no_chain', 'not_published'] as const
export type Uncompared = (typeof uncompared)[number]

export type SessionAccuracy = { readonly symbol: Ticker; readonly session: IsoDate } & (
  | {
      readonly source: TapeSource
      /**
       * Share of net volume (contracts bought minus contracts sold) that the estimate assumed to change open interest.
       */
      readonly confidence: number
      readonly sums: SettlementSums
      /** Sums of the contracts that traded, from which the side of customers is told. */
      readonly groups: Readonly<Record<CustomerGroup, CustomerSums>>
    }
  /**
   * Reason why the session could not be compared: it has no tape, no recorded chain, or no chain of the next session
   * with a changed open interest (which is published in the morning).
   */
  | { readonly reason: Uncompared }
)

export interface AccuracyOptions {
  readonly store: Pick<HistoryStore, 'tape' | 'tapedSymbols' | 'closingSnapshot'>
  readonly confidence?: number | undefined
  readonly now: Instant
  readonly signal: AbortSignal
  readonly progress: (what: string, done: number, total: number) => void | Promise<void>
}

/**
 * Compares the open interest estimated from flow at the close with the figure published the next morning. Results are
 * sorted by symbol, then by session, ascending. Nothing is stored: current formulas are always applied to archived
 * tapes and snapshots.
 */
export async function compareSettlements(
  { symbols, sessions: count, asOf }: AccuracyJob,
  { store, confidence, now, signal, progress }: AccuracyOptions
): Promise<readonly SessionAccuracy[]> {
  const sessions = sessionsBefore(latestSession(asOf ?? now).date, count)
  const asked = symbols ?? (await tapedIn(store, sessions))
  const found: SessionAccuracy[] = []
  for (const symbol of asked) {
    for (const session of sessions) {
      if (signal.aborted) return found
      found.push({ symbol, session, ...(await compared(symbol, session)) })
      await progress(`${symbol} ${session}`, found.length, asked.length * sessions.length)
    }
  }
  return found

  async function compared(symbol: Ticker, session: IsoDate) {
    const before = await store.closingSnapshot(symbol, session)
    const after = await store.closingSnapshot(symbol, nextTradingDay(session))
    const tape = await store.tape({ symbol, kind: 'option', session })
    if (tape === undefined) return { reason: 'no_tape' } as const
    if (before === undefined) return { reason: 'no_chain' } as const
    const used = confidenceFor(tape.source, confidence)
    const published = after && decodeSnapshot(after)
    const chain = decodeSnapshot(before)
    const flow = closingPositions(tape, used)
    const sums = published && settlementSums(chain, flow, published)
    if (sums === undefined) return { reason: 'not_published' } as const
    return { source: tape.source, confidence: used, sums, groups: sumsByGroup(tradedByGroup(chain, flow, published!)) }
  }
}

function sumsByGroup(traded: ReturnType<typeof tradedByGroup>): Readonly<Record<CustomerGroup, CustomerSums>> {
  return Object.fromEntries(customerGroups.map((group) => [group, customerSums(traded.get(group)!)])) as never
}

/** The `count` sessions before a session, ascending. */
function sessionsBefore(session: IsoDate, count: number): readonly IsoDate[] {
  const sessions = [previousTradingDay(session)]
  while (sessions.length < count) sessions.unshift(previousTradingDay(sessions[0]))
  return sessions
}

async function tapedIn(
  store: Pick<HistoryStore, 'tapedSymbols'>,
  sessions: readonly IsoDate[]
): Promise<readonly Ticker[]> {
  const symbols = new Set<Ticker>()
  for (const session of sessions) for (const symbol of await store.tapedSymbols('option', session)) symbols.add(symbol)
  return [...symbols].sort()
}

/** Positions estimated from a whole tape, by the live service's code. */
function closingPositions(stored: StoredTape, confidence: number): Positions {
  const { symbol, kind, session, source, unit } = stored
  const { prints, series } = decodeTape(stored)
  const folded = { session: { kind, session, unit }, states: { positions: positions.begin({ kind, session, unit }) } }
  stepFolds(folded, { prints, series, greeks: undefined, dropped: 0 }, 0, prints.length, (cancel, of) =>
    rowsNear(prints, series, cancel, of)
  )
  const now = sessionOf(session)!.close
  const header = { symbol, kind, session, source, unit, known: undefined, version: 0, silent: false }
  return foldedView(folded, 'positions', { ...header, now, series, confidence })!
}
