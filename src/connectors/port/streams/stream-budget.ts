import type { Ticker } from '../../../market/units.ts'
import { budgetMemory, streamCells } from '../http/request-budget.ts'

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
export interface ContractShares {
  /** Those that are streamed already first, then by their importance. */
  readonly served: readonly Ticker[]
  readonly each: number
}

/** Fewer contracts of a symbol tell nothing of its flow: the symbols that come last have none instead. */
const MIN_CONTRACTS = 40

/** Which cell holds what. */
const CONTRACTS = 0
const WITHOUT = 1

/** What a source streams of what it may, see `StreamLimit`. The stream may be on another thread than who asks. */
export class StreamBudget {
  readonly limit: StreamLimit
  readonly #cells: BigInt64Array

  /** `memory`: where it is counted, that of the requests of the source; budgets with the same memory are one. */
  constructor(limit: StreamLimit, memory: SharedArrayBuffer = budgetMemory()) {
    this.limit = limit
    this.#cells = streamCells(memory)
  }

  /** Contracts that are subscribed to by name now, for their prints or their quotes. */
  get contracts(): number {
    return Number(Atomics.load(this.#cells, CONTRACTS))
  }

  /** Contracts that may be; undefined: none is subscribed to by name. */
  get maxContracts(): number | undefined {
    return this.limit.prints ?? this.limit.quotes
  }

  /** Wanted symbols that have no contract streamed, since there is no room. */
  get without(): number {
    return Number(Atomics.load(this.#cells, WITHOUT))
  }

  /**
   * ContractShares the contracts out among wanted symbols, which come in order of importance: as many to each. One that is streamed
   * stays so while it is wanted, however the order changes: without its contracts its tape would have a gap. `onWithout` is
   * told of those that there is no room for.
   */
  share(
    wanted: readonly Ticker[],
    isStreamed: (symbol: Ticker) => boolean,
    onWithout: (symbol: Ticker) => void
  ): ContractShares {
    const most = this.maxContracts ?? 0
    const each = Math.max(Math.min(MIN_CONTRACTS, most), Math.floor(most / Math.max(1, wanted.length)))
    const ranked = [...wanted.filter(isStreamed), ...wanted.filter((symbol) => !isStreamed(symbol))]
    const served = ranked.slice(0, each === 0 ? 0 : Math.floor(most / each))
    const without = ranked.slice(served.length)
    Atomics.store(this.#cells, WITHOUT, BigInt(without.length))
    for (const symbol of without) onWithout(symbol)
    return { served, each }
  }

  /** Notes how many contracts are subscribed to from now on. */
  subscribed(contracts: number): void {
    Atomics.store(this.#cells, CONTRACTS, BigInt(contracts))
  }
}
