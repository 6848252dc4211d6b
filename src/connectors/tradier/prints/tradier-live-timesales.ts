import { easternDate } from '../../../market/eastern.ts'
import type { Ticker } from '../../../market/units.ts'
import type { Print, PrintSink, TapeMessage } from '../../port/prints/print-feed.ts'
import { RecentValues } from '../../port/recent-values.ts'
import type { TradierTimesale } from './tradier-timesale.ts'

/** Trades that are remembered at least, for those that come twice or are changed. */
const REMEMBERED = 50_000

/** Makes timesales into messages of tapes. */
export class LiveTimesales {
  readonly #out: PrintSink
  /** The print that stands for a number of the vendor, which counts anew each session. */
  readonly #recent = new RecentValues<Print | 'cancelled'>(REMEMBERED)

  constructor(out: PrintSink) {
    this.#out = out
  }

  take(timesale: TradierTimesale, symbol: Ticker): void {
    const { contract, time, sequence, change, said } = timesale
    const key = `${contract} ${easternDate(time)} ${sequence}`
    const known = this.#recent.get(key)
    if (said === 'exclude') this.#out.refused('a compression at closing prices', symbol)
    else if (said === 'cancel' || change === 'cancel') this.#cancel(timesale, symbol, key, known)
    else if (change === 'correction') this.#correct(printOf(timesale, said, symbol), key, known)
    else if (known === undefined) this.#tell({ print: printOf(timesale, said, symbol) }, key)
    else if (known === 'cancelled' || !isSame(known, timesale)) this.#out.refused('a number that came before', symbol)
  }

  /** A cancel names a trade by its number; where that did not come, by its figures. */
  #cancel(timesale: TradierTimesale, symbol: Ticker, key: string, known: Print | 'cancelled' | undefined): void {
    if (known === 'cancelled') return
    this.#recent.set(key, 'cancelled')
    const { contract, price, size, exchange } = known ?? timesale
    const cancel = { symbol, contract, time: timesale.time, price, size, exchange, sequence: undefined }
    this.#out.messages([{ cancel }])
  }

  /** A correction that comes twice changes nothing the second time. */
  #correct(print: Print, key: string, known: Print | 'cancelled' | undefined): void {
    if (known === undefined || known === 'cancelled') {
      this.#out.refused('a correction of a print that is not there', print.symbol)
    } else if (!isSame(known, print)) {
      const { symbol, contract, price, size, exchange, sequence } = known
      this.#recent.set(key, print)
      const cancel = { symbol, contract, time: print.time, price, size, exchange, sequence, corrected: print }
      this.#out.messages([{ cancel }])
    }
  }

  #tell(message: TapeMessage & { readonly print: Print }, key: string): void {
    this.#recent.set(key, message.print)
    this.#out.messages([message])
  }
}

/**
 * On a tape a number is unique with its exchange; the vendor does not say that its are, so a print has none there and is known by
 * its figures.
 */
function printOf(timesale: TradierTimesale, flags: number, symbol: Ticker): Print {
  const { contract, time, price, size, exchange, bid, ask } = timesale
  const quote = { bid, ask, time }
  return { symbol, contract, time, price, size, exchange, sequence: undefined, flags, quote, spot: undefined }
}

type Figures = Pick<Print, 'time' | 'price' | 'size' | 'exchange'>

const isSame = (a: Figures, b: Figures) =>
  a.time === b.time && a.price === b.price && a.size === b.size && a.exchange === b.exchange
