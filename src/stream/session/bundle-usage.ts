import type { HeldStreams } from '../../accounts/stream-sharing.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
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

const nothing: HeldStreams = { connections: 0, places: 0 }

/** Subscriptions and connections that one bundle uses, over all its connections to this service. */
export class BundleUsage {
  readonly bundleId: string
  /** Limits of this service for a bundle that others serve too, and the use of those others as far as it is known. */
  held = nothing
  others = nothing
  /** Connections that may be opened and are not yet. */
  admitted = 0
  #limit = 0
  #connections = 0
  /** Subscriptions used by open connections and saved sets. */
  #used = 0
  #saved: SavedSet[] = []
  /** Subscriptions that wait until others have agreed. */
  #pending = 0
  #ask: (() => Promise<void>) | undefined
  #isUnknown = false

  constructor(bundleId: string, blocks: number) {
    this.bundleId = bundleId
    this.setBlocks(blocks)
  }

  /** From now on other services serve the bundle too: `ask` obtains room for what is needed. */
  share(ask: () => Promise<void>): void {
    this.#ask = ask
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

  /** Subscriptions and connections of all services. */
  get overall(): HeldStreams {
    const { connections, places } = this.others
    return { connections: this.#connections + connections, places: this.#used + places }
  }

  /** Subscriptions that are used, and those that are about to be. */
  get needed(): number {
    return this.#used + this.#pending
  }

  get isFull(): boolean {
    return this.#connections + this.admitted >= CONNECTIONS_PER_BUNDLE
  }

  get isIdle(): boolean {
    return this.#connections + this.admitted + this.#pending === 0 && this.#saved.length === 0
  }

  get isShared(): boolean {
    return this.#ask !== undefined
  }

  /** Whether the last question of how much is free was not answered. */
  get isUnknown(): boolean {
    return this.#isUnknown
  }

  connect(): void {
    this.#connections++
  }

  disconnect(): void {
    this.#connections--
  }

  /** Asks what other services use now, if there are any and they can be asked. */
  refresh(): MaybePromise<void> {
    return this.#ask?.().catch(() => {})
  }

  /** Runs `use`, which takes up to `cost` subscriptions at once, after other services were asked if need be. */
  using<Result>(cost: number, use: () => MaybePromise<Result>): MaybePromise<Result> {
    if (this.#ask === undefined || this.#used + cost <= this.held.places) return use()
    this.#pending += cost
    const settle = (isUnknown: boolean) => {
      this.#isUnknown = isUnknown
      this.#pending -= cost
      return use()
    }
    return this.#ask().then(
      () => settle(false),
      () => settle(true)
    )
  }

  /**
   * Reserves `cost` subscriptions; returns false if too few are left. Saved sets are dropped if that makes enough room.
   */
  take(cost: number): boolean {
    if (this.isShared && this.#used + cost > this.held.places) return false
    const saved = this.#saved.reduce((sum, set) => sum + set.cost, 0)
    if (this.#used - saved + cost > this.#limit) return false
    while (this.#used + cost > this.#limit) this.#drop(this.#saved[0])
    this.#used += cost
    return true
  }

  free(cost: number): void {
    this.#used -= cost
  }

  /** Counts subscriptions that came from another service with their places. */
  receive(cost: number): void {
    this.#used += cost
    this.held = { ...this.held, places: this.held.places + cost }
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
