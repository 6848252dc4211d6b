import type { Config } from '../config/config.ts'
import type { SourceSettings } from '../connectors/port/declaration.ts'
import { noScans, type ScanCounts } from '../connectors/port/scans.ts'
import { useRenames } from '../market/renames.ts'
import { limitHeapGrowth } from '../workers/heap-growth.ts'
import { startEngineThread } from '../workers/pool.ts'
import type { Thread } from '../workers/thread.ts'
import { threadProgram } from '../workers/thread-program.ts'
import { referenceSettings } from './running-references.ts'
import { sharedChains, sourceSettings } from './source-choice.ts'

/** Parts of the service that start before the rest of the program is loaded. */
export interface Begun {
  readonly source: SourceSettings
  /**
   * Counts, over all threads, how often responses of a source were parsed by its fast parser or by the general one. The
   * same memory is used by `source`.
   */
  readonly scans: ScanCounts
  /** Worker threads of the engine, already started; `serve` ends them. */
  readonly threads: readonly Thread[]
}

export const engineProgram = threadProgram('workers/engine-thread')

/**
 * First step of a start: checks the sources and starts the worker threads, so that they load their program while this
 * thread loads its own. Do not import large modules here. If a source cannot be used with these settings, throws before
 * anything starts.
 */
export function begin(config: Config): Begun {
  const scans = noScans()
  useRenames(config.renames)
  const source: SourceSettings = { ...sourceSettings(config), scans, shared: sharedChains(config) }
  referenceSettings(config, source.capture)
  const { heapGrowth } = config.memory
  if (heapGrowth !== undefined) limitHeapGrowth(heapGrowth)
  const { workers, assumptions, features, memory } = config
  const start = () => startEngineThread(engineProgram, { source, assumptions, features }, memory)
  return { source, scans, threads: Array.from({ length: workers }, start) }
}
