import type { MaybePromise } from '../api/maybe-promise.ts'
import { recordedClose } from '../archive/closing.ts'
import type { HistoryStore } from '../archive/store.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import type { Dividend } from '../market/dividend.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { Engine } from '../workers/engine.ts'

interface Sources {
  readonly archive: Pick<HistoryStore, 'closingSnapshot'>
  readonly engine: Pick<Engine, 'run'>
  /** Daily bars up to and including the session, ascending. */
  readonly bars: () => Promise<readonly DailyBar[]>
  /** All that are known of the symbol: the record is made with those that were known by the close. */
  readonly dividends: () => MaybePromise<readonly Dividend[]>
}

/** The daily record of a session, made of its recorded close. Undefined where the archive has no close of it. */
export async function recordOfDay(
  symbol: Ticker,
  session: IsoDate,
  { archive, engine, bars, dividends }: Sources
): Promise<DailyRecord | undefined> {
  const snapshot = await recordedClose(archive, symbol, session)
  return snapshot && engine.run('makeRecord', { snapshot, bars: await bars(), dividends: await dividends() })
}
