import { vi } from 'vitest'
import type { TapeText } from '../../src/archive/history-store.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { nextTradingDay, previousTradingDay, session } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import { formatOcc } from '../../src/market/occ.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../src/market/units.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import { TapeReader } from '../../src/replay/tape-reader.ts'
import { symbolOf } from '../../src/tape/followed-symbol.ts'
import type { Tapes } from '../../src/tape/tape-port.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { holdClocks, keeping, RefusingArchive } from '../tape/keeping.ts'
import { ScriptedFeed } from '../tape/scripted-feed.ts'
import type { ArchiveRows } from './archive-rows.ts'
import { type Arrived, casesAround, sweepBefore } from './flow-cases.ts'
import { madeUpAssumptions } from './made-up.ts'
import type { MemoryTapes } from './memory-tapes.ts'
import { noSnapshots } from './no-snapshots.ts'
import { levelOf, snapshotOf } from './recorded-days.ts'
import { SampledDay, timeOf } from './sampled-day.ts'
import { scriptedSource } from './scripted-source.ts'

/** A Friday: options of both shares expire on it. */
export const flowDate = '2026-07-31' as IsoDate
export const flowHours = ['T09:31:00', 'T12:00:00', 'T15:59:30', 'T16:00:00'] as const
/** After this moment nothing prints for a while. */
export const stillHour = 'T11:00:00'
export const flowSymbols = ['KO', 'T'] as unknown as readonly Ticker[]

/** Data that a service recorded of a session while it served it. */
export interface FlowDay {
  readonly rows: ArchiveRows
  readonly tapes: MemoryTapes
  /** The rows of the tapes as the recorder wrote them, in turn. */
  readonly written: readonly TapeText[]
}

/** The tapes of the live service at a moment. */
export type LiveTapes = Readonly<Record<'tapes', Tapes> & Record<'pastTapes', TapeReader>>

const { signal } = new AbortController()
const synthetic = createSynthetic({ seed: 7 })
const engine = inlineEngine({ connector: scriptedSource(), assumptions: madeUpAssumptions, endpoints: new Map() })
const momentOf = (date: IsoDate, hour: string) => parseMoment(`${date}T${hour}`)!

/**
 * Records a day of the synthetic market as a live service does: chains, prints as they arrive with the special cases
 * around each hour, and 0DTE samples; also the evening before and the next morning. `onHour` is called at each hour
 * with the service's tapes and all rows so far.
 */
export async function recordFlowDay(
  onHour: (at: Instant, live: LiveTapes, rows: ArchiveRows) => Promise<void>
): Promise<FlowDay> {
  const hours = flowHours.map((hour) => parseMoment(flowDate + hour)!)
  const quiet = await quietContracts(hours[1])
  const cases = hours.flatMap((hour) => casesAround(hour, flowSymbols[0], quiet))
  cases.push(...sweepBefore(parseMoment(flowDate + stillHour)!, flowSymbols[0], quiet[0]))
  const arrivals = [...(await prints()), ...cases].sort((a, b) => a.arrival - b.arrival)
  const rows = { snapshots: await snapshots(), bars: [], records: [], zeroDte: await rawBars(arrivals) }

  holdClocks()
  try {
    const archive = new WritingArchive()
    const feed = new ScriptedFeed({ past: false })
    const { keeper, clock, pass } = keeping(feed, { archive, source: 'synthetic', maxSymbols: 5 })
    const pastTapes = new TapeReader(
      {
        tape: archive.read,
        tapeHead: archive.read,
        tapedSymbols: async (kind, date) => archive.tapes.symbols(kind, date),
        ...noSnapshots
      },
      engine,
      { confidence: undefined, today: () => flowDate }
    )
    const tapes: Tapes = {
      keep: (symbol) => keeper.keep(symbol),
      view: (request) => keeper.view(request),
      windowTotals: (kind, from) => keeper.windowTotals(kind, from),
      progress: async () => undefined,
      symbols: async () => keeper.symbols(),
      note: async () => {},
      close: () => keeper.close()
    }
    const setClock = (at: Instant) => void (clock.shift = at - Date.now())
    setClock(arrivals[0].arrival)
    for (const symbol of flowSymbols) keeper.keep(symbol)
    await pass(0)
    const coming = [...hours]
    for (const { message, arrival } of arrivals) {
      for (; coming[0] < arrival; coming.shift()) {
        await pass(1000) // for the recorder
        setClock(coming[0])
        await onHour(coming[0], { tapes, pastTapes }, rows)
      }
      setClock(arrival)
      feed.tell(message)
      if (hours.some((hour) => hour + 3000 < arrival && arrival < hour + 4000)) lose(feed, arrival)
    }
    await pass(1000)
    await keeper.close()
    return { rows, tapes: archive.tapes, written: archive.written }
  } finally {
    vi.useRealTimers()
  }
}

class WritingArchive extends RefusingArchive {
  readonly written: TapeText[] = []

  override write = async (text: TapeText): Promise<void> => {
    this.written.push(text)
    this.tapes.write(text)
  }
}

const lose = (feed: ScriptedFeed, until: Instant) => feed.state({ until, missed: [until - 500, until] })

/** Some minutes of each session: what is printed in the others would only take longer. */
async function prints(): Promise<readonly Arrived[]> {
  const [before, after] = [previousTradingDay(flowDate), nextTradingDay(flowDate)]
  const stretches = [
    [momentOf(before, '15:50:00'), session(before)!.close],
    [momentOf(flowDate, '09:30:00'), momentOf(flowDate, '09:33:00')],
    [momentOf(flowDate, '10:45:00'), momentOf(flowDate, '10:46:00')],
    [momentOf(flowDate, '11:57:00'), momentOf(flowDate, '12:02:00')],
    [momentOf(flowDate, '15:56:00'), momentOf(flowDate, '16:02:00')],
    [momentOf(after, '09:30:00'), momentOf(after, '09:31:00')]
  ] as const
  const arrivals: Arrived[] = []
  for (const symbol of flowSymbols) {
    for (const [from, to] of stretches) {
      for await (const batch of synthetic.prints!.past!(symbol, from, to, signal)) {
        for (const message of batch) arrivals.push({ message, arrival: timeOf(message) })
      }
    }
  }
  return arrivals
}

/** Three contracts of the first share that hardly trade. */
async function quietContracts(at: Instant): Promise<readonly string[]> {
  const chain = (await synthetic.chain(flowSymbols[0], at, signal))!
  const { date: expiration, root, end } = chain.expirations[3]
  return [1, 3, 5].map((back) => formatOcc({ root, expiration, right: 'call', strike: chain.strike[end - back] }))
}

async function snapshots() {
  const [before, after] = [previousTradingDay(flowDate), nextTradingDay(flowDate)]
  const minutes = ['09:30', '09:31', '09:32', '11:00', '11:59', '12:00', '12:01', '15:58', '15:59']
  const { close } = session(flowDate)!
  const during = minutes.map((minute) => momentOf(flowDate, `${minute}:00`))
  const moments = [session(before)!.close, ...during, close - 31_000, close - 29_000, close]
  const chains: Chain[] = []
  for (const at of [...moments, momentOf(after, '09:31:00')]) {
    for (const symbol of flowSymbols) chains.push((await synthetic.chain(symbol, at, signal))!)
    chains.push(await levelOf('VIX' as Ticker, at))
  }
  return chains.map(snapshotOf)
}

/** Raw bars of some minutes, by the sampler of the live service. */
async function rawBars(arrivals: readonly Arrived[]) {
  const { open, close } = session(flowDate)!
  const minutes = (count: number) => count * MILLISECONDS_PER_MINUTE
  const noon = momentOf(flowDate, '12:00:00')
  const stretches = [
    [open, open + minutes(2)],
    [noon - minutes(2), noon + minutes(1)],
    [close - minutes(2), close]
  ] as const
  const days = flowSymbols.map((symbol) => {
    const messages = arrivals.map(({ message }) => message).filter((message) => symbolOf(message) === symbol)
    return new SampledDay(symbol, flowDate, messages, open)
  })
  for (const day of days) for (const [from, to] of stretches) await day.run(from, to)
  return days.flatMap(({ rows }) => rows)
}
