import type { Ticker } from '../../../market/units.ts'
import { budgetMemory, streamCells } from '../http/request-budget.ts'

/** Limits on the streams of a source, for all symbols together. They are set by the vendor or by configuration. */
export interface StreamLimit {
  /** Maximum number of connections per account; undefined if the vendor states no limit. */
  readonly connections: number | undefined
  /** Maximum number of contracts with subscribed prints; undefined if one subscription covers the whole market. */
  readonly prints: number | undefined
  /** Maximum number of contracts with subscribed quotes; undefined if quotes come with the prints. */
  readonly quotes: number | undefined
}

/** Which symbols are streamed, and with how many contracts each. */
export interface ContractShares {
  /** Symbols to stream: first those that were streamed already, then the others by importance. */
  readonly served: readonly Ticker[]
  readonly each: number
}

/**
 * Minimum number of contracts per streamed symbol, because fewer do not show how it trades. If not all symbols can have
 * that many, the least important ones get none.
 */
const MIN_CONTRACTS = 40

const CONTRACTS = 0
const WITHOUT = 1

/** Counts how much of its `StreamLimit` a source uses. The count is shared with other threads, which report it. */
export class StreamBudget {
  readonly limit: StreamLimit
  readonly #cells: BigInt64Array

  /** `memory` is the memory of the source's request budget. All stream budgets on the same memory share one count. */
  constructor(limit: StreamLimit, memory: SharedArrayBuffer = budgetMemory()) {
    this.limit = limit
    this.#cells = streamCells(memory)
  }

  /** Number of contracts that are now subscribed individually, for prints or quotes. */
  get contracts(): number {
    return Number(Atomics.load(this.#cells, CONTRACTS))
  }

  /** Maximum of `contracts`; undefined if no contract is subscribed individually. */
  get maxContracts(): number | undefined {
    return this.limit.prints ?? this.limit.quotes
  }

  get without(): number {
    return Number(Atomics.load(this.#cells, WITHOUT))
  }

  /**
   * Divides the allowed contracts equally among the requested symbols. If they do not suffice, symbols that are already
   * streamed come first, because their tapes would have a gap otherwise; then the most important ones. `onWithout`
   * receives each symbol that gets none.
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
