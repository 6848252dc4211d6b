import type { Print, TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'

/** A message of a feed, and when it came. */
export interface Arrived {
  readonly message: TapeMessage
  readonly arrival: Instant
}

/** Print sizes of the special cases, by which tests find the prints in answers. */
export const sizes = {
  late: 311,
  cancelled: 313,
  wrong: 317,
  right: 331,
  sweep: 151,
  extension: 173,
  gap: 179
} as const

/** An exchange of their own, whose numbers meet no others. */
const EXCHANGE = 99

const arrived = (print: Print, arrival = print.time): Arrived => ({ message: { print }, arrival })

/** Makes prints at milliseconds after a moment, each with a unique sequence number. */
function printsAround(moment: Instant, symbol: Ticker) {
  let count = 0
  return (after: number, size: number, contract: string | undefined): Print => {
    const time = moment + after
    const sequence = Math.floor(moment / 1000) * 100 + count++
    const quote = { bid: 4.9, ask: 5, time: time - 1 }
    return { symbol, contract, time, price: 5, size, exchange: EXCHANGE, sequence, flags: 0, quote, spot: undefined }
  }
}

/** Two prints of one order just before a moment. */
export function sweepBefore(moment: Instant, symbol: Ticker, contract: string): readonly Arrived[] {
  const print = printsAround(moment, symbol)
  return [-400, -200].map((after) => arrived(print(after, sizes.sweep, contract)))
}

/**
 * Prints around a moment after which an archive shows more of the time before it than was known then: a late print, a
 * print that is cancelled later, one that is corrected later, a sweep that goes on, another one that a late print
 * joins, and a print after a gap. `series` are contracts that trade little.
 */
export function casesAround(moment: Instant, symbol: Ticker, series: readonly string[]): readonly Arrived[] {
  const [swept, joined, other] = series
  const print = printsAround(moment, symbol)
  const takenBack = (one: Print, after: number, corrected?: Print): Arrived => {
    const { contract, exchange, sequence, price, size } = one
    const cancel = { symbol, contract, exchange, sequence, price, size, time: moment + after, corrected }
    return { message: { cancel }, arrival: moment + after }
  }
  const ofKind = (contract: string | undefined): readonly Arrived[] => {
    const cancelled = print(-5000, sizes.cancelled, contract)
    const wrong = print(-6000, sizes.wrong, contract)
    return [
      arrived(print(-1500, sizes.late, contract), moment + 2000),
      arrived(cancelled),
      takenBack(cancelled, 1000),
      arrived(wrong),
      takenBack(wrong, 1500, print(-6000, sizes.right, contract)),
      arrived(print(4000, sizes.gap, contract))
    ]
  }
  return [
    ...ofKind(other),
    ...ofKind(undefined),
    arrived(print(-400, sizes.sweep, swept)),
    arrived(print(-200, sizes.sweep, swept)),
    arrived(print(100, sizes.extension, swept)),
    arrived(print(-1300, sizes.sweep, joined)),
    arrived(print(-1100, sizes.sweep, joined)),
    arrived(print(-900, sizes.extension, joined), moment + 2500)
  ]
}
