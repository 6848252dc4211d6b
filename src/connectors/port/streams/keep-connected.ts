import { backOff } from '../../../pacing/back-off.ts'
import { pause } from '../pause.ts'
import { SourceError } from '../source-error.ts'

/** Before a stream is connected again, milliseconds. */
export interface Reconnecting {
  /** After the first failure, and at the longest. */
  readonly firstPause: number
  readonly longestPause: number
}

/** What the vendors ask for, or bear. */
export const usualPauses: Reconnecting = { firstPause: 1000, longestPause: 60_000 }

export interface KeepOptions {
  readonly pauses: Reconnecting
  /** A failure that is outlived, why in a sentence. */
  readonly onInterrupted: (reason: string) => void
}

/** One connection from its beginning to its end. `heard`: it has told something, so that it counts as a success. */
export type Connect = (heard: () => void) => Promise<void>

/**
 * Connects a stream again and again until the signal fires: after each failure in a row it waits twice as long, within a
 * bound, and that bound where the vendor wants rest. Rejects with what is no `SourceError`, and with a refusal.
 */
export async function keepConnected(
  connect: Connect,
  { pauses: { firstPause, longestPause }, onInterrupted }: KeepOptions,
  signal: AbortSignal
): Promise<void> {
  let failures = 0
  const heard = () => {
    failures = 0
  }
  while (!signal.aborted) {
    try {
      await connect(heard)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof SourceError) || error.fault === 'refused') throw error
      onInterrupted(error.message)
      const again = backOff(++failures, { first: firstPause, longest: longestPause })
      await pause(error.fault === 'rate_limited' ? longestPause : again, signal)
    }
  }
}
