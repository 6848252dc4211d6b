import { NO_PRICE, type PrintColumns } from '../../market/print.ts'
import { TabSeparatedBytes } from './tab-separated-bytes.ts'

/** Maximum bytes of a row: 14 numbers of at most 17 characters, each with a separator. */
const MAX_NUMBERS_LENGTH = 14 * 18

/** Rows of prints as text. */
export class PrintRows {
  readonly #text = new TabSeparatedBytes()

  get length(): number {
    return this.#text.length
  }

  /**
   * Appends rows `from` to `to`. `name` is the text at the start of each row; `position` is the place of the first row
   * on its tape. If there is a bid, price and ask are stored as differences from the bid, which takes less than half
   * the space; the last column is then 1.
   */
  add(name: string, prints: PrintColumns, from: number, to: number, position: number): void {
    const { known, ts, sequence, instrument, price, size, bid, ask, spot, flags, judged, exchange } = prints
    const head = Buffer.from(name)
    const text = this.#text
    text.reserve((to - from) * (head.length + MAX_NUMBERS_LENGTH))
    for (let k = from; k < to; k++) {
      text.append(head)
      text.wholeAndTab(position + k - from)
      text.wholeAndTab(known[k])
      text.wholeAndTab(known[k] - ts[k])
      text.wholeAndTab(sequence[k])
      text.wholeAndTab(instrument[k])
      const floor = bid[k] === NO_PRICE ? 0 : bid[k]
      text.wholeAndTab(price[k] - floor)
      text.wholeAndTab(size[k])
      text.wholeAndTab(bid[k])
      text.wholeAndTab(ask[k] - floor)
      text.wholeAndTab(spot[k])
      text.wholeAndTab(flags[k])
      text.wholeAndTab(judged[k])
      text.wholeAndTab(exchange[k])
      text.wholeAndTab(bid[k] === NO_PRICE ? 0 : 1)
      text.endRowAtTab()
    }
  }

  /** Returns the rows so far and begins a new collection. */
  take(): Uint8Array {
    return this.#text.take()
  }
}
