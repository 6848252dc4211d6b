import type { Chain } from '../market/chain.ts'
import { copyPrints, ownPrints, PRICE_UNIT, type Prints, slicePrints } from '../market/print.ts'
import { type ListedSeries, listedSeries, type Series, SeriesList } from '../market/series.ts'
import type { Instant } from '../market/units.ts'
import { grownLength } from '../memory/grown-length.ts'
import type { PlacedPrint } from './tape.ts'
import { type InferredTaker, VolumeGrowth } from './volume-growth.ts'

/** Where a list of inferred prints goes on: how many prints it has, and their series. */
export interface InferredSoFar {
  readonly length: number
  readonly series: Series | undefined
}

/** Prints inferred from some snapshots of a session. Prices are in units of `PRICE_UNIT`. */
export interface InferredPrints {
  /** The new prints, in the order of the snapshots. */
  readonly prints: Prints
  /** The series of these prints and of those before, in order of their first print. */
  readonly series: Series
  /** Moment of the first snapshot that could be compared with the one before; undefined if none could. */
  readonly since: Instant | undefined
}

const FIRST_CAPACITY = 1024

/**
 * Infers prints from the chains of one session, ascending by time, as the live service does from its polls. Volume
 * that grew for more than a quarter of an hour counts without a side. To go on with a list, repeat the last chain of the
 * call before as the first one.
 */
export function inferredPrints(chains: Iterable<Chain>, soFar: InferredSoFar): InferredPrints {
  const growth = new VolumeGrowth({ countsLate: true })
  const list = new InferredList(soFar)
  let since: Instant | undefined
  for (const chain of chains) if (growth.note(chain, () => list)) since ??= chain.asOf
  return { prints: list.prints, series: list.series, since }
}

/** Collects inferred prints in the form in which a tape would hold them. */
class InferredList implements InferredTaker {
  readonly unit = PRICE_UNIT
  readonly #before: number
  readonly #series = new SeriesList()
  #rows = ownPrints(FIRST_CAPACITY)
  #length = 0

  constructor({ length, series }: InferredSoFar) {
    this.#before = length
    for (let k = 0; k < (series?.length ?? 0); k++) this.#series.numberOf(listedSeries(series!, k))
  }

  get prints(): Prints {
    return slicePrints(this.#rows, 0, this.#length)
  }

  get series(): Series {
    return this.#series.columns
  }

  instrumentOf(series: ListedSeries): number {
    return this.#series.numberOf(series)
  }

  append({ known, ts, exchange, instrument, price, size, bid, ask, spot, flags, judged }: PlacedPrint): boolean {
    const at = this.#length++
    if (at === this.#rows.length) this.#grow()
    const rows = this.#rows
    rows.known[at] = known
    rows.ts[at] = ts
    rows.sequence[at] = this.#before + at
    rows.exchange[at] = exchange
    rows.instrument[at] = instrument
    rows.price[at] = price
    rows.size[at] = size
    rows.bid[at] = bid
    rows.ask[at] = ask
    rows.spot[at] = spot
    rows.flags[at] = flags
    rows.judged[at] = judged!
    return true
  }

  #grow(): void {
    const grown = ownPrints(grownLength(this.#rows.length))
    copyPrints(this.#rows, 0, this.#rows.length, grown, 0)
    this.#rows = grown
  }
}
