import type { Instant } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { type DxlinkEventFields, dxlinkReader, figureIn } from '../dxlink/dxlink-events.ts'

/** What a chain is made of, for options and for their underlying alike. */
export const chainEventFields: DxlinkEventFields = new Map([
  ['Quote', ['eventSymbol', 'bidPrice', 'askPrice', 'bidSize', 'askSize']],
  ['Summary', ['eventSymbol', 'openInterest', 'dayClosePrice', 'prevDayClosePrice']],
  ['Trade', ['eventSymbol', 'time', 'price', 'dayVolume']]
])

/** The newest of what was told of a symbol of the stream. Prices in USD per share, NaN where there is none. */
export interface SymbolEvents {
  quote?: { readonly bid: number; readonly ask: number; readonly bidSize: number; readonly askSize: number }
  summary?: { readonly openInterest: number; readonly close: number; readonly previousClose: number }
  trade?: { readonly price: number; readonly volume: number; readonly time: Instant | undefined }
}

/** Gathers the events of the symbols of a chain, the newest of each type. */
export class NewestEvents {
  readonly #told = new Map<string, SymbolEvents>()
  /** Of events. */
  readonly counts = { Quote: 0, Summary: 0, Trade: 0 }

  take(type: string, events: readonly VendorFields[]): void {
    if (type !== 'Quote' && type !== 'Summary' && type !== 'Trade') return
    for (const event of events) {
      const told = this.#of(dxlinkReader.text(event, 'eventSymbol'))
      this.counts[type]++
      if (type === 'Quote') told.quote = quoteIn(event)
      else if (type === 'Summary') told.summary = summaryIn(event)
      else told.trade = tradeIn(event)
    }
  }

  of(symbol: string): SymbolEvents {
    return this.#told.get(symbol) ?? {}
  }

  /** How many of these symbols have been quoted and summed up. */
  complete(symbols: readonly string[]): number {
    return symbols.filter((symbol) => {
      const { quote, summary } = this.of(symbol)
      return quote !== undefined && summary !== undefined
    }).length
  }

  #of(symbol: string): SymbolEvents {
    let told = this.#told.get(symbol)
    if (told === undefined) this.#told.set(symbol, (told = {}))
    return told
  }
}

/** The times of a quote come as 0, and are not read. */
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
