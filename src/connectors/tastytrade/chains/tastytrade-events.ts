import type { Instant } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { type DxlinkEventFields, dxlinkReader, figureIn } from '../dxlink/dxlink-events.ts'

/** Event fields that a chain needs, for options and the underlying alike. */
export const chainEventFields: DxlinkEventFields = new Map([
  ['Quote', ['eventSymbol', 'bidPrice', 'askPrice', 'bidSize', 'askSize']],
  ['Summary', ['eventSymbol', 'openInterest', 'dayClosePrice', 'prevDayClosePrice']],
  ['Trade', ['eventSymbol', 'time', 'price', 'dayVolume']]
])

/** Newest events of one symbol. Prices in USD per share, NaN if absent. */
export interface SymbolEvents {
  quote?: { readonly bid: number; readonly ask: number; readonly bidSize: number; readonly askSize: number }
  summary?: { readonly openInterest: number; readonly close: number; readonly previousClose: number }
  trade?: { readonly price: number; readonly volume: number; readonly time: Instant | undefined }
}

/** Keeps the newest event of each type for every symbol of a chain. */
export class NewestEvents {
  readonly #events = new Map<string, SymbolEvents>()
  /** Events received so far, by type. */
  readonly counts = { Quote: 0, Summary: 0, Trade: 0 }

  take(type: string, events: readonly VendorFields[]): void {
    if (type !== 'Quote' && type !== 'Summary' && type !== 'Trade') return
    for (const event of events) {
      const newest = this.#of(dxlinkReader.text(event, 'eventSymbol'))
      this.counts[type]++
      if (type === 'Quote') newest.quote = quoteIn(event)
      else if (type === 'Summary') newest.summary = summaryIn(event)
      else newest.trade = tradeIn(event)
    }
  }

  of(symbol: string): SymbolEvents {
    return this.#events.get(symbol) ?? {}
  }

  /** Counts the symbols that have a quote and a summary. */
  complete(symbols: readonly string[]): number {
    return symbols.filter((symbol) => {
      const { quote, summary } = this.of(symbol)
      return quote !== undefined && summary !== undefined
    }).length
  }

  #of(symbol: string): SymbolEvents {
    let newest = this.#events.get(symbol)
    if (newest === undefined) this.#events.set(symbol, (newest = {}))
    return newest
  }
}

/** Reads a quote event. Its time fields always arrive as 0 and are ignored. */
function quoteIn(event: VendorFields) {
  const [bid, ask, bidSize, askSize] = ['bidPrice', 'askPrice', 'bidSize', 'askSize'].map((name) =>
    figureIn(event, name)
  )
  return { bid, ask, bidSize, askSize }
}

function summaryIn(event: VendorFields) {
  return {
    openInterest: figureIn(event, 'openInterest'),
    close: figureIn(event, 'dayClosePrice'),
    previousClose: figureIn(event, 'prevDayClosePrice')
  }
}

function tradeIn(event: VendorFields) {
  return {
    price: figureIn(event, 'price'),
    volume: figureIn(event, 'dayVolume'),
    time: dxlinkReader.timeOrNever(event, 'time')
  }
}
