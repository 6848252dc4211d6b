import type { Instant } from '../market/units.ts'
import type { FiringRow } from './accounts-schema.ts'
import type { StreamSharing } from './stream-sharing.ts'

/** Call of one service to the database about the requests of a user. All figures but the limit may be 0. */
export interface AskedRequests {
  readonly userId: string
  /** Day to which `back` and `ofPanels` belong, yyyy-MM-dd. */
  readonly day: string
  /** Requests that wait to be counted. */
  readonly wanted: number
  /** The least of them that are of use; fewer are not granted. */
  readonly least: number
  /** Requests to grant for those to come, if the limit is not near. */
  readonly ahead: number
  /** Requests granted before that were not used; negative: requests that were answered without being granted. */
  readonly back: number
  /** How many of the requests answered since were of embedded panels. */
  readonly ofPanels: number
  readonly limit: number
}

export interface GrantedRequests {
  readonly granted: number
  /** Requests of the user today that were answered or are granted to some service, these included. */
  readonly counted: number
  /** Moment of the grant by the clock of the database, to whose day it belongs. */
  readonly at: string
}

/** Work that services of one database share: counts, and claims of firings. */
export interface Sharing {
  /** Names this service among them. */
  readonly name: string
  /**
   * Claims firings of a webhook that are due at `now`, oldest first. For half a minute no other service claims them; after that
   * this one counts as dead.
   */
  claimFirings(webhookId: string, now: Instant, limit: number): Promise<readonly FiringRow[]>
  /**
   * Takes a role, or keeps it, for two seconds. Returns how often its holder has changed so far; undefined while another
   * service holds it.
   */
  hold(role: string): Promise<number | undefined>
  /** Gives a role back, so that another service may take it at once. */
  release(role: string): Promise<void>
  /**
   * Grants requests of users, and counts them as used, so that all services together never answer more than the limit.
   * The requests of all users are granted in one step, sorted by user.
   */
  reserve(asked: readonly AskedRequests[]): Promise<readonly GrantedRequests[]>
  readonly streams: StreamSharing
}
