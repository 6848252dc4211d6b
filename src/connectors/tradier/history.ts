import type { DailyBar } from '../../market/bar.ts'
import { completedSession } from '../../market/calendar.ts'
import { type Instant, parseIsoDate } from '../../market/units.ts'
import { reader } from './quote.ts'

/** The completed daily bars of an answer of `/markets/history`, ascending; none for a symbol without any. */
export function readHistory(bytes: Uint8Array, now: Instant): readonly DailyBar[] {
  const history = reader.objectOrNone(reader.body(bytes), 'history')
  const days = history === undefined ? [] : (reader.list(history, 'day') ?? [])
  const last = completedSession(now).date
  return days
    .map((element): DailyBar => {
      const day = reader.element(element, 'day')
      const date = parseIsoDate(reader.text(day, 'date'))
      if (date === undefined) throw reader.malformed('the field date is no date')
      const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) => reader.priceOrNone(day, name))
      return { date, open, high, low, close, volume: reader.volume(day, 'volume') }
    })
    .filter(({ date, close }) => date <= last && close > 0)
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}
