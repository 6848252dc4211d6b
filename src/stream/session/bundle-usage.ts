import type { Instant } from '../../market/units.ts'
import { CONNECTIONS_PER_BUNDLE, SUBSCRIPTIONS_PER_BLOCK } from '../catalog/limits.ts'
import type { SavedSubscription } from '../delivery/subscription.ts'

/** The subscriptions of a connection that was lost, saved for it to come back. */
export interface LostSet {
  readonly token: string
  readonly saved: readonly SavedSubscription[]
  /** What they count for. */
  readonly cost: number
  /** The number of the connection's newest subscription, so that ids are not given twice. */
  readonly lastId: number
  readonly expiresAt: Instant
}

/** What the connections of one bundle use of it together. */
export class BundleUsage {
  #limit = 0
  #connections = 0
  #used = 0
  #lost: LostSet[] = []

  constructor(blocks: number) {
    this.grant(blocks)
  }

  /** Sets how much there is; what is used beyond it stays. */
  grant(blocks: number): void {
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
    return this.#connections === 0 && this.#lost.length === 0
  }

  connect(): void {
    this.#connections++
  }

  disconnect(): void {
    this.#connections--
  }

  /** Takes a place, from lost connections where there is no other, or says that there is none. */
  take(cost: number): boolean {
    const lost = this.#lost.reduce((sum, set) => sum + set.cost, 0)
    if (this.#used - lost + cost > this.#limit) return false
    while (this.#used + cost > this.#limit) this.#drop(this.#lost[0])
    this.#used += cost
    return true
  }

  free(cost: number): void {
    this.#used -= cost
  }

  /** Keeps what a lost connection had, in the places it had. */
  lose(set: LostSet): void {
    this.#lost.push(set)
  }

  /** Gives a lost set back with its places. Undefined: it expired, was dropped or never was. */
  resume(token: string): LostSet | undefined {
    const set = this.#lost.find((lost) => lost.token === token)
    if (set !== undefined) this.#lost = this.#lost.filter((lost) => lost !== set)
    return set
  }

  expire(now: Instant): void {
    for (const set of this.#lost) if (set.expiresAt <= now) this.#drop(set)
  }

  #drop(set: LostSet): void {
    this.#lost = this.#lost.filter((lost) => lost !== set)
    this.#used -= set.cost
  }
}
