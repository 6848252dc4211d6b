import type { HistoryStore, StoredSnapshot } from '../../src/archive/history-store.ts'

/**
 * Adds a cache to an archive that nobody else writes: each snapshot is read from the database once until snapshots are written
 * again. A read takes 5 ms of CPU time, and hundreds of questions about one moment read the same few snapshots.
 */
export function withKeptSnapshots<Store extends HistoryStore>(store: Store): Store {
  const kept = new Map<string, Promise<StoredSnapshot | undefined>>()
  const once = (name: string, read: () => Promise<StoredSnapshot | undefined>) => {
    let snapshot = kept.get(name)
    if (snapshot === undefined) kept.set(name, (snapshot = read()))
    return snapshot
  }
  return {
    ...store,
    snapshot: (symbol, at) => once(`${symbol} at ${at}`, () => store.snapshot(symbol, at)),
    closingSnapshot: (symbol, session) => once(`${symbol} on ${session}`, () => store.closingSnapshot(symbol, session)),
    async writeSnapshots(snapshots) {
      await store.writeSnapshots(snapshots)
      kept.clear()
    }
  }
}
