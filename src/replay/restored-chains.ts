import { LRUCache } from 'lru-cache'
import type { Deadline } from '../api/deadline.ts'
import { HeldChain } from '../pricing/held-chain.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from '../workers/engine.ts'

/**
 * Maximum number of contracts in cached chains, some 115 bytes each: eight moments of a large index. A user usually
 * needs several responses about few moments. More chains would not help much, and the results memoized on them would
 * make garbage collection costly.
 */
const MAX_CONTRACTS = 250_000

/** A chain restored from a snapshot, and a count of its users. */
export interface RestoredChain {
  readonly chain: PricedChain
  readonly held: HeldChain
  references: number
  /** Whether some code uses the chain without counting as a user. It is then unknown when the use ends. */
  hasUnknownUsers: boolean
  /** Whether the chain has left the cache. Its memory is released as soon as no request uses it. */
  isDropped: boolean
}

/**
 * Cache of chains restored from snapshots. The memory of a dropped chain is reused for the next chain, which usually
 * has the same size. Collecting it as garbage instead would cost two threads tens of milliseconds per thirty chains. To
 * tell when the memory is free, each request counts as a user of its chains until it ends.
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
    if (!this.#chains.has(name)) drop(restored) // too large for the cache
    return restored
  }
}

function drop(restored: RestoredChain): void {
  restored.isDropped = true
  setImmediate(() => releaseMemory(restored)) // callers that are just receiving the chain add their reference first
}

function releaseMemory({ held, references, isDropped }: RestoredChain): void {
  if (isDropped && references === 0) held.replace(undefined)
}

/** The restored chains that one request uses. After `release` the request may not touch their columns. */
export class ChainReferences {
  /** Time until which the request waits for its chains; undefined if it waits without limit. */
  readonly deadline: Deadline | undefined
  readonly #chains = new Set<RestoredChain>()
  #isReleased = false

  constructor(deadline?: Deadline) {
    this.deadline = deadline
  }

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
