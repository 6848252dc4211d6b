import { quoteFigures } from '../../imports/lean/lean-bars.ts'
import type { MinuteLog } from '../../imports/lean/minute-log.ts'
import type { DailyBar } from '../../market/bar.ts'
import { MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { soldFigures } from './recorded-day.ts'

/** Writes the lines of minute files. `open` is the minute of the New York day at which the session opens. */
export interface LineWriter {
  readonly quote: (log: MinuteLog, entry: number) => string
  readonly trade: (log: MinuteLog, entry: number) => string
  readonly openInterest: (contracts: number) => string
}

/** Half past six in New York, before any session: open interest is that of the morning. */
const PUBLISHED = 390 * MILLISECONDS_PER_MINUTE

/**
 * A bar begins a minute before what it holds is known, and its four prices are the one that stood at its end. A side
 * without a quote, and a size that nobody said, are empty.
 */
export function lineWriter(open: number, perDollar: number): LineWriter {
  const priced = (price: number) => (price > 0 ? written(price * perDollar, perDollar) : '')
  const beginning = ({ minutes }: MinuteLog, entry: number) => (open + minutes[entry] - 1) * MILLISECONDS_PER_MINUTE
  const four = (price: number) => Array(4).fill(priced(price)).join()
  return {
    quote(log, entry) {
      const figure = (name: keyof typeof quoteFigures) => log.figures[entry * quoteFigures.width + quoteFigures[name]]
      const [bid, ask] = [figure('bid'), figure('ask')]
      const sizes = [figure('bidSize'), figure('askSize')].map((size) => (Number.isNaN(size) ? '' : `${size}`))
      return `${beginning(log, entry)},${four(bid)},${sizes[0]},${four(ask)},${sizes[1]}\n`
    },
    trade(log, entry) {
      const at = entry * soldFigures.width
      const [price, volume] = [log.figures[at + soldFigures.price], log.figures[at + soldFigures.volume]]
      return `${beginning(log, entry)},${four(price)},${volume}\n`
    },
    openInterest: (contracts) => `${PUBLISHED},${contracts}\n`
  }
}

/** Line of a file of daily bars; a volume that nobody said is 0. */
export function dailyLine({ date, open, high, low, close, volume }: DailyBar, perDollar: number): string {
  const prices = [open, high, low, close].map((price) => written(price * perDollar, perDollar))
  return `${date.replaceAll('-', '')} 00:00,${prices.join()},${volume > 0 ? volume : 0}\n`
}

/** Scaled prices are whole numbers; plain ones keep their digits. */
const written = (price: number, perDollar: number) => `${perDollar === 1 ? price : Math.round(price)}`
