import type { Instant, Ticker } from '../../../market/units.ts'
import { SourceError } from '../../port/source-error.ts'
import type { Rest } from '../rest.ts'
import { nearContracts } from './near-contracts.ts'

/** Fewer contracts of a symbol tell nothing of its flow: the symbols that come last have none. */
const LEAST = 40
/** After so long the price may have left the contracts that are streamed, milliseconds. */
const GOOD_FOR = 15 * 60_000

export interface SelectionOptions {
  readonly rest: Rest
  /** Contracts of all symbols together. */
  readonly most: number
  /** Something that is not streamed, and why. */
  readonly onRefused: (reason: string, symbol: Ticker) => void
}

/** Contracts of a symbol, how many were asked for, and when. */
interface Chosen {
  readonly contracts: readonly string[]
  readonly share: number
  readonly at: Instant
}

/** Which contracts are streamed: as many of each symbol, those that matter most while there is room. */
export class Selection {
  readonly #options: SelectionOptions
  readonly #chosen = new Map<Ticker, Chosen>()
  /** Contracts that were streamed lately, too: what they traded may still come. */
  #symbols = new Map<string, Ticker>()
  #names = ''

  constructor(options: SelectionOptions) {
    this.#options = options
  }

  symbolOf(contract: string): Ticker | undefined {
    return this.#symbols.get(contract)
  }

  /** Whether other contracts are to be chosen. */
  isOld(wanted: readonly Ticker[], now: Instant): boolean {
    return this.#names !== wanted.join() || [...this.#chosen.values()].some(({ at }) => now - at >= GOOD_FOR)
  }

  /**
   * Chooses the contracts of wanted symbols. A symbol whose contracts cannot be had now keeps those it has. Throws what the
   * vendor refuses.
   */
  async choose(wanted: readonly Ticker[], now: Instant, signal: AbortSignal): Promise<readonly string[]> {
    const { rest, most, onRefused } = this.#options
    const share = Math.max(Math.min(LEAST, most), Math.floor(most / Math.max(1, wanted.length)))
    const served = wanted.slice(0, Math.floor(most / share))
    for (const symbol of wanted.slice(served.length)) onRefused('no room among the streamed contracts', symbol)
    for (const symbol of this.#chosen.keys()) if (!served.includes(symbol)) this.#chosen.delete(symbol)
    for (const symbol of served) {
      const known = this.#chosen.get(symbol)
      if (known !== undefined && now - known.at < GOOD_FOR && known.share >= share) continue
      try {
        this.#chosen.set(symbol, { contracts: await nearContracts(rest, symbol, share, now, signal), share, at: now })
      } catch (error) {
        if (!(error instanceof SourceError) || error.fault === 'refused') throw error
        onRefused('its contracts could not be read', symbol)
        this.#chosen.set(symbol, { contracts: known?.contracts ?? [], share, at: now })
      }
    }
    const contracts = served.flatMap((symbol) => this.#chosen.get(symbol)!.contracts.slice(0, share))
    const symbols = served.flatMap((symbol) =>
      this.#chosen.get(symbol)!.contracts.map((contract) => [contract, symbol] as const)
    )
    const before = [...this.#symbols].filter(([, symbol]) => served.includes(symbol)).slice(-most)
    this.#symbols = new Map([...before, ...symbols])
    this.#names = wanted.join()
    return contracts
  }
}
