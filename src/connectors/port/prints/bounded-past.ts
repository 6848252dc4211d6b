import type { Ticker } from '../../../market/units.ts'
import { SourceError } from '../source-error.ts'
import type { SerialQueue } from './serial-queue.ts'

export interface PastReading {
  readonly symbol: Ticker
  /** Milliseconds that it may take from its turn on: what the stream tells meanwhile waits for it. */
  readonly within: number
  /** Readings that go one after the other, where together they would all be late. */
  readonly turns?: SerialQueue | undefined
  /** Milliseconds that it may wait for its turn, for the same reason; undefined: a quarter of an hour. */
  readonly longestWait?: number
  readonly signal: AbortSignal
}

/** Some readings of the longest kind: what a busy symbol prints meanwhile is held in memory. */
const MAX_WAIT = 15 * 60_000

/**
 * What was printed in the past, as `read` reads it. Rejects with `timeout` where that takes too long, and with `rate_limited`
 * where those before it do.
 */
export async function* boundedPast<Batch>(
  read: (signal: AbortSignal) => AsyncIterable<Batch>,
  { symbol, within, turns, longestWait = MAX_WAIT, signal }: PastReading
): AsyncGenerator<Batch> {
  const end = await turnOf(symbol, turns, longestWait, signal)
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

async function turnOf(symbol: Ticker, turns: SerialQueue | undefined, longestWait: number, signal: AbortSignal) {
  const late = AbortSignal.timeout(longestWait)
  try {
    return await turns?.next(AbortSignal.any([signal, late]))
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    const others = `what other symbols traded took longer than ${longestWait / 1000} s to read`
    throw new SourceError('rate_limited', `what ${symbol} traded was not asked for: ${others}`)
  }
}
