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

/** Files with a process of their own begin first, then the long ones that share theirs. */
const placeOf = ({ project }: TestSpecification) => (project.config.isolate ? 0 : project.name === 'long' ? 1 : 2)

/** The order of vitest, with the longest files before all others of their kind. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b))
  }
}
