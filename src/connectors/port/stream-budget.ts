import type { Ticker } from '../../market/units.ts'

/** What the streams of a source take at once, all symbols together: as much as the vendor says, or as is asked of it. */
export interface StreamLimit {
  /** Connections of one account. Undefined: the vendor says nothing. */
  readonly connections: number | undefined
  /** Contracts whose prints are subscribed to. Undefined: those of the whole market come over one subscription. */
  readonly prints: number | undefined
  /** Contracts whose quotes are subscribed to besides. Undefined: quotes come with the prints. */
  readonly quotes: number | undefined
}

/** Which symbols there is room for, and how many contracts of each. */
export interface Shares {
  /** Those that are streamed already first, then by their importance. */
  readonly served: readonly Ticker[]
  readonly each: number
}

/** Fewer contracts of a symbol tell nothing of its flow: the symbols that come last have none instead. */
const MIN_CONTRACTS = 40

/** What a source streams of what it may, see `StreamLimit`. */
export class StreamBudget {
  readonly limit: StreamLimit
  #contracts = 0
  #without = 0

  constructor(limit: StreamLimit) {
    this.limit = limit
  }

  /** Contracts that are subscribed to by name now, for their prints or their quotes. */
  get contracts(): number {
    return this.#contracts
  }

  /** Contracts that may be; undefined: none is subscribed to by name. */
  get maxContracts(): number | undefined {
    return this.limit.prints ?? this.limit.quotes
  }

  /** Wanted symbols that have no contract streamed, since there is no room. */
  get without(): number {
    return this.#without
  }

  /**
   * Shares the contracts out among wanted symbols, which come in order of importance: as many to each. One that is streamed
   * stays so while it is wanted, however the order changes: without its contracts its tape would have a gap. `onWithout` is
   * told of those that there is no room for.
   */
  share(
    wanted: readonly Ticker[],
    isStreamed: (symbol: Ticker) => boolean,
    onWithout: (symbol: Ticker) => void
  ): Shares {
    const most = this.maxContracts ?? 0
    const each = Math.max(Math.min(MIN_CONTRACTS, most), Math.floor(most / Math.max(1, wanted.length)))
    const ranked = [...wanted.filter(isStreamed), ...wanted.filter((symbol) => !isStreamed(symbol))]
    const served = ranked.slice(0, each === 0 ? 0 : Math.floor(most / each))
    const without = ranked.slice(served.length)
    this.#without = without.length
    for (const symbol of without) onWithout(symbol)
    return { served, each }
  }

  /** Notes how many contracts are subscribed to from now on. */
  subscribed(contracts: number): void {
    this.#contracts = contracts
  }
}
