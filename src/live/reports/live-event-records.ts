import type { MaybePromise } from '../../api/maybe-promise.ts'
import { recordedClose } from '../../archive/closing.ts'
import type { Connector } from '../../connectors/port/connector.ts'
import type { Dividend } from '../../market/dividend.ts'
import {
  type EarningsEvent,
  type EventRecord,
  type EventSessions,
  isSettled,
  pastEvents,
  type SymbolEarnings,
  sessionsAround
} from '../../market/earnings.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { Engine } from '../../workers/engine.ts'
import type { MarketEventBus, PastArchive } from '../market-events.ts'

interface Options {
  readonly engine: Pick<Engine, 'run'>
  readonly source: Pick<Connector, 'holdsPast'>
  readonly archive?: Pick<PastArchive, 'eventRecords' | 'closingSnapshot'> | undefined
  readonly events: MarketEventBus
  readonly dividends: (symbol: Ticker) => MaybePromise<readonly Dividend[]>
  readonly held: (symbol: Ticker) => SymbolEarnings['records'] | undefined
}

/** Records of the closes around past earnings reports. They are read from the archive, or computed if missing. */
export class EventRecords {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Records of the given earnings reports. If `isMaking`, missing ones are computed, which may take a second. */
  async of(
    symbol: Ticker,
    events: readonly EarningsEvent[],
    isMaking: boolean,
    now: Instant
  ): Promise<readonly EventRecord[]> {
    const { archive, events: bus } = this.#options
    const stored = (await archive?.eventRecords(symbol).catch(() => undefined)) ?? []
    const held = this.#options.held(symbol)
    const known = new Map([...(held?.values() ?? []), ...stored].map((record) => [record.before, record]))
    const missing = pastEvents(events)
      .map(sessionsAround)
      .filter(({ before, after }) => known.get(before)?.after !== after || !isWhole(known.get(before), now))
    if (!isMaking || missing.length === 0) return [...known.values()]
    const made = await this.#make(symbol, missing, now)
    const settled = made.filter((record) => isSettled(record, now))
    if (settled.length > 0) bus.emit('eventRecordsLearned', { symbol, records: settled })
    for (const record of made) known.set(record.before, record)
    return [...known.values()]
  }

  async #make(symbol: Ticker, missing: readonly EventSessions[], now: Instant): Promise<readonly EventRecord[]> {
    const { archive, engine, source, dividends } = this.#options
    const known = await dividends(symbol)
    const made: EventRecord[] = []
    const others: EventSessions[] = []
    for (const sessions of missing) {
      const before = archive && (await recordedClose(archive, symbol, sessions.before).catch(() => undefined))
      if (before === undefined) {
        others.push(sessions)
        continue
      }
      const isOver = isSettled(sessions, now)
      const after = isOver ? await recordedClose(archive!, symbol, sessions.after).catch(() => undefined) : undefined
      made.push(await engine.run('makeEventRecord', { sessions, before, after, dividends: known }))
    }
    if (!source.holdsPast || others.length === 0) return made
    const past = others.filter((sessions) => isSettled(sessions, now))
    return [...made, ...(await engine.run('makePastEventRecords', { symbol, events: past, dividends: known }))]
  }
}

/** Whether nothing is missing from the record of an earnings report. */
function isWhole(record: EventRecord | undefined, now: Instant): boolean {
  return record !== undefined && (record.move !== undefined || !isSettled(record, now))
}
