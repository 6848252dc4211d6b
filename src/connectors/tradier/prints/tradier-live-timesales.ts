import { easternDate } from '../../../market/eastern.ts'
import type { Ticker } from '../../../market/units.ts'
import type { Print, PrintSink, TapeMessage } from '../../port/prints/print-feed.ts'
import { RecentValues } from '../../port/recent-values.ts'
import type { TradierTimesale } from './tradier-timesale.ts'

/** Minimum number of recent trades kept to recognize repeats and changes. */
const REMEMBERED = 50_000

export class LiveTimesales {
  readonly #out: PrintSink
  /** Prints by contract, date and the vendor's sequence number, which restarts every session. */
  readonly #recent = new RecentValues<Print | 'cancelled'>(REMEMBERED)

  constructor(out: PrintSink) {
    this.#out = out
  }

  take(timesale: TradierTimesale, symbol: Ticker): void {
    const { contract, time, sequence, change, meaning } = timesale
    const key = `${contract} ${easternDate(time)} ${sequence}`
    const known = this.#recent.get(key)
    if (meaning === 'exclude') this.#out.refused('a compression at closing prices', symbol)
    else if (meaning === 'cancel' || change === 'cancel') this.#cancel(timesale, symbol, key, known)
    else if (change === 'correction') this.#correct(printOf(timesale, meaning, symbol), key, known)
    else if (known === undefined) this.#tell({ print: printOf(timesale, meaning, symbol) }, key)
    else if (known === 'cancelled' || !isSame(known, timesale)) this.#out.refused('a number that came before', symbol)
  }

  /** Cancels a trade by its sequence number, or by its contract, time, price and size if that number is unknown. */
  #cancel(timesale: TradierTimesale, symbol: Ticker, key: string, known: Print | 'cancelled' | undefined): void {
    if (known === 'cancelled') return
    this.#recent.set(key, 'cancelled')
    const { contract, price, size, exchange } = known ?? timesale
    const cancel = { symbol, contract, time: timesale.time, price, size, exchange, sequence: undefined }
    this.#out.messages([{ cancel }])
  }

  /** Corrects a print; a repeated correction changes nothing. */
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
 * Converts a timesale to a print. The tape needs sequence numbers that are unique per exchange, which the vendor does
 * not promise. The print therefore has none and is identified by its contract, time, price and size.
 */
function printOf(timesale: TradierTimesale, flags: number, symbol: Ticker): Print {
  const { contract, time, price, size, exchange, bid, ask } = timesale
  const quote = { bid, ask, time }
  return { symbol, contract, time, price, size, exchange, sequence: undefined, flags, quote, spot: undefined }
}

type Figures = Pick<Print, 'time' | 'price' | 'size' | 'exchange'>

const isSame = (a: Figures, b: Figures) =>
  a.time === b.time && a.price === b.price && a.size === b.size && a.exchange === b.exchange
