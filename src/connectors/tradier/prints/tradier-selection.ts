import type { Instant, Ticker } from '../../../market/units.ts'
import { SourceError } from '../../port/source-error.ts'
import type { StreamBudget } from '../../port/streams/stream-budget.ts'
import type { TradierRest } from '../tradier-rest.ts'
import { nearContracts } from './tradier-near-contracts.ts'

/** Milliseconds after which contracts are chosen again, because the price may have moved away from their strikes. */
const GOOD_FOR = 15 * 60_000
/** Milliseconds before a contract listing that failed or was empty is requested again. */
const TRIED_AGAIN = 60_000

export interface StreamedContractsOptions {
  readonly rest: TradierRest
  readonly budget: StreamBudget
  /** Called with each symbol that is not streamed, and the reason. */
  readonly onRefused: (reason: string, symbol: Ticker) => void
}

/** Contracts chosen for a symbol, how many were allowed, and when the choice expires. */
interface Chosen {
  readonly contracts: readonly string[]
  readonly share: number
  readonly until: Instant
}

/** Chooses the contracts to stream: equally many for each symbol, within the budget. */
export class StreamedContracts {
  readonly #options: StreamedContractsOptions
  readonly #chosen = new Map<Ticker, Chosen>()
  /** Symbols by contract, including recently streamed contracts, whose trades may still arrive. */
  #symbols = new Map<string, Ticker>()
  #wanted: ReadonlySet<Ticker> = new Set()

  constructor(options: StreamedContractsOptions) {
    this.#options = options
  }

  symbolOf(contract: string): Ticker | undefined {
    return this.#symbols.get(contract)
  }

  isOld(wanted: readonly Ticker[], now: Instant): boolean {
    const isSame = wanted.length === this.#wanted.size && wanted.every((symbol) => this.#wanted.has(symbol))
    return !isSame || [...this.#chosen.values()].some(({ until }) => now >= until)
  }

  /**
   * Chooses the contracts of the requested symbols. A symbol whose contracts cannot be listed now keeps its current
   * ones. Throws if the vendor refuses.
   */
  async choose(wanted: readonly Ticker[], now: Instant, signal: AbortSignal): Promise<readonly string[]> {
    const { rest, budget, onRefused } = this.#options
    const isStreamed = (symbol: Ticker) => (this.#chosen.get(symbol)?.contracts.length ?? 0) > 0
    const onWithout = (symbol: Ticker) => onRefused('no room among the streamed contracts', symbol)
    const { served, each: share } = budget.share(wanted, isStreamed, onWithout)
    for (const symbol of this.#chosen.keys()) if (!served.includes(symbol)) this.#chosen.delete(symbol)
    for (const symbol of served) {
      const known = this.#chosen.get(symbol)
      if (known !== undefined && now < known.until && known.share >= share) continue
      let contracts: readonly string[] = []
      try {
        contracts = await nearContracts(rest, symbol, share, now, signal)
      } catch (error) {
        if (!(error instanceof SourceError) || error.fault === 'refused') throw error
        onRefused('its contracts could not be read', symbol)
      }
      const chosen =
        contracts.length > 0
          ? { contracts, share, until: now + GOOD_FOR }
          : { contracts: known?.contracts ?? [], share, until: now + TRIED_AGAIN }
      this.#chosen.set(symbol, chosen)
    }
    const contracts = served.flatMap((symbol) => this.#chosen.get(symbol)!.contracts.slice(0, share))
    const symbols = served.flatMap((symbol) =>
      this.#chosen.get(symbol)!.contracts.map((contract) => [contract, symbol] as const)
    )
    const before = [...this.#symbols].filter(([, symbol]) => served.includes(symbol)).slice(-budget.maxContracts!)
    this.#symbols = new Map([...before, ...symbols])
    this.#wanted = new Set(wanted)
    budget.subscribed(contracts.length)
    return contracts
  }
}
