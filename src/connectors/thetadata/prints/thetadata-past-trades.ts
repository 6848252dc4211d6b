import { addDays, isTradingDay, REGULAR_CLOSE, REGULAR_OPEN } from '../../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../../market/units.ts'
import { optionRoots } from '../../../market/wanted-roots.ts'
import type { TapeMessage } from '../../port/prints/print-feed.ts'
import { tradeQuotes } from '../thetadata-answers.ts'
import { compactDateText, timeOfDay } from '../thetadata-requests.ts'
import type { ThetaDataRest } from '../thetadata-rest.ts'
import { readThetaDataTrade } from './thetadata-trade.ts'

export interface ThetaDataPastOptions {
  readonly rest: ThetaDataRest
  readonly symbol: Ticker
  /** [from, to), milliseconds. */
  readonly from: Instant
  readonly to: Instant
  readonly signal: AbortSignal
  /** Something that is not used. */
  readonly onRefused: (reason: string) => void
}

/** So much of a session is asked for at once, minutes: a quarter of an hour of SPY is some 20,000 trades. */
const STEP = 15
/** Options of indexes trade until then, in minutes since midnight; before and after there is little. */
const LAST = REGULAR_CLOSE + STEP
const MIDNIGHT = 24 * 60
const BATCH = 1000

/** What was traded of a symbol in a stretch, by time: the trades of all its roots, a part of a day after the other. */
export async function* thetadataPastTrades(options: ThetaDataPastOptions): AsyncGenerator<readonly TapeMessage[]> {
  const { rest, symbol, from, to, signal, onRefused } = options
  for (const { date, begin, end } of stretches(from, to)) {
    const times = { start_time: timeOfDay(begin), end_time: timeOfDay(end - 1) }
    const lists = await Promise.all(
      optionRoots(symbol).map((root) =>
        // Left out, the times would be those of the regular session; both are included.
        rest.read(
          tradeQuotes,
          { symbol: root, expiration: '*', date: compactDateText(date), ...times, exclusive: 'true' },
          signal
        )
      )
    )
    const trades = lists.flatMap((rows) => rows ?? []).filter(({ time }) => time >= begin && time < end)
    trades.sort((a, b) => a.time - b.time)
    for (let at = 0; at < trades.length; at += BATCH) {
      const batch: TapeMessage[] = []
      for (const trade of trades.slice(at, at + BATCH)) {
        const found = readThetaDataTrade(trade, symbol)
        if ('message' in found) batch.push(found.message)
        else onRefused(found.refused)
      }
      yield batch
    }
  }
}

/** The parts of trading days that lie in [from, to), ascending. */
function* stretches(from: Instant, to: Instant) {
  for (let date = easternDate(from); date <= easternDate(to); date = addDays(date, 1)) {
    if (!isTradingDay(date)) continue
    const bounds = boundsOf(date)
    for (let k = 0; k + 1 < bounds.length; k++) {
      const [begin, end] = [Math.max(from, bounds[k]), Math.min(to, bounds[k + 1])]
      if (begin < end) yield { date, begin, end }
    }
  }
}

/** Where the parts of a day begin, and where the last one ends. */
function boundsOf(date: IsoDate): readonly Instant[] {
  const minutes = [0]
  for (let minute = REGULAR_OPEN; minute <= LAST; minute += STEP) minutes.push(minute)
  return [...minutes, MIDNIGHT].map((minute) => instantOfEastern(date, minute))
}
