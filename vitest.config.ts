import { configDefaults, defineConfig } from 'vitest/config'
import { nativeFiles, nativeSources } from './test/support/native-sources.ts'

// What starts programs, measures memory or loads the engine of the archive has a process for each of its files. All other
// files share theirs: to load the modules anew for each would take longer than most of the tests.
const alone = ['archive', 'client', 'e2e', 'imports', 'jobs', 'replay', 'trials', 'workers'].map(
  (folder) => `test/${folder}/**/*.test.ts`
)

export default defineConfig({
  plugins: [nativeSources()],
  test: {
    server: { deps: { external: [nativeFiles] } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', include: [...alone, 'test/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone, 'test/*.test.ts'],
          isolate: false
        }
      }
    ]
  }
})
