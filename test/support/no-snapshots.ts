import type { HistoryStore } from '../../src/archive/history-store.ts'

/** The part of an archive without snapshots from which prints could be inferred. */
export const noSnapshots: Pick<HistoryStore, 'moments' | 'snapshot' | 'closingSnapshot' | 'splits'> = {
  moments: async () => [],
  snapshot: async () => undefined,
  closingSnapshot: async () => undefined,
  splits: async () => []
}
