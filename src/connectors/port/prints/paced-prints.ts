import type { Instant, Ticker } from '../../../market/units.ts'
import { pause } from '../pause.ts'
import type { PrintSink, TapeMessage } from './print-feed.ts'

/** Milliseconds between two reads of the market clock. */
const PACE = 100
/** Milliseconds of reading after which other work may run. The first read of a symbol may take 100 ms. */
const AT_ONCE = 20

/** All prints of one symbol in [from, to), in batches, ascending. */
export type PrintsBetween = (from: Instant, to: Instant) => Iterable<readonly TapeMessage[]>

/**
 * Implements `PrintFeed.run` for prints that are known beforehand: sends each one when the market clock passes its
 * time. Prints of a symbol are sent from the time of its first request. If the clock stands still, nothing is sent. If
 * it goes back, the same prints are sent again. `printsOf` is called each time a symbol becomes requested; undefined
 * means that it has no prints.
 */
export async function runPaced(
  printsOf: (symbol: Ticker) => PrintsBetween | undefined,
  wanted: () => readonly Ticker[],
  sink: PrintSink,
  signal: AbortSignal,
  now: () => Instant
): Promise<void> {
  let followed = new Map<Ticker, { readonly between: PrintsBetween | undefined; readonly until: Instant }>()
  while (!signal.aborted) {
    const until = now()
    const next: typeof followed = new Map()
    let begun = performance.now()
    for (const symbol of wanted()) {
      const { between, until: from } = followed.get(symbol) ?? { between: printsOf(symbol), until }
      if (between !== undefined && from < until) for (const batch of between(from, until)) sink.messages(batch)
      next.set(symbol, { between, until })
      if (performance.now() - begun < AT_ONCE) continue
      await pause(0, signal)
      begun = performance.now()
    }
    followed = next
    sink.state({ until })
    await pause(PACE, signal)
  }
}
