import { backOff } from '../../../pacing/back-off.ts'
import { pause } from '../pause.ts'
import { SourceError } from '../source-error.ts'

/** Pauses before a stream reconnects, milliseconds. */
export interface Reconnecting {
  /** Pause after the first failure. It doubles with each further failure, up to `longestPause`. */
  readonly firstPause: number
  readonly longestPause: number
}

/** Pauses that suit most vendors, milliseconds. */
export const usualPauses: Reconnecting = { firstPause: 1000, longestPause: 60_000 }

export interface KeepOptions {
  readonly pauses: Reconnecting
  /** Receives the reason of each failure that is followed by a reconnect, as a sentence. */
  readonly onInterrupted: (reason: string) => void
}

/**
 * Follows one connection from beginning to end. Calls `succeeded` when data has arrived: the connection then counts as a
 * success.
 */
export type Connect = (succeeded: () => void) => Promise<void>

/**
 * Reconnects a stream until the signal fires. The pause doubles with each failure in a row, up to the longest pause.
 * After a `rate_limited` error it is the longest pause at once. Rejects if the source refuses the data, and with any
 * error other than a `SourceError`.
 */
export async function keepConnected(
  connect: Connect,
  { pauses: { firstPause, longestPause }, onInterrupted }: KeepOptions,
  signal: AbortSignal
): Promise<void> {
  let failures = 0
  const succeeded = () => {
    failures = 0
  }
  while (!signal.aborted) {
    try {
      await connect(succeeded)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof SourceError) || error.fault === 'refused') throw error
      onInterrupted(error.message)
      const again = backOff(++failures, { first: firstPause, longest: longestPause })
      await pause(error.fault === 'rate_limited' ? longestPause : again, signal)
    }
  }
}
