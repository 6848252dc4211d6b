import { chainOfRoot } from '../market/chain.ts'
import type { Ticker } from '../market/units.ts'
import type { PricedChain } from './price-chain.ts'

/**
 * Holds the latest chain of a symbol. It also holds parts of that chain: the contracts under a weekly root that can be
 * requested like a symbol, such as SPXW for SPX.
 */
export class HeldChain {
  /** Called once for each chain, and for each part of a chain, that is replaced. */
  readonly #forget: (chain: PricedChain) => void
  #chain: PricedChain | undefined
  /** Parts of the chain by root. An entry is undefined if the chain has no contract under that root. */
  readonly #parts = new Map<Ticker, PricedChain | undefined>()

  constructor(forget: (chain: PricedChain) => void, chain?: PricedChain) {
    this.#forget = forget
    this.#chain = chain
  }

  get chain(): PricedChain | undefined {
    return this.#chain
  }

  get roots(): Iterable<Ticker> {
    return this.#parts.keys()
  }

  replace(chain: PricedChain | undefined): void {
    for (const old of [this.#chain, ...this.#parts.values()]) if (old !== undefined) this.#forget(old)
    this.#parts.clear()
    this.#chain = chain
  }

  /**
   * Returns the contracts of `chain` under one root. The part is extracted once while the chain is held. If the chain
   * was replaced while the caller waited, the part is extracted for that caller alone and is not kept.
   */
  partOf(chain: PricedChain, root: Ticker): PricedChain | undefined {
    if (this.#chain === chain) {
      if (!this.#parts.has(root)) this.#parts.set(root, chainOfRoot(chain, root))
      return this.#parts.get(root)
    }
    const part = chainOfRoot(chain, root)
    if (part !== undefined) this.#forget(part)
    return part
  }
}
