import { Session } from 'node:inspector/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Records for so many seconds, or until `signal` says stop, and returns the profile. */
export type Profile = (seconds: number, signal: AbortSignal) => Promise<object>

/** Microseconds between samples: fine enough for answers of a millisecond, and costs a few percent of the thread. */
const SAMPLE_EVERY = 500

/** A CPU profile of this thread in the form of a .cpuprofile file, which browsers' developer tools and editors open. */
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
