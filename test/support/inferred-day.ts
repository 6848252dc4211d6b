import { vi } from 'vitest'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { nextTradingDay, previousTradingDay, session } from '../../src/market/calendar.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import { TapeReader } from '../../src/replay/tape-reader.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { holdClocks, keeping } from '../tape/keeping.ts'
import type { ArchiveRows } from './archive-rows.ts'
import { engineWith } from './engine-with.ts'
import type { LiveTapes } from './flow-day.ts'
import { madeUpAssumptions } from './made-up.ts'
import { memoryStore } from './memory-store.ts'
import { pricedOnce } from './priced-once.ts'
import { levelOf, snapshotOf } from './recorded-days.ts'
import { inferredInMemory } from './replay.ts'
import { scriptedSource } from './scripted-source.ts'

export const inferredDate = '2026-07-31' as IsoDate
export const inferredSymbol = 'KO' as Ticker

/** Minutes with a snapshot: each one around the asked hours, and every quarter of an hour, the longest that live compares. */
const minutes = [
  ...['09:30', '09:31', '09:32'],
  ...quarters('09:45', '11:45'),
  ...['11:58', '11:59', '12:00', '12:01'],
  ...quarters('12:15', '15:45'),
  ...['15:57', '15:58', '15:59']
]

function quarters(from: string, to: string): readonly string[] {
  const all = Array.from({ length: 24 * 4 }, (_, k) => [Math.floor(k / 4), 15 * (k % 4)])
  return all
    .map((parts) => parts.map((part) => `${part}`.padStart(2, '0')).join(':'))
    .filter((t) => t >= from && t <= to)
}

const { signal } = new AbortController()
const synthetic = createSynthetic({ seed: 7 })
const momentOf = (date: IsoDate, minute: string) => parseMoment(`${date}T${minute}:00`)!

/** Snapshots of a session without prints, of the minutes before the close of the day before, and of the next morning. */
export async function inferredRows(): Promise<ArchiveRows> {
  const [before, after] = [previousTradingDay(inferredDate), nextTradingDay(inferredDate)]
  const moments = [
    ...['15:55', '15:56', '15:57'].map((minute) => momentOf(before, minute)),
    session(before)!.close,
    ...minutes.map((minute) => momentOf(inferredDate, minute)),
    session(inferredDate)!.close,
    ...['09:30', '09:31'].map((minute) => momentOf(after, minute))
  ]
  const chains = []
  for (const at of moments) {
    chains.push((await synthetic.chain(inferredSymbol, at, signal))!, await levelOf('VIX' as Ticker, at))
  }
  return { snapshots: chains.map(snapshotOf), bars: [], records: [] }
}

/** Calls `onMoment` with the tapes of a live service without a feed that was shown each snapshot up to that moment. */
export async function followLive(
  { snapshots }: ArchiveRows,
  moments: readonly Instant[],
  onMoment: (at: Instant, live: LiveTapes) => Promise<void>
): Promise<void> {
  const others = inlineEngine({ connector: scriptedSource(), assumptions: madeUpAssumptions, endpoints: new Map() })
  const engine = engineWith({ inferPrints: inferredInMemory }, others)
  holdClocks()
  try {
    const { keeper, clock, pass } = keeping(undefined, { source: 'inferred', confidence: 0.215, maxSymbols: 5 })
    const polls = snapshots.filter(({ chain: { size, asOf } }) => size > 0 && asOf >= session(inferredDate)!.open)
    const tapes: LiveTapes['tapes'] = {
      keep: (symbol) => keeper.keep(symbol),
      view: (request) => keeper.view(request),
      windowTotals: (kind, from) => keeper.windowTotals(kind, from),
      progress: async () => undefined,
      symbols: async () => keeper.symbols(),
      note: async () => {},
      close: () => keeper.close()
    }
    const pastTapes = new TapeReader(memoryStore({ snapshots, bars: [], records: [] }), engine, {
      confidence: undefined,
      today: () => inferredDate
    })
    for (const at of moments) {
      while (polls.length > 0 && polls[0].chain.asOf <= at) {
        const { chain } = polls.shift()!
        clock.shift = chain.asOf - Date.now()
        const noted = keeper.note(pricedOnce(chain))
        await pass(0)
        await noted
      }
      clock.shift = at - Date.now()
      await onMoment(at, { tapes, pastTapes })
    }
    await keeper.close()
  } finally {
    vi.useRealTimers()
  }
}
