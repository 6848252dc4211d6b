import type { HistoryStore } from '../archive/history-store.ts'
import { bandPools, POOLED_DAYS } from '../market/band-pool.ts'
import { addDays, latestSession } from '../market/calendar.ts'
import { securityKind } from '../market/security.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { BAND_RECORDS, type BandAccuracy, bandAccuracy } from '../signals/band-accuracy.ts'

/**
 * Reads from the daily records how the bands of symbols held, ascending by symbol. Symbols without a compared morning are
 * left out.
 */
export async function readBandAccuracies(
  symbols: readonly Ticker[],
  store: Pick<HistoryStore, 'records' | 'bandErrors'>,
  now: Instant
): Promise<readonly BandAccuracy[]> {
  const before = addDays(latestSession(now).date, 1)
  const errors = await store.bandErrors(addDays(before, -POOLED_DAYS), before)
  const poolsOf = (symbol: Ticker) => bandPools(errors, securityKind(symbol))
  const found: BandAccuracy[] = []
  for (const symbol of [...symbols].sort()) {
    const accuracy = bandAccuracy(symbol, await store.records(symbol, before, BAND_RECORDS), poolsOf(symbol))
    if (accuracy.mornings > 0) found.push(accuracy)
  }
  return found
}
