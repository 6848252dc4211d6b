import type { HeldStreams, StreamSharing } from '../../accounts/stream-sharing.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { CONNECTIONS_PER_BUNDLE } from '../protocol/limits.ts'
import type { BundleUsage } from './bundle-usage.ts'
import { type HeldSubscriptions, readSet, setText } from './set-text.ts'

/** Milliseconds between two calls that keep what is held, which ends after ten seconds without one, see `StreamSharing`. */
export const RENEW_EVERY = 1000
/** Places that are asked for beyond those of use now, so that single subscriptions need no call each. */
const AHEAD = 50
/** Sets of open connections that one call notes. */
const SETS_PER_CALL = 100

/** Part of a stream server that counts its connections together with other services. */
export interface SharingService {
  readonly catalog: Catalog
  /** Calls a function after so many milliseconds. */
  readonly after: (milliseconds: number, run: () => void) => void
  /** The subscriptions of an open connection as they are now; undefined if the connection has ended. */
  readonly setOf: (token: string) => (HeldSubscriptions & { readonly bundleId: string }) | undefined
  /** Ends a connection whose subscriptions were taken over elsewhere. */
  readonly onTaken: (token: string) => void
}

export interface SharedUsageOptions extends SharingService {
  readonly sharing: StreamSharing
  /** Called when the database goes silent, and when it answers again. */
  readonly onSilent: (error: unknown) => void
  readonly onFound: () => void
}

/**
 * Counts the use of bundles that other services serve too. Calls to the database take turns, so that each says
 * in full what this service holds.
 */
export class SharedUsage {
  readonly #options: SharedUsageOptions
  readonly #usages = new Map<string, BundleUsage>()
  /** Bundles of which something may be given back. */
  #changed = new Set<BundleUsage>()
  /** Tokens of connections whose sets changed, and of those that ended for good. */
  #noted = new Set<string>()
  #gone = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()
  #isTelling = false
  #isSilent = false
  #isStopped = false

  constructor(options: SharedUsageOptions) {
    this.#options = options
    this.#renewLater()
  }

  /** Begins to count a bundle. */
  share(usage: BundleUsage): void {
    this.#usages.set(usage.bundleId, usage)
    usage.share(async () => void (await this.#ask(usage, 0)))
  }

  /** Forgets a bundle of which nothing is used; returns false while that has not been told yet. */
  forget(usage: BundleUsage): boolean {
    const { connections, places } = usage.held
    if (connections + places > 0 || this.#changed.has(usage)) return false
    this.#usages.delete(usage.bundleId)
    return true
  }

  /** Counts one more connection if there is room. Rejects while the database is silent. */
  async admit(usage: BundleUsage): Promise<boolean> {
    return this.#ask(usage, 1)
  }

  /** Gives up a connection that was admitted and not opened. */
  giveUp(usage: BundleUsage): void {
    usage.admitted--
    this.changed(usage)
  }

  /** Gives back, soon, what a bundle does not use any more. */
  changed(usage: BundleUsage): void {
    this.#changed.add(usage)
    if (this.#isTelling || this.#isStopped) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      void this.#inTurn(() => this.#renew()).catch(() => {})
    })
  }

  /** Notes, within a second, that the set of an open connection changed. */
  setChanged(usage: BundleUsage, token: string): void {
    this.#noted.add(token)
    if (usage.held.places > usage.needed + AHEAD) this.changed(usage)
  }

  /** Forgets, within a second, the set of a connection that ended for good. */
  setEnded(token: string): void {
    this.#noted.delete(token)
    this.#gone.add(token)
  }

  /** Keeps the set of a lost connection, which this service then counts no more. */
  async save(usage: BundleUsage, token: string, set: HeldSubscriptions): Promise<void> {
    this.#noted.delete(token)
    const saved = this.#inTurn(() => {
      usage.free(set.cost)
      return this.#options.sharing.save(setText(token, usage.bundleId, set), this.#use(usage))
    })
    await saved.catch(() => this.changed(usage))
  }

  /** Takes a set over, whose places this service then counts as used; undefined if there is none. */
  take(usage: BundleUsage, token: string): Promise<HeldSubscriptions | undefined> {
    const { sharing, catalog } = this.#options
    return this.#inTurn(async () => {
      const taken = await sharing.take(token, usage.bundleId)
      if (taken === undefined) return undefined
      usage.receive(taken.cost)
      const set = readSet(taken.body, catalog)
      usage.free(taken.cost - set.cost)
      return set
    })
  }

  /** Gives everything up, once sets that are being kept are kept. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    await this.#inTurn(() => this.#options.sharing.leave()).catch(() => {})
  }

  /** Asks for room for what is needed of a bundle and for `more` connections; returns whether there is room for those. */
  async #ask(usage: BundleUsage, more: 0 | 1): Promise<boolean> {
    if (this.#isSilent) throw new Error('the places of bundles cannot be counted at the moment')
    return this.#inTurn(async () => {
      const { bundleId, connections, admitted, needed, held, limit } = usage
      const leastPlaces = Math.max(needed, held.places)
      const granted = await this.#options.sharing.hold({
        bundleId,
        connections: connections + admitted + more,
        places: needed > held.places ? leastPlaces + AHEAD : leastPlaces,
        leastPlaces,
        limit: { connections: CONNECTIONS_PER_BUNDLE, places: limit }
      })
      usage.held = { connections: granted.connections, places: granted.places }
      usage.others = granted.others
      const isAdmitted = granted.connections >= usage.connections + usage.admitted + more
      if (isAdmitted) usage.admitted += more
      return isAdmitted
    })
  }

  /** Reduces the holdings of this service to what is used, and returns them. */
  #use(usage: BundleUsage): HeldStreams {
    this.#changed.delete(usage)
    const { held, connections, admitted, used } = usage
    usage.held = {
      connections: Math.min(held.connections, connections + admitted),
      places: Math.min(held.places, used)
    }
    return usage.held
  }

  async #renew(): Promise<void> {
    const { sharing, onTaken } = this.#options
    const changed = [...this.#changed]
    const told = await sharing
      .renew(changed.map((usage) => ({ bundleId: usage.bundleId, ...this.#use(usage) })))
      .catch((error) => {
        for (const usage of changed) this.#changed.add(usage)
        throw error
      })
    for (const token of told.taken) onTaken(token)
    if (told.known || this.#usages.size === 0) return
    await sharing.renew([...this.#usages.values()].map((usage) => ({ bundleId: usage.bundleId, ...this.#use(usage) })))
  }

  async #note(): Promise<void> {
    const [noted, gone] = [[...this.#noted], [...this.#gone]]
    this.#noted = new Set()
    this.#gone = new Set()
    try {
      for (let k = 0; k < noted.length || (k === 0 && gone.length > 0); k += SETS_PER_CALL) {
        const sets = noted.slice(k, k + SETS_PER_CALL).flatMap((token) => {
          const set = this.#options.setOf(token)
          return set === undefined ? [] : [setText(token, set.bundleId, set)]
        })
        await this.#options.sharing.note(sets, k === 0 ? gone : [])
      }
    } catch (error) {
      this.#noted = new Set([...noted, ...this.#noted])
      this.#gone = new Set([...gone, ...this.#gone])
      throw error
    }
  }

  #renewLater(): void {
    this.#options.after(RENEW_EVERY, () => {
      if (this.#isStopped) return
      // Places that nobody used for a second go back.
      for (const usage of this.#usages.values()) if (usage.held.places > usage.needed) this.#changed.add(usage)
      const renewed = this.#inTurn(async () => {
        await this.#renew()
        await this.#note()
      })
      void renewed.catch(() => {}).then(() => this.#renewLater())
    })
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    this.#last = turn.then(
      () => this.#found(),
      (error) => this.#lost(error)
    )
    return turn
  }

  #found(): void {
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#options.onFound()
  }

  #lost(error: unknown): void {
    if (this.#isSilent) return
    this.#isSilent = true
    this.#options.onSilent(error)
  }
}
