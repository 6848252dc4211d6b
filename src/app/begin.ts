import type { Config } from '../config/config.ts'
import type { SourceSettings } from '../connectors/port/declaration.ts'
import { noScans, type ScanCounts } from '../connectors/port/scans.ts'
import { startEngineThread } from '../workers/pool.ts'
import type { Thread } from '../workers/thread.ts'
import { threadProgram } from '../workers/thread-program.ts'
import { referenceSettings } from './running-references.ts'
import { sourceSettings } from './source-choice.ts'

/** What is begun before the program of the service is loaded. */
export interface Begun {
  readonly source: SourceSettings
  /** How payloads are read, on any thread; part of `source`. */
  readonly scans: ScanCounts
  /** The workers of the engine; `serve` ends them. */
  readonly threads: readonly Thread[]
}

/** The program of a worker. */
export const engineProgram = threadProgram('workers/engine-thread')

/**
 * Begins what `serve` goes on with. The workers load their program while the calling thread loads its own, so nothing large
 * is imported here. Throws where a source cannot be used as the settings say, before anything is started.
 */
export function begin(config: Config): Begun {
  const scans = noScans()
  const source: SourceSettings = { ...sourceSettings(config), scans }
  referenceSettings(config, source.capture)
  const { workers, assumptions, features } = config
  const start = () => startEngineThread(engineProgram, { source, assumptions, features })
  return { source, scans, threads: Array.from({ length: workers }, start) }
}
