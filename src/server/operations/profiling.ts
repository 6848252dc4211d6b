import { Session } from 'node:inspector/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Records a profile for a number of seconds, or until `signal` aborts, and returns it. */
export type Profile = (seconds: number, signal: AbortSignal) => Promise<object>

/**
 * Microseconds between samples: fine enough for requests of a millisecond, at a cost of a few percent of the thread.
 */
const SAMPLE_EVERY = 500

/**
 * Records a CPU profile of this thread in the .cpuprofile format, which developer tools of browsers and editors open.
 */
export const cpuProfile: Profile = async (seconds, signal) => {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY })
    await session.post('Profiler.start')
    await wait(1000 * seconds, undefined, { signal }).catch(() => {}) // aborted: what was recorded is returned
    const { profile } = await session.post('Profiler.stop')
    return profile
  } finally {
    session.disconnect()
  }
}
