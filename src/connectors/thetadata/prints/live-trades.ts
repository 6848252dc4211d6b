import type { Ticker } from '../../../market/units.ts'
import { WantedRoots } from '../../../market/wanted-roots.ts'
import type { PrintSink, TapeMessage } from '../../port/prints.ts'
import { Recently } from '../../port/recently.ts'
import type { FrameSink } from './frame.ts'
import { readTrade, type Trade } from './trade.ts'

/** Trades that are remembered at least: the busiest seconds of some hundred symbols. */
const REMEMBERED = 50_000

/** Makes what the stream tells into messages of the tapes of wanted symbols. */
export class LiveTrades {
  readonly #out: PrintSink
  readonly #roots = new WantedRoots()
  readonly #recent = new Recently<Trade>(REMEMBERED)
  #batch: TapeMessage[] = []

  constructor(out: PrintSink) {
    this.#out = out
  }

  want(symbols: readonly Ticker[]): void {
    this.#roots.want(symbols)
  }

  readonly isWanted = (root: string): boolean => this.#roots.symbolOfRoot(root) !== undefined

  /** Takes the frames of wanted roots, in their order: the quote that stood before a trade comes before it. */
  readonly sink: Pick<FrameSink, 'trade' | 'quote' | 'refused'> = {
    trade: (trade, root) => {
      if (!this.#isNew(trade)) return
      const symbol = this.#roots.symbolOfRoot(root)!
      const found = readTrade(trade, symbol)
      if ('message' in found) this.#batch.push(found.message)
      else this.#out.refused(found.refused, symbol)
    },
    quote: (quote, root) => this.#batch.push({ quote: { ...quote, symbol: this.#roots.symbolOfRoot(root)! } }),
    refused: (reason) => this.#out.refused(reason)
  }

  /** Hands on what came since the last time. */
  flush(): void {
    if (this.#batch.length === 0) return
    const batch = this.#batch
    this.#batch = []
    this.#out.messages(batch)
  }

  /** A number that were given twice after all tells nothing: the figures have to agree. */
  #isNew(trade: Trade): boolean {
    const { contract, sequence, exchange, time, price, size } = trade
    const name = `${sequence} ${exchange} ${contract}`
    const known = this.#recent.get(name)
    if (known?.time === time && known.price === price && known.size === size) return false
    this.#recent.set(name, trade)
    return true
  }
}
