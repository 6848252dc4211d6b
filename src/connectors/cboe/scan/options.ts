/** The figures of a contract that are read, as the feed names them, in the order in which they are kept. */
export const figureNames = [
  'bid',
  'ask',
  'last_trade_price',
  'bid_size',
  'ask_size',
  'volume',
  'open_interest'
] as const
export const BID = 0
export const ASK = 1
export const LAST = 2
export const BID_SIZE = 3
export const ASK_SIZE = 4
export const VOLUME = 5
export const OPEN_INTEREST = 6

/** The contracts of a payload in its own order, as far as they are read. */
export interface PayloadOptions {
  /** OCC symbols; undefined where the feed gives no text. */
  readonly symbols: (string | undefined)[]
  /** One figure after the other, `figureNames` of them for each contract; NaN where the feed gives no number. */
  figures: Float64Array
  /** Where something else than a number or null stands in the place of a bid or an ask. */
  readonly withoutQuote: Set<number>
}

export function noOptions(): PayloadOptions {
  return { symbols: [], figures: new Float64Array(figureNames.length * 4096), withoutQuote: new Set() }
}

/** Notes that the newest contract has no number in the place of a figure. */
export function noteNoNumber({ symbols, withoutQuote }: PayloadOptions, figure: number): void {
  if (figure === BID || figure === ASK) withoutQuote.add(symbols.length - 1)
}

/** Adds a contract and returns where its figures go. */
export function addOption(options: PayloadOptions, symbol: string | undefined): number {
  const at = options.symbols.push(symbol) * figureNames.length - figureNames.length
  if (at === options.figures.length) {
    const larger = new Float64Array(2 * at)
    larger.set(options.figures)
    options.figures = larger
  }
  return at
}
