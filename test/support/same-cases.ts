import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Seed of the random cases; undefined to draw other cases in each run. */
    readonly seed?: number
  }
}

// Random cases are the same in every run, so that a run says the same twice of the same code.
const seed = inject('seed')
if (seed !== undefined) fc.configureGlobal({ seed })
