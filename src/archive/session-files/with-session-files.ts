import { easternDate } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'
import type { DatabaseStore } from '../clickhouse/store.ts'
import type { ChainSnapshot } from '../store.ts'
import { nameOf, SessionFolder, type SessionFolderOptions, type SessionId } from './session-folder.ts'
import { SessionSnapshots, type SessionSnapshotsOptions } from './session-snapshots.ts'

export interface SessionFilesOptions
  extends SessionFolderOptions,
    Pick<SessionSnapshotsOptions, 'shared' | 'onError'> {}

/**
 * The same archive, whose snapshots are read out of files beside the database where there are any: SPX in 1.7 instead of
 * 10 ms. Answers are the same, and what is written is in the database before it is in a file.
 */
export function withSessionFiles(
  store: DatabaseStore,
  { shared, onError, ...options }: SessionFilesOptions
): { readonly store: DatabaseStore; readonly files: SessionSnapshots } {
  const files = new SessionSnapshots({ store, folder: new SessionFolder(options), shared, onError })
  return {
    files,
    store: {
      ...store,
      async snapshot(symbol, at) {
        const id = { symbol, session: easternDate(at) }
        return (await files.newest(id, at, { fills: true })) ?? store.snapshot(symbol, at)
      },
      async closingSnapshot(symbol, session) {
        const newest = await files.newest({ symbol, session }, Number.POSITIVE_INFINITY, { fills: false })
        return newest ?? store.closingSnapshot(symbol, session)
      },
      async writeSnapshots(snapshots) {
        const ended = await Promise.all(earliestOf(snapshots).map(({ id, from }) => files.beginWrite(id, from)))
        try {
          await store.writeSnapshots(snapshots)
        } finally {
          for (const end of ended) end()
        }
      },
      async forgetBefore(before, what) {
        const ended = files.beginForget(easternDate(before))
        try {
          await store.forgetBefore(before, what)
        } finally {
          await ended()
        }
      },
      async close() {
        await files.close()
        await store.close()
      }
    }
  }
}

/** The sessions of snapshots, each with the earliest of its moments. */
function earliestOf(
  snapshots: readonly ChainSnapshot[]
): readonly { readonly id: SessionId; readonly from: Instant }[] {
  const found = new Map<string, { id: SessionId; from: Instant }>()
  for (const { chain } of snapshots) {
    const id = { symbol: chain.symbol, session: easternDate(chain.asOf) }
    const known = found.get(nameOf(id))
    if (known === undefined) found.set(nameOf(id), { id, from: chain.asOf })
    else known.from = Math.min(known.from, chain.asOf)
  }
  return [...found.values()]
}
