import { recordedClose } from '../archive/closing.ts'
import type { HistoryStore } from '../archive/store.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'

interface Sources {
  readonly archive: Pick<HistoryStore, 'closingSnapshot'>
  readonly engine: Pick<Engine, 'run'>
  /** Daily bars up to and including the session, ascending. */
  readonly bars: () => Promise<readonly DailyBar[]>
}

/** The daily record of a session, made of its recorded close. Undefined where the archive has no close of it. */
export async function recordOfDay(
  symbol: Ticker,
  session: IsoDate,
  { archive, engine, bars }: Sources
): Promise<DailyRecord | undefined> {
  const snapshot = await recordedClose(archive, symbol, session)
  return snapshot && engine.run('makeRecord', { snapshot, bars: await bars() })
}
