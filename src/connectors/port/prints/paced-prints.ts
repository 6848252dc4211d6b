import type { Instant, Ticker } from '../../../market/units.ts'
import { pause } from '../pause.ts'
import type { PrintSink, TapeMessage } from './print-feed.ts'

/** Milliseconds between two reads of the market clock. */
const PACE = 100
/** Milliseconds of reading before we yield to other work. The first read of a symbol may take 100 ms. */
const AT_ONCE = 20

/** All prints of one symbol in [from, to), in batches, ascending. */
export type PrintsBetween = (from: Instant, to: Instant) => Iterable<readonly TapeMessage[]>

/**
 * Implements `PrintFeed.run` for prints that are known beforehand: releases them as the market clock passes them. A
 * symbol starts when it is first requested. While the market clock stands still nothing is printed, and if it goes back
 * the prints are sent again. `printsOf` is called each time a symbol becomes requested; undefined means that it has no
 * prints.
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
