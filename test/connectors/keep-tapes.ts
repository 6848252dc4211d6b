import { onTestFinished } from 'vitest'
import type { PrintFeed } from '../../src/connectors/port/prints/print-feed.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { LiveTapes, type TapeTrouble } from '../../src/tape/live-tapes.ts'

/** Keeps the tapes of a feed until the test ends, in a market whose time runs on from a given moment. */
export function keepTapes(feed: PrintFeed | undefined, from: Instant) {
  const begun = performance.now()
  const now = (): Instant => from + Math.floor(performance.now() - begun)
  const troubles: TapeTrouble[] = []
  const keeper = new LiveTapes({
    feed,
    source: 'recorded',
    confidence: 0.43,
    archive: undefined,
    maxSymbols: 2,
    maxBytes: Number.MAX_SAFE_INTEGER,
    marketNow: now,
    clockStands: false,
    steadyNow: Date.now,
    onMoved: () => {},
    onTrouble: (trouble) => troubles.push(trouble)
  })
  onTestFinished(() => keeper.close())
  /** Uncancelled prints of SPY, by column. */
  const shown = async () => {
    const { prints } = (await keeper.view({ symbol: 'SPY' as Ticker, kind: 'option', view: 'prints' }))!
    const rows = Array.from({ length: prints.length }, (_, row) => row)
    return {
      sizes: rows.map((row) => prints.size[row]),
      flags: rows.map((row) => prints.flags[row]),
      known: rows.map((row) => prints.known[row])
    }
  }
  const sizes = async () => (await shown()).sizes
  return { keeper, now, troubles, shown, sizes }
}
