import type { QuoteAtPrint } from '../connectors/port/prints/print-feed.ts'
import type { Instant } from '../market/units.ts'

interface NewestQuotes {
  newest: QuoteAtPrint
  before: QuoteAtPrint | undefined
}

/**
 * The two newest quotes of each contract, for feeds that send quotes separately from prints. Two, because a quote may
 * arrive before a print that was made against the previous quote.
 */
export class QuoteBook {
  readonly #quotes = new Map<string | undefined, NewestQuotes>()

  /** Stores a quote of a contract, or of the stock if `contract` is undefined. Ignores quotes older than the newest. */
  set(contract: string | undefined, { bid, ask, time }: QuoteAtPrint): void {
    const newest = { bid, ask, time }
    const known = this.#quotes.get(contract)
    if (known === undefined) this.#quotes.set(contract, { newest, before: undefined })
    else if (time >= known.newest.time) {
      if (time > known.newest.time) known.before = known.newest
      known.newest = newest
    }
  }

  at(contract: string | undefined, time: Instant): QuoteAtPrint | undefined {
    const known = this.#quotes.get(contract)
    return known === undefined || known.newest.time <= time ? known?.newest : stood(known.before, time)
  }

  clear(): void {
    this.#quotes.clear()
  }
}

const stood = (quote: QuoteAtPrint | undefined, time: Instant) =>
  quote !== undefined && quote.time <= time ? quote : undefined
