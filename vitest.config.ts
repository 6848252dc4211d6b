import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { NotTested } from './test/support/not-tested.ts'
import { shortLived } from './test/support/short-lived.ts'
import { slowFiles } from './test/support/slow-files.ts'
import { temporaryPlace } from './test/support/temporary-place.ts'

const pages = 'dashboard/test/pages/**/*.test.ts'

/**
 * Whether the run chooses projects. If not, all files that need the same settings are one project: a worker serves a single
 * project, and each further set of workers would load and compile the sources anew.
 */
const choosesProjects = process.argv.some((word) => word.startsWith('--project'))
const partsOfTests = [
  { name: 'slow', include: slowFiles },
  { name: 'fast', include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, ...slowFiles] },
  { name: 'pages', include: [pages] }
]
const allTests = [{ name: 'tests', include: ['test/**/*.test.ts', pages] }]

/**
 * Programs whose tests may not be left out, `postgres` and `redis` by comma; the address of a PostgreSQL server to test with; and
 * the seed of random cases, a whole number, or `any` for cases of their own in each run.
 */
const {
  GAMMAWALL_TEST_REQUIRE: required = '',
  GAMMAWALL_TEST_POSTGRES: postgres,
  GAMMAWALL_TEST_SEED: seed = '1'
} = process.env
// The services that tests start refuse variables of such names that are no settings.
for (const name of Object.keys(process.env)) if (name.startsWith('GAMMAWALL_TEST_')) delete process.env[name]

/**
 * A test process answers thousands of questions once. These flags and fewer collections of short-lived objects save a quarter of
 * its CPU time.
 */
const execArgv = [
  '--import',
  new URL('scripts/typescript.mjs', import.meta.url).href,
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  ...shortLived
]

export default defineConfig({
  test: {
    provide: { required, ...(postgres !== undefined && { postgres }), ...(seed !== 'any' && { seed: Number(seed) }) },
    setupFiles: ['test/support/equal-columns.ts', 'test/support/same-cases.ts', 'test/support/after-file.ts'],
    // Node loads the sources itself: a runner that wraps modules makes kernels 15 times slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Files of a worker share its process. To load the modules anew for each would take longer than most tests.
    isolate: false,
    env: { TMPDIR: temporaryPlace },
    // Bounds of what hangs, and none of what is slow: a loaded machine takes ten times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 100_000 } },
    // Twice the cores of a small machine: tests of programs wait for them a third of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new NotTested()],
    projects: [
      ...(choosesProjects ? partsOfTests : allTests).map((test) => ({
        extends: true as const,
        test: { ...test, execArgv }
      })),
      // Parts of pages are TSX, which Node does not load, and keep their state in modules.
      {
        extends: true,
        resolve: { alias: { 'gammawall/client': new URL('src/client/client.ts', import.meta.url).pathname } },
        test: {
          name: 'dashboard',
          include: ['dashboard/test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, pages],
          experimental: { viteModuleRunner: true },
          isolate: true,
          // Each file needs a worker of its own. A thread begins sooner than a process; it takes no flags of V8.
          pool: 'threads'
        }
      }
    ]
  }
})
