import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { type InferredPrints, type InferredSoFar, inferredPrints } from '../../tape/inferred-prints.ts'
import type { Task } from './task.ts'

export interface InferPrints {
  /** Snapshots of one session, ascending; the first repeats the last one of the call before, if there was one. */
  readonly snapshots: readonly StoredSnapshot[]
  readonly soFar: InferredSoFar
}

/** Infers prints from archived snapshots of a session of which no prints were recorded. */
export const inferPrints: Task<InferPrints, InferredPrints> = {
  symbol: ({ snapshots }) => snapshots.at(0)?.symbol,
  usesNextWorker: true,
  run: ({ snapshots, soFar }) => inferredPrints(decoded(snapshots), soFar)
}

/** One chain after the other, so that no more than two are in memory. */
function* decoded(snapshots: readonly StoredSnapshot[]) {
  for (const snapshot of snapshots) yield decodeSnapshot(snapshot)
}
