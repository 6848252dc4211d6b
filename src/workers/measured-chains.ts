import { LRUCache } from 'lru-cache'
import type { Chain } from '../market/chain.ts'
import { forgetMeasures } from '../market/memoize.ts'

/**
 * Chains whose measures this thread keeps. What was computed from the chains that no task has used for the longest time
 * is dropped, beyond a number of contracts in all of them, and computed again when it is needed.
 */
export class MeasuredChains {
  readonly #used: LRUCache<Chain, Chain>

  constructor(contracts: number) {
    this.#used = new LRUCache({
      maxSize: contracts,
      sizeCalculation: ({ size }) => size + 1,
      dispose: (chain, _, reason) => void (reason !== 'set' && forgetMeasures(chain))
    })
  }

  use(chain: Chain): void {
    if (this.#used.get(chain) === undefined) this.#used.set(chain, chain)
  }

  /** Drops the measures of a chain that no later task will use. */
  forget(chain: Chain): void {
    this.#used.delete(chain)
  }
}
