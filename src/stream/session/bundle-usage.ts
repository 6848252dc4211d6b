import type { Instant } from '../../market/units.ts'
import type { SavedSubscription } from '../delivery/stream-subscription.ts'
import { CONNECTIONS_PER_BUNDLE, SUBSCRIPTIONS_PER_BLOCK } from '../protocol/limits.ts'

/** Subscriptions of a lost connection, saved until the client resumes them or they expire. */
export interface SavedSet {
  readonly token: string
  readonly saved: readonly SavedSubscription[]
  /** How many of the subscriptions that the bundle allows are used up by this set. */
  readonly cost: number
  /** Number of the connection's newest subscription. Ids go on from it after a resume, so that none is used twice. */
  readonly lastId: number
  /** When it is dropped, milliseconds of the steady clock. */
  readonly expiresAt: number
}

/** Subscriptions and connections that one bundle uses, over all its connections. */
export class BundleUsage {
  #limit = 0
  #connections = 0
  /** Subscriptions used by open connections and saved sets. */
  #used = 0
  #saved: SavedSet[] = []

  constructor(blocks: number) {
    this.setBlocks(blocks)
  }

  /** Sets the size of the bundle. Open subscriptions stay open even if there are now too many. */
  setBlocks(blocks: number): void {
    this.#limit = blocks * SUBSCRIPTIONS_PER_BLOCK
  }

  get limit(): number {
    return this.#limit
  }

  get used(): number {
    return this.#used
  }

  get connections(): number {
    return this.#connections
  }

  get isFull(): boolean {
    return this.#connections >= CONNECTIONS_PER_BUNDLE
  }

  get isIdle(): boolean {
    return this.#connections === 0 && this.#saved.length === 0
  }

  connect(): void {
    this.#connections++
  }

  disconnect(): void {
    this.#connections--
  }

  /**
   * Reserves `cost` subscriptions; returns false if too few are left. Saved sets are dropped if that makes enough room.
   */
  take(cost: number): boolean {
    const saved = this.#saved.reduce((sum, set) => sum + set.cost, 0)
    if (this.#used - saved + cost > this.#limit) return false
    while (this.#used + cost > this.#limit) this.#drop(this.#saved[0])
    this.#used += cost
    return true
  }

  free(cost: number): void {
    this.#used -= cost
  }

  /** Saves the subscriptions of a lost connection. They still count as used. */
  save(set: SavedSet): void {
    this.#saved.push(set)
  }

  /**
   * Removes and returns a saved set, which still counts as used; undefined if it has expired, was dropped or never
   * existed.
   */
  resume(token: string): SavedSet | undefined {
    const set = this.#saved.find(({ token: saved }) => saved === token)
    if (set !== undefined) this.#saved = this.#saved.filter((other) => other !== set)
    return set
  }

  expire(now: Instant): void {
    for (const set of this.#saved) if (set.expiresAt <= now) this.#drop(set)
  }

  #drop(set: SavedSet): void {
    this.#saved = this.#saved.filter((other) => other !== set)
    this.#used -= set.cost
  }
}
