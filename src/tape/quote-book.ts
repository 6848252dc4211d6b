import type { QuoteAtPrint } from '../connectors/port/prints.ts'

/** The newest quote of each contract, for feeds that tell quotes apart from prints. */
export class QuoteBook {
  readonly #quotes = new Map<string, QuoteAtPrint>()

  /** A quote takes the place of the one before it, in the order of the feed. */
  set(contract: string | undefined, { bid, ask, time }: QuoteAtPrint): void {
    this.#quotes.set(contract ?? '', { bid, ask, time })
  }

  get(contract: string | undefined): QuoteAtPrint | undefined {
    return this.#quotes.get(contract ?? '')
  }
}
