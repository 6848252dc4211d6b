import { configDefaults, defineConfig } from 'vitest/config'
import { nativeFiles, nativeSources } from './test/support/native-sources.ts'

// What starts programs, measures memory or loads the engine of the archive has a process for each of its files. All other
// files share theirs: to load the modules anew for each would take longer than most tests.
const folders = ['archive', 'client', 'e2e', 'imports', 'jobs', 'replay', 'trials', 'workers']
const alone = [...folders.map((folder) => `test/${folder}/**/*.test.ts`), 'test/*.test.ts']

export default defineConfig({
  plugins: [nativeSources()],
  test: {
    server: { deps: { external: [nativeFiles] } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One more than the cores of a small machine: tests of programs wait for them a third of their time.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false
        }
      },
      { extends: true, test: { name: 'dashboard', include: ['dashboard/test/**/*.test.ts'] } }
    ]
  }
})
