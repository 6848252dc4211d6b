import type { JobStore } from '../../src/jobs/run-job.ts'
import type { MemoryStore } from './memory-store.ts'

/** An archive in memory as jobs use it: what only the database can do is refused. */
export function jobStore(memory: MemoryStore): JobStore {
  const refuse = () => Promise.reject(new Error('not asked for'))
  return {
    ...memory,
    writeTableText: refuse,
    exportQuotes: refuse,
    exportPrints: refuse,
    exportFigures: refuse
  }
}
