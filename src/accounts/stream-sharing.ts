/** Connections and places of a bundle. A place is what a subscription to a scalar takes. */
export interface HeldStreams {
  readonly connections: number
  readonly places: number
}

/** All connections and subscriptions of a bundle that a service asks for. A call states the whole, so it may be repeated. */
export interface WantedStreams extends HeldStreams {
  readonly bundleId: string
  /** Places that are of use now; more are granted while the limit is not near. */
  readonly leastPlaces: number
  readonly limit: HeldStreams
}

/** Use of a bundle: by this service, by the others, and by connections that were lost. */
export interface GrantedStreams extends HeldStreams {
  readonly others: HeldStreams
}

/** Subscriptions of a connection, as text that only services read. */
export interface SharedSet {
  readonly token: string
  readonly bundleId: string
  /** Places that they take. */
  readonly cost: number
  readonly body: string
}

export interface RenewedStreams {
  /** Whether the holdings were still counted; if not, the service must renew all of them. */
  readonly known: boolean
  /** Tokens of connections of this service whose subscriptions another one took over. */
  readonly taken: readonly string[]
}

/**
 * Connections and places that services of one database count together. What a service holds is counted until ten seconds
 * after its last call, unless no service called for a while: then the database was away.
 */
export interface StreamSharing {
  /** Holds as much of a bundle as is free. Drops sets of lost connections, oldest first, if there is no room else. */
  hold(wanted: WantedStreams): Promise<GrantedStreams>
  /** Counts what this service has, whatever is free. Called each second, also without holdings. */
  renew(held: readonly (HeldStreams & { readonly bundleId: string })[]): Promise<RenewedStreams>
  /** Notes the sets of open connections, in case this service dies, and forgets those of the tokens `gone`. */
  note(sets: readonly SharedSet[], gone: readonly string[]): Promise<void>
  /** Keeps the set of a lost connection for two minutes; `left` is what the service holds without it. */
  save(set: SharedSet, left: HeldStreams): Promise<void>
  /** Takes a set over together with its places; undefined if there is none. */
  take(token: string, bundleId: string): Promise<Pick<SharedSet, 'cost' | 'body'> | undefined>
  /** Uses a ticket up; resolves to whether no service had. */
  spend(ticket: string): Promise<boolean>
  /** Gives everything up. */
  leave(): Promise<void>
}
