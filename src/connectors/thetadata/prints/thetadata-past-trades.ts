import { addDays, isTradingDay, REGULAR_CLOSE, REGULAR_OPEN } from '../../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../../market/eastern.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import { optionRoots } from '../../../market/wanted-roots.ts'
import type { TapeMessage } from '../../port/prints/print-feed.ts'
import type { PastAsked } from '../../whole-market/market-feed.ts'
import { tapeBatches } from '../../whole-market/tape-batches.ts'
import { tradeQuotes } from '../thetadata-answers.ts'
import { compactDateText, timeOfDay } from '../thetadata-requests.ts'
import type { ThetaDataRest } from '../thetadata-rest.ts'
import { readThetaDataTrade } from './thetadata-trade.ts'

export interface ThetaDataPastOptions extends PastAsked {
  readonly rest: ThetaDataRest
}

/** Length of the period that one request covers, minutes. In 15 minutes SPY has about 20,000 trades. */
const STEP = 15
/**
 * Minute of the day until which index options trade. Up to this minute the regular session is split into short periods;
 * outside it there is little trading.
 */
const LAST = REGULAR_CLOSE + STEP
const MIDNIGHT = 24 * 60

/** Yields past trades of a symbol, ascending by time. Each request covers all option roots for one part of a day. */
export async function* thetadataPastTrades(options: ThetaDataPastOptions): AsyncGenerator<readonly TapeMessage[]> {
  const { rest, symbol, from, to, signal, onRefused } = options
  for (const { date, begin, end } of stretches(from, to)) {
    const times = { start_time: timeOfDay(begin), end_time: timeOfDay(end - 1) }
    const lists = await Promise.all(
      optionRoots(symbol).map((root) =>
        // Without explicit times the vendor returns only the regular session; both ends are inclusive.
        rest.read(
          tradeQuotes,
          { symbol: root, expiration: '*', date: compactDateText(date), ...times, exclusive: 'true' },
          signal
        )
      )
    )
    const trades = lists.flatMap((rows) => rows ?? []).filter(({ time }) => time >= begin && time < end)
    trades.sort((a, b) => a.time - b.time)
    yield* tapeBatches(trades, symbol, readThetaDataTrade, onRefused)
  }
}

/** Splits [from, to) into parts of trading days, ascending. */
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

/** Times at which a day is split into parts, ascending. */
function boundsOf(date: IsoDate): readonly Instant[] {
  const minutes = [0]
  for (let minute = REGULAR_OPEN; minute <= LAST; minute += STEP) minutes.push(minute)
  return [...minutes, MIDNIGHT].map((minute) => instantOfEastern(date, minute))
}
