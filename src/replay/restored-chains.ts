import { LRUCache } from 'lru-cache'
import { HeldChain } from '../pricing/held-chain.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from '../workers/engine.ts'

/**
 * Contracts of restored chains held at once, some 115 bytes each: eight moments of a large index. Who asks for several answers
 * asks them of a few moments at a time; what is remembered of chains that are held longer has to be collected as old objects.
 */
const MAX_CONTRACTS = 250_000

/** A restored chain, and who looks at it. */
export interface RestoredChain {
  readonly chain: PricedChain
  readonly held: HeldChain
  /** Leases of it that have not ended. */
  references: number
  /** Somebody without a lease has it: nobody knows for how long. */
  hasUnknownUsers: boolean
  /** It is forgotten once no lease is left. */
  isDropped: boolean
}

/**
 * The latest restored chains. One that is given up has its memory used again for the next, which needs as much where it is
 * of the same session: two threads would have to collect it otherwise, tens of milliseconds for each thirty chains. So whoever
 * looks at a chain for no longer than a request takes a lease, and every lease is ended.
 */
export class RestoredChains {
  readonly #engine: Pick<Engine, 'forget'>
  readonly #chains: LRUCache<string, RestoredChain>

  constructor(engine: Pick<Engine, 'forget'>, contracts = MAX_CONTRACTS) {
    this.#engine = engine
    this.#chains = new LRUCache<string, RestoredChain>({
      maxSize: contracts,
      sizeCalculation: ({ chain }) => chain.size + 1,
      dispose: drop
    })
  }

  get(name: string): RestoredChain | undefined {
    return this.#chains.get(name)
  }

  add(name: string, chain: PricedChain): RestoredChain {
    const forget = (dropped: PricedChain) =>
      this.#engine.forget(dropped, dropped === chain && !restored.hasUnknownUsers)
    const held = new HeldChain(forget, chain)
    const restored: RestoredChain = { chain, held, references: 0, hasUnknownUsers: false, isDropped: false }
    this.#chains.set(name, restored)
    if (!this.#chains.has(name)) drop(restored) // too large to be held at all
    return restored
  }
}

function drop(restored: RestoredChain): void {
  restored.isDropped = true
  setImmediate(() => releaseMemory(restored)) // those who wait for it at this very moment take it first
}

function releaseMemory({ held, references, isDropped }: RestoredChain): void {
  if (isDropped && references === 0) held.replace(undefined)
}

/** The restored chains that one request looks at. Once it has ended nobody may look at their columns for its sake. */
export class ChainReferences {
  readonly #chains = new Set<RestoredChain>()
  #isReleased = false

  add(restored: RestoredChain): void {
    if (this.#isReleased) restored.hasUnknownUsers = true
    else if (!this.#chains.has(restored)) {
      this.#chains.add(restored)
      restored.references++
    }
  }

  release(): void {
    this.#isReleased = true
    for (const restored of this.#chains) {
      restored.references--
      releaseMemory(restored)
    }
    this.#chains.clear()
  }
}
