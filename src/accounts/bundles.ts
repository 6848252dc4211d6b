import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Instant, isoInstant, parseIsoDate } from '../market/units.ts'
import { entriesUpTo } from '../memory/entries-up-to.ts'
import { audit } from './audit.ts'
import { type Changes, type Database, durably } from './database.ts'
import { type HeldBundle, heldBundles } from './directory.ts'
import { endOfDay } from './last-day.ts'
import { AccountError, type User, type Users } from './users.ts'

/** The right of a user to use the stream, sold separately from the plan. All keys of the user share it. */
export interface Bundle {
  readonly id: string
  /** Number of blocks; each allows 500 subscriptions. */
  readonly blocks: number
  /** The first moment at which the bundle has ended; undefined if the bundle has no end. */
  readonly endsAt: Instant | undefined
}

export interface GrantedBundle extends Bundle {
  readonly userId: string
  readonly email: string
  readonly grantedAt: string
}

export interface BundleTerms {
  readonly blocks: number
  /** Last day of the bundle, yyyy-MM-dd, UTC; absent if the bundle has no end. */
  readonly until?: string
}

export interface BundlesOptions {
  readonly now: () => number
  /** Has the changes of other processes forgotten here, unless that was done a moment ago. */
  readonly refresh: () => void
}

const MAX_BLOCKS = 1000
const KNOWN_USERS = 50_000

/**
 * The streaming bundles of users, at most one per user. `actor`, the person who makes a change, is written to the audit
 * trail.
 */
export class Bundles {
  readonly #database: Database
  readonly #users: Users
  readonly #now: () => number
  readonly #refresh: () => void
  /** Bundles by user; `none` for users without one. */
  readonly #known = new LRUCache<string, GrantedBundle | 'none'>(entriesUpTo(KNOWN_USERS))

  constructor(database: Database, users: Users, { now, refresh }: BundlesOptions) {
    this.#database = database
    this.#users = users
    this.#now = now
    this.#refresh = refresh
  }

  /** The current bundle of an account; undefined if there is none or it has ended. */
  of({ userId }: { readonly userId: string }): Bundle | undefined {
    this.#refresh()
    let bundle = this.#known.get(userId)
    if (bundle === undefined) {
      const held = this.#database.directory.bundle(userId)
      bundle = held === undefined ? 'none' : bundleOf(held)
      this.#known.set(userId, bundle)
    }
    return bundle !== 'none' && (bundle.endsAt ?? Infinity) > this.#now() ? bundle : undefined
  }

  /** Forgets what was read about a user, or about all. */
  forget(userId?: string): void {
    if (userId === undefined) this.#known.clear()
    else this.#known.delete(userId)
  }

  /**
   * Grants a user a bundle, or changes the terms of an existing one. An existing bundle keeps its id, so its
   * connections stay open.
   */
  async grant(user: User, terms: BundleTerms, actor: string, within?: Changes): Promise<GrantedBundle> {
    const { blocks, until } = checked(terms, this.#now())
    return durably(this.#database, within, async (tx) => {
      const had = await this.#ofUser(tx, user.id)
      const terms = { blocks, ends_at: until === undefined ? null : isoInstant(endOfDay(until)) }
      const granted_at = had?.grantedAt ?? isoInstant(this.#now())
      const row = { id: had?.id ?? randomUUID(), user_id: user.id, granted_at, ...terms }
      if (had === undefined) await tx.insertInto('bundles').values(row).execute()
      else await tx.updateTable('bundles').set(terms).where('id', '=', had.id).execute()
      const detail = { id: row.id, blocks: String(blocks), ...(until !== undefined && { until }) }
      await audit(tx, this.#now(), { actor, action: 'bundle.grant', target: user.email, detail })
      return bundleOf({ ...row, email: user.email })
    })
  }

  /** Takes away the bundle of a user. Fails if there is none. */
  revoke(emailOrId: string, actor: string): Promise<GrantedBundle> {
    return this.#database.durably(async (tx) => {
      const user = await this.#users.get(emailOrId, tx)
      const bundle = await this.#ofUser(tx, user.id)
      if (bundle === undefined) throw new AccountError(`${user.email} has no streaming bundle`)
      await tx.deleteFrom('bundles').where('id', '=', bundle.id).execute()
      const detail = { id: bundle.id, blocks: String(bundle.blocks) }
      await audit(tx, this.#now(), { actor, action: 'bundle.revoke', target: user.email, detail })
      return bundle
    })
  }

  /** Every bundle, including ended ones, sorted by the owner's email. */
  async list(): Promise<GrantedBundle[]> {
    return (await heldBundles(this.#database.read).orderBy('users.email').execute()).map(bundleOf)
  }

  async #ofUser(tx: Changes, userId: string): Promise<GrantedBundle | undefined> {
    const row = await heldBundles(tx).where('bundles.user_id', '=', userId).executeTakeFirst()
    return row && bundleOf(row)
  }
}

function bundleOf({ id, user_id, email, blocks, ends_at, granted_at }: HeldBundle): GrantedBundle {
  const endsAt = ends_at === null ? undefined : Date.parse(ends_at)
  return { id, userId: user_id, email, blocks, endsAt, grantedAt: granted_at }
}

function checked({ blocks, until }: BundleTerms, now: Instant) {
  if (!Number.isInteger(blocks) || blocks < 1 || blocks > MAX_BLOCKS) {
    throw new AccountError(`a bundle has a whole number of blocks from 1 to ${MAX_BLOCKS}`)
  }
  const date = until === undefined ? undefined : parseIsoDate(until)
  if (until !== undefined && date === undefined) {
    throw new AccountError('the last day of a bundle must be a date, yyyy-MM-dd')
  }
  if (date !== undefined && endOfDay(date) <= now) {
    throw new AccountError(`the last day of a bundle must not be past; it is ${date}. To end it now, revoke it`)
  }
  return { blocks, until: date }
}
