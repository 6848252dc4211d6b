import type { Ticker } from '../../../market/units.ts'
import { SourceError } from '../source-error.ts'
import type { SerialQueue } from './serial-queue.ts'

export interface PastReading {
  readonly symbol: Ticker
  /**
   * Time limit for reading, milliseconds, not counting the wait in the queue. The symbol's live prints are held back
   * during that time.
   */
  readonly within: number
  /** Queue that runs requests one after the other, for sources that would answer all of them too slowly in parallel. */
  readonly queue?: SerialQueue | undefined
  /** Maximum wait in the queue, milliseconds; 15 minutes if undefined. */
  readonly longestWait?: number
  readonly signal: AbortSignal
}

/**
 * Usual maximum wait. Several of the longest requests can finish in that time. It is limited, because a busy symbol's
 * live prints are held in memory until then.
 */
const MAX_WAIT = 15 * 60_000

/**
 * Yields past prints from `read`. Rejects with a `timeout` error if reading takes too long, and with a `rate_limited`
 * error if the wait in the queue does.
 */
export async function* boundedPast<Batch>(
  read: (signal: AbortSignal) => AsyncIterable<Batch>,
  { symbol, within, queue, longestWait = MAX_WAIT, signal }: PastReading
): AsyncGenerator<Batch> {
  const end = await waitInQueue(symbol, queue, longestWait, signal)
  const late = AbortSignal.timeout(within)
  try {
    yield* read(AbortSignal.any([signal, late]))
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    throw new SourceError('timeout', `what ${symbol} traded could not be read within ${within / 1000} s`)
  } finally {
    end?.()
  }
}

async function waitInQueue(symbol: Ticker, queue: SerialQueue | undefined, longestWait: number, signal: AbortSignal) {
  const late = AbortSignal.timeout(longestWait)
  try {
    return await queue?.next(AbortSignal.any([signal, late]))
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    const others = `what other symbols traded took longer than ${longestWait / 1000} s to read`
    throw new SourceError('rate_limited', `what ${symbol} traded was not asked for: ${others}`)
  }
}
