import type { HistoryStore } from '../../archive/history-store.ts'
import type { ServedPeriod } from '../../replay/replay-moment.ts'
import { type NoHistory, noHistory } from '../replay/replay-host.ts'

/** What bulk answers read of the archive. Without an archive every reading fails with the reason. */
export interface BulkArchive extends Pick<HistoryStore, 'moments' | 'coverage' | 'figures' | 'snapshot'> {
  /** The period that is served, as it is now. */
  readonly period: () => ServedPeriod
}

export interface BulkArchiveOptions extends NoHistory {
  readonly period: () => ServedPeriod
}

export function bulkArchive(history: HistoryStore | undefined, { period, ...none }: BulkArchiveOptions): BulkArchive {
  const store = async () => {
    if (history === undefined) throw noHistory(none)
    return history
  }
  return {
    period,
    moments: async (...asked) => (await store()).moments(...asked),
    coverage: async (...asked) => (await store()).coverage(...asked),
    figures: async (...asked) => (await store()).figures(...asked),
    snapshot: async (...asked) => (await store()).snapshot(...asked)
  }
}
