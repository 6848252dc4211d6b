import type { Ticker } from '../../market/units.ts'
import type { InTurn } from './in-turn.ts'
import { SourceError } from './source-error.ts'

export interface PastReading {
  readonly symbol: Ticker
  /** Milliseconds that it may take from its turn on: what the stream tells meanwhile waits for it. */
  readonly within: number
  /** Readings that go one after the other, where together they would all be late. */
  readonly turns?: InTurn
  readonly signal: AbortSignal
}

/** What was printed in the past, as `read` reads it. Rejects with `timeout` where that takes too long. */
export async function* boundedPast<Batch>(
  read: (signal: AbortSignal) => AsyncIterable<Batch>,
  { symbol, within, turns, signal }: PastReading
): AsyncGenerator<Batch> {
  const end = await turns?.next(signal)
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
