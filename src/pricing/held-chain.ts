import { chainOfRoot } from '../market/chain.ts'
import type { Ticker } from '../market/units.ts'
import type { PricedChain } from './price-chain.ts'

/** A chain that is held for others, and the parts of it under the weekly roots that are symbols of their own. */
export class HeldChain {
  /** Called once for each chain and part that is held no more. */
  readonly #forget: (chain: PricedChain) => void
  #chain: PricedChain | undefined
  /** By root; undefined where the chain lists nothing under it. */
  readonly #parts = new Map<Ticker, PricedChain | undefined>()

  constructor(forget: (chain: PricedChain) => void, chain?: PricedChain) {
    this.#forget = forget
    this.#chain = chain
  }

  get chain(): PricedChain | undefined {
    return this.#chain
  }

  /** Roots whose part was asked for. */
  get roots(): Iterable<Ticker> {
    return this.#parts.keys()
  }

  /** Puts a chain, or none, in the place of the one that is held, in one step. */
  replace(chain: PricedChain | undefined): void {
    for (const old of [this.#chain, ...this.#parts.values()]) if (old !== undefined) this.#forget(old)
    this.#parts.clear()
    this.#chain = chain
  }

  /**
   * The part of a chain that is listed under one root, made once while the chain is held. A chain that was replaced while
   * a caller waited for it has its part made for that one answer, and forgotten at once.
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
