import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

const pools = new Set<PoolState>()

interface PoolState {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** Has `idle` wait for the connections of a pool until the test is over. */
export function awaited(pool: PoolState): void {
  pools.add(pool)
  onTestFinished(() => void pools.delete(pool))
}

/** Turns of the event loop without any work after which nothing more will come of itself. */
const QUIET_TURNS = 3

/** Lets every promise that can settle do so, what a database is asked included. */
export async function idle(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve))
    const isBusy = [...pools].some(
      ({ totalCount, idleCount, waitingCount }) => totalCount > idleCount || waitingCount > 0
    )
    if (isBusy) {
      quiet = -1
      await pause(1) // turns without a pause take as much of the processor as the database
    } else if (pools.size === 0) return
  }
}
