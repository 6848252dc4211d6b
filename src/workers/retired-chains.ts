import { type Chain, chainBytes } from '../market/chain.ts'

/**
 * Replaced chains. Requests that began with one may use it a while longer, so its memory is given back only when
 * `maxBytes` of newer ones were replaced, and not while it is lent.
 */
export class RetiredChains<Kept extends Chain> {
  readonly #maxBytes: number
  readonly #giveBack: (chain: Kept) => void
  /** Replaced chains that still have their memory; the chain that was replaced first comes first. */
  readonly #waiting = new Set<Kept>()
  readonly #loans = new Map<Kept, number>()
  #bytes = 0

  constructor(maxBytes: number, giveBack: (chain: Kept) => void) {
    this.#maxBytes = maxBytes
    this.#giveBack = giveBack
  }

  retire(chain: Kept): void {
    if (this.#waiting.has(chain)) return
    this.#waiting.add(chain)
    this.#bytes += chainBytes(chain)
    this.#makeRoom()
  }

  /** Keeps the memory of a chain as it is until the returned function is called. */
  lend(chain: Kept): () => void {
    this.#loans.set(chain, (this.#loans.get(chain) ?? 0) + 1)
    let isLent = true
    return () => {
      if (!isLent) return
      isLent = false
      const others = this.#loans.get(chain)! - 1
      if (others > 0) this.#loans.set(chain, others)
      else this.#loans.delete(chain)
      this.#makeRoom()
    }
  }

  #makeRoom(): void {
    for (const chain of this.#waiting) {
      if (this.#bytes <= this.#maxBytes) return
      if (this.#loans.has(chain)) continue
      this.#waiting.delete(chain)
      this.#bytes -= chainBytes(chain)
      this.#giveBack(chain)
    }
  }
}
