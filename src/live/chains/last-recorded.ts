import type { StoredSnapshot } from '../../archive/history-store.ts'
import { previousTradingDay } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { PastArchive } from '../market-events.ts'

/** Number of earlier sessions that are searched for a snapshot. */
const MAX_SESSIONS = 3

/**
 * The newest snapshot of a symbol that this service recorded by a moment, today or in the last sessions. Undefined if
 * there is none or the archive does not answer.
 */
export async function lastRecorded(
  archive: Pick<PastArchive, 'snapshot' | 'closingSnapshot'>,
  symbol: Ticker,
  at: Instant
): Promise<StoredSnapshot | undefined> {
  try {
    let found = await archive.snapshot(symbol, at)
    let date = easternDate(at)
    for (let sessions = 0; found === undefined && sessions < MAX_SESSIONS; sessions++) {
      date = previousTradingDay(date)
      found = await archive.closingSnapshot(symbol, date)
    }
    return found?.fidelity === 'recorded' ? found : undefined
  } catch {
    return undefined // the chain is then judged alone
  }
}
