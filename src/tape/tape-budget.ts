import { IDLE_AFTER } from '../facts/freshness.ts'
import type { Ticker } from '../market/units.ts'

/** Use of the tapes of a followed symbol, which decides whether they stay in memory. */
export interface TapeUse {
  readonly symbol: Ticker
  readonly bytes: number
  /** Whether the symbol is only one of many. */
  readonly isScanned: boolean
  /** Time of the last request for the symbol or, if it is one of many, for all; milliseconds of `steadyNow`. */
  readonly askedAt: number
  /** Whether the tapes can be read again from the past of the feed, and nothing needs them meanwhile. */
  readonly mayGo: boolean
  /** Whether options of the symbol expire today: their hedge flow and samples begin anew when the tapes are read again. */
  readonly expiresToday: boolean
}

/**
 * Symbols whose tapes are dropped: those that nobody asked for lately and, while all tapes take more than `maxBytes`,
 * those unasked for the longest time, first those that are only one of many. Symbols with options that expire today go
 * last, and not merely because nobody asks.
 */
export function symbolsToDrop(followed: readonly TapeUse[], maxBytes: number, now: number): readonly Ticker[] {
  const order = followed
    .filter(({ mayGo }) => mayGo)
    .sort(
      (a, b) =>
        Number(a.expiresToday) - Number(b.expiresToday) ||
        Number(b.isScanned) - Number(a.isScanned) ||
        a.askedAt - b.askedAt
    )
  const dropped: Ticker[] = []
  let bytes = followed.reduce((sum, use) => sum + use.bytes, 0)
  for (const use of order) {
    const isIdle = !use.expiresToday && now - use.askedAt >= IDLE_AFTER
    if (!isIdle && (bytes <= maxBytes || use.bytes === 0)) continue
    dropped.push(use.symbol)
    bytes -= use.bytes
  }
  return dropped
}
