import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { NotTested } from './test/support/not-tested.ts'

// What starts programs, measures memory or threads, or loads the engine of the archive has a process for each of its files.
// All other files share theirs: to load the modules anew for each would take longer than most tests. The last three could,
// but they take longest, and what has its own process begins first: a core would idle while the other ends the run.
const alone = [
  'e2e/**/*',
  'trials/**/*',
  'archive/{bridge,figures,figures-published,delete-tape,golden-snapshot,killed}',
  'archive/{session-files,session-files-store,zero-dte}',
  'archive/{history-store,store-engine,store-look-ahead,store-open}',
  'client/{browser,service,stream}',
  'imports/{memory,parquet}',
  'jobs/{settlement-accuracy,make-daily-records,figure-rows}',
  'replay/{dividends,flow-answers,look-ahead-files,look-ahead-recorded,replay-market,series,strikes}',
  'workers/*',
  '{deploy,docs-commands,prepare}',
  'endpoints/exposure-invariants',
  'replay/look-ahead',
  'server/http/hostile-input'
].map((name) => `test/${name}.test.ts`)

// These share a process as well and take eight seconds and more each on two cores. What is left is the fast part, for while
// one works: npm test -- --project shared.
const long = [
  'archive/session-file',
  'connectors/{alpaca,massive,thetadata}/tapes',
  'connectors/cboe/simd/assembled',
  'connectors/synthetic/{activity,determinism,listed,tapes}',
  'connectors/tradier/tradier-connector',
  'endpoints/{contract-shapes,dealer-model,risk-premium,structures}',
  'endpoints/flow/invariants',
  'flow/{folds,near-cancel}',
  'imports/mutated-tables',
  'pricing/american/dividends/{cached-dividend-tables,finite-differences}',
  'screener/screen',
  'server/{hostile-source,admin/admin,answers/single-write-response,openapi/openapi,replay/replay,sessions/sessions}',
  'server/http/{access,http-server,kept-answer-route}',
  'stream/{contract,handshake,isolation}',
  'volatility/{forecast/garch,market-smile/whole-variance}'
].map((name) => `test/${name}.test.ts`)

const typescript = new URL('scripts/typescript.mjs', import.meta.url).href

const inOneProcess = {
  isolate: false,
  // Thousands of answers leave short-lived objects behind: fewer collections of them take a thirtieth of the time.
  execArgv: ['--import', typescript, '--max-semi-space-size=64']
}

export default defineConfig({
  test: {
    setupFiles: ['test/support/equal-columns.ts', 'test/support/after-file.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', typescript],
    // Bounds of what hangs, and none of what is slow: a loaded machine takes ten times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    // Twice the cores of a small machine: tests of programs wait for them a third of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new NotTested()],
    projects: [
      { extends: true, test: { name: 'alone', include: alone, ...inOneProcess } },
      { extends: true, test: { name: 'long', include: long, ...inOneProcess } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone, ...long],
          ...inOneProcess
        }
      },
      { extends: true, test: { name: 'pages', include: ['dashboard/test/pages/**/*.test.ts'], ...inOneProcess } },
      // Parts of pages are TSX, which Node does not load, and keep their state in modules.
      {
        extends: true,
        test: { name: 'dashboard', include: ['dashboard/test/*.test.ts'], experimental: { viteModuleRunner: true } }
      }
    ]
  }
})
