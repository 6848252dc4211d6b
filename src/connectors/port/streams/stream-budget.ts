import type { Ticker } from '../../../market/units.ts'
import { budgetMemory, streamCells } from '../http/request-budget.ts'

/**
 * What the streams of a source may carry at once for all symbols together, by the vendor's limit or by configuration.
 */
export interface StreamLimit {
  /** Connections of one account; undefined if the vendor states no limit. */
  readonly connections: number | undefined
  /** Contracts with subscribed prints; undefined if one subscription covers the whole market. */
  readonly prints: number | undefined
  /** Contracts with subscribed quotes; undefined if quotes come with the prints. */
  readonly quotes: number | undefined
}

/** Symbols that are streamed, and how many contracts of each. */
export interface ContractShares {
  /** Symbols that are streamed already, then the others by importance. */
  readonly served: readonly Ticker[]
  readonly each: number
}

/**
 * Minimum number of contracts per symbol: fewer say nothing about its flow, so the least important symbols get none
 * instead.
 */
const MIN_CONTRACTS = 40

const CONTRACTS = 0
const WITHOUT = 1

/** How much of its limits a source streams, see `StreamLimit`. Stream and readers may be on different threads. */
export class StreamBudget {
  readonly limit: StreamLimit
  readonly #cells: BigInt64Array

  /** `memory` is that of the source's request budget; budgets with the same memory are one. */
  constructor(limit: StreamLimit, memory: SharedArrayBuffer = budgetMemory()) {
    this.limit = limit
    this.#cells = streamCells(memory)
  }

  /** Contracts that are subscribed to by name now, for prints or quotes. */
  get contracts(): number {
    return Number(Atomics.load(this.#cells, CONTRACTS))
  }

  /** Maximum of `contracts`; undefined if none is subscribed to by name. */
  get maxContracts(): number | undefined {
    return this.limit.prints ?? this.limit.quotes
  }

  /** Wanted symbols that are not streamed for lack of room. */
  get without(): number {
    return Number(Atomics.load(this.#cells, WITHOUT))
  }

  /**
   * Shares out the contracts equally among wanted symbols, given in order of importance. A streamed symbol stays
   * streamed while it is wanted, even if the order changes, because its tape would have a gap otherwise. `onWithout`
   * receives the symbols without room.
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

  /** Records how many contracts are subscribed to. */
  subscribed(contracts: number): void {
    Atomics.store(this.#cells, CONTRACTS, BigInt(contracts))
  }
}
