import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest on two cores, the longest first: one that begins last keeps a core waiting at the end. Vitest knows
 * no durations in a fresh clone and goes by the size of files, which says little: some of these hold a list of days and no more.
 */
const longest = [
  'replay/look-ahead-recorded',
  'docs-commands',
  'e2e/replay-sessions',
  'trials/fuzz',
  'trials/kill',
  'trials/kill-tapes',
  'replay/look-ahead',
  'workers/pool',
  'pricing/simd/chains',
  'endpoints/flow/invariants',
  'connectors/cboe/simd/assembled'
].map((name) => `/test/${name}.test.ts`)

const rankOf = ({ moduleId }: TestSpecification) => {
  const at = longest.findIndex((name) => moduleId.endsWith(name))
  return at < 0 ? longest.length : at
}

/** The order of vitest, with the longest files before all others that have a process of their own as they do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isShared = ({ project }: TestSpecification) => (project.config.isolate ? 0 : 1)
    return sorted.toSorted((a, b) => isShared(a) - isShared(b) || rankOf(a) - rankOf(b))
  }
}
