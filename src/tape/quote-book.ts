import type { QuoteAtPrint } from '../connectors/port/prints.ts'
import type { Instant } from '../market/units.ts'

interface Quotes {
  newest: QuoteAtPrint
  before: QuoteAtPrint | undefined
}

/**
 * The two newest quotes of each contract, for feeds that tell quotes apart from prints: a quote may overtake the print
 * that was made against the one before it.
 */
export class QuoteBook {
  readonly #quotes = new Map<string | undefined, Quotes>()

  /** Notes a quote of a contract; undefined: of the stock. One that is older than the newest is passed over. */
  set(contract: string | undefined, { bid, ask, time }: QuoteAtPrint): void {
    const newest = { bid, ask, time }
    const known = this.#quotes.get(contract)
    if (known === undefined) this.#quotes.set(contract, { newest, before: undefined })
    else if (time >= known.newest.time) {
      if (time > known.newest.time) known.before = known.newest
      known.newest = newest
    }
  }

  /** The newest quote that stood at a moment. */
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
