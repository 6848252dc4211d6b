import { chainOfRoot } from '../market/chain.ts'
import type { Ticker } from '../market/units.ts'
import type { PricedChain } from './price-chain.ts'

/** The latest chain of a symbol, and its parts under weekly roots that are symbols of their own (SPXW of SPX). */
export class HeldChain {
  /** Called once for each chain and part that is replaced. */
  readonly #forget: (chain: PricedChain) => void
  #chain: PricedChain | undefined
  /** Parts of the chain by root; undefined if the chain lists nothing under a root. */
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
   * Part of `chain` under one root, extracted once while the chain is held. If the chain was replaced while a caller
   * waited, the part is extracted for that caller alone and dropped at once.
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
