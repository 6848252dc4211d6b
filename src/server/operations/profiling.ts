import { Session } from 'node:inspector/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Records a CPU profile for a number of seconds, or until `signal` aborts, and returns the profile. */
export type Profile = (seconds: number, signal: AbortSignal) => Promise<object>

/**
 * Microseconds between two samples of the profile. This is fine enough to show requests of a millisecond, and costs a
 * few percent of the thread's time.
 */
const SAMPLE_EVERY = 500

/**
 * Records a CPU profile of this thread in the .cpuprofile format, which the developer tools of browsers and editors can
 * open.
 */
export const cpuProfile: Profile = async (seconds, signal) => {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY })
    await session.post('Profiler.start')
    await wait(1000 * seconds, undefined, { signal }).catch(() => {}) // if aborted, the profile so far is returned
    const { profile } = await session.post('Profiler.stop')
    return profile
  } finally {
    session.disconnect()
  }
}
