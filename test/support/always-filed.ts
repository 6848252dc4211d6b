import type { HistoryStore, StoredSnapshot } from '../../src/archive/history-store.ts'
import type { SessionFiles } from '../../src/archive/session-files/session-files.ts'
import { instantOfEastern } from '../../src/market/eastern.ts'

/** Minutes from midnight to the last of a New York day. */
const LAST_MINUTE = 24 * 60 - 1

/** Wraps an archive so that each session's file exists by the time a question about it is answered. */
export function alwaysFiled<Store extends HistoryStore>(store: Store, files: SessionFiles): Store {
  const filed = async (ask: () => Promise<StoredSnapshot | undefined>) => {
    for (let k = 0; k < 2; k++) {
      const { hit } = files.reads
      const found = await ask()
      if (files.reads.hit > hit) return found
      await files.settled()
    }
    return ask()
  }
  return {
    ...store,
    snapshot: (symbol, at) => filed(() => store.snapshot(symbol, at)),
    async closingSnapshot(symbol, session) {
      await filed(() => store.snapshot(symbol, instantOfEastern(session, LAST_MINUTE))) // closes have no file made
      return store.closingSnapshot(symbol, session)
    }
  }
}
