import type { Ticker } from '../../../market/units.ts'
import { budgetMemory, streamCells } from '../http/request-budget.ts'

/** Limits on what a source's streams carry for all symbols together, by the vendor's limit or by configuration. */
export interface StreamLimit {
  /** Maximum number of connections per account; undefined if the vendor states no limit. */
  readonly connections: number | undefined
  /** Maximum number of contracts with subscribed prints; undefined if one subscription covers the whole market. */
  readonly prints: number | undefined
  /** Maximum number of contracts with subscribed quotes; undefined if quotes come with the prints. */
  readonly quotes: number | undefined
}

/** Symbols that are streamed, and how many contracts of each. */
export interface ContractShares {
  /** Symbols that were already streamed, then the others by importance. */
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

/** How much of its `StreamLimit` a source uses. Stream and readers may be on different threads. */
export class StreamBudget {
  readonly limit: StreamLimit
  readonly #cells: BigInt64Array

  /** `memory` is that of the source's request budget. All stream budgets on the same memory count together. */
  constructor(limit: StreamLimit, memory: SharedArrayBuffer = budgetMemory()) {
    this.limit = limit
    this.#cells = streamCells(memory)
  }

  /** Number of contracts now subscribed by name, for prints or quotes. */
  get contracts(): number {
    return Number(Atomics.load(this.#cells, CONTRACTS))
  }

  /** Maximum of `contracts`; undefined if no contract is subscribed by name. */
  get maxContracts(): number | undefined {
    return this.limit.prints ?? this.limit.quotes
  }

  get without(): number {
    return Number(Atomics.load(this.#cells, WITHOUT))
  }

  /**
   * Divides the contracts equally among the requested symbols, most important first. A streamed symbol stays streamed
   * while it is requested, even if the order changes, because its tape would have a gap otherwise. `onWithout` receives
   * the symbols without room.
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

  subscribed(contracts: number): void {
    Atomics.store(this.#cells, CONTRACTS, BigInt(contracts))
  }
}
