import { quoteFigures } from '../../imports/lean/lean-bars.ts'
import { type LeanOption, leanOptionKey } from '../../imports/lean/lean-names.ts'
import { logEntry, type MinuteLog, minuteLog } from '../../imports/lean/minute-log.ts'
import type { Chain } from '../../market/chain.ts'

/** Position of each figure in a log entry for volume that was traded within a minute. */
export const soldFigures = { price: 0, volume: 1, width: 2 } as const

/** What changed in a session, minute by minute, in the logs of minute data. Contracts are numbered as they appear. */
export interface RecordedDay {
  readonly options: LeanOption[]
  /** Quotes and trades of options, and the newest open interest by contract; -1 where it is unknown. */
  readonly quotes: MinuteLog
  readonly trades: MinuteLog
  readonly openInterest: number[]
  /** Whether the volume of options is known. */
  hasVolume: boolean
  /** Quotes and prices of the underlying, as contract 0. */
  readonly shareQuotes: MinuteLog
  readonly shareTrades: MinuteLog
  readonly take: (chain: Chain, minute: number) => void
}

/** An empty day. `take` adds the chain at the end of a minute, minutes ascending: only what differs from before is logged. */
export function recordedDay(): RecordedDay {
  const numbers = new Map<string, number>()
  const standing: number[][] = []
  const volumes: number[] = []
  let share: readonly number[] = []
  let price = Number.NaN
  const day: RecordedDay = {
    options: [],
    quotes: minuteLog(quoteFigures.width),
    trades: minuteLog(soldFigures.width),
    openInterest: [],
    hasVolume: false,
    shareQuotes: minuteLog(quoteFigures.width),
    shareTrades: minuteLog(soldFigures.width),
    take(chain, minute) {
      for (const { root, date, start, end } of chain.expirations) {
        for (let k = start; k < end; k++) {
          const option = { root, expiration: date, right: chain.right[k], strike: chain.strike[k] }
          takeContract(chain, k, numberOf(option), minute)
        }
      }
      const { bid = Number.NaN, ask = Number.NaN, last } = chain.quote
      const quote = [bid, ask, Number.NaN, Number.NaN]
      if (isQuote(quote) && !areEqual(quote, share)) log(day.shareQuotes, minute, 0, (share = quote))
      if (last > 0 && last !== price) log(day.shareTrades, minute, 0, [(price = last), 0])
    }
  }

  function numberOf(option: LeanOption): number {
    const key = leanOptionKey(option)
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, day.options.length)
    standing.push([])
    volumes.push(0)
    day.openInterest.push(-1)
    return day.options.push(option) - 1
  }

  function takeContract(chain: Chain, k: number, number: number, minute: number): void {
    const sizeOf = (size: number) => (size < 0 ? Number.NaN : size)
    const quote = [chain.bid[k], chain.ask[k], sizeOf(chain.bidSize[k]), sizeOf(chain.askSize[k])]
    if (isQuote(quote) && !areEqual(quote, standing[number]))
      log(day.quotes, minute, number, (standing[number] = quote))
    const volume = chain.volume[k]
    if (volume >= 0) day.hasVolume = true
    if (volume > volumes[number] && chain.last[k] > 0) {
      log(day.trades, minute, number, [chain.last[k], volume - volumes[number]])
      volumes[number] = volume
    }
    if (chain.openInterest[k] >= 0) day.openInterest[number] = chain.openInterest[k]
  }

  return day
}

const isQuote = ([bid, ask]: readonly number[]) => bid > 0 || ask > 0
const areEqual = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((figure, i) => Object.is(figure, other[i]))

function log(to: MinuteLog, minute: number, number: number, figures: readonly number[]): void {
  const at = logEntry(to, minute, number)
  for (const [i, figure] of figures.entries()) to.figures[at + i] = figure
}

/** Entries of a log in the order of its contracts: those of contract n are `order[first[n]]` to `order[first[n + 1] - 1]`. */
export function byContract(
  { size, slots }: MinuteLog,
  contracts: number
): { readonly order: Int32Array; readonly first: Int32Array } {
  const first = new Int32Array(contracts + 1)
  for (let i = 0; i < size; i++) first[slots[i] + 1]++
  for (let n = 1; n <= contracts; n++) first[n] += first[n - 1]
  const next = first.slice()
  const order = new Int32Array(size)
  for (let i = 0; i < size; i++) order[next[slots[i]]++] = i
  return { order, first }
}
