import { randomUUID } from 'node:crypto'
import { type Instant, isoInstant } from '../market/units.ts'
import type { Database } from './database.ts'

/** A browser session, as far as it can be ended. */
export interface EndableSession {
  readonly id: string
  readonly userId: string
  readonly beganAt: Instant
  readonly expiresAt: Instant
}

/**
 * The browser sessions that were ended before they expire, on whichever service. A session is signed and not stored, so only
 * its end is. Other services learn of an end with the other changes of accounts, within a second.
 */
export class EndedSessions {
  readonly #database: Database
  readonly #now: () => Instant
  /** When ended sessions would have expired, by their ids. */
  readonly #ended = new Map<string, Instant>()
  /** The last moment at which all sessions of a user were ended, and when the last of them would have expired. */
  readonly #allEnded = new Map<string, { readonly at: Instant; readonly expiresAt: Instant }>()
  #reading: Promise<void> | undefined
  #isOutdated = false

  constructor(database: Database, now: () => Instant) {
    this.#database = database
    this.#now = now
  }

  has({ id, userId, beganAt }: EndableSession): boolean {
    return this.#ended.has(id) || beganAt <= (this.#allEnded.get(userId)?.at ?? Number.NEGATIVE_INFINITY)
  }

  async end({ id, userId, expiresAt }: EndableSession): Promise<void> {
    await this.#store(id, userId, null, expiresAt)
    this.#ended.set(id, expiresAt)
  }

  /** Ends all sessions of a user that have begun, the last of which expires at `expiresAt`. */
  async endAll(userId: string, expiresAt: Instant): Promise<void> {
    const at = this.#now()
    await this.#store(randomUUID(), userId, isoInstant(at), expiresAt)
    this.#allEnded.set(userId, { at, expiresAt })
  }

  /** Reads what was ended, also by other services. Calls while one is under way lead to one more reading. */
  async read(): Promise<void> {
    this.#isOutdated = true
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #readAll(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false
      const now = this.#now()
      const table = this.#database.read.selectFrom('ended_sessions').selectAll()
      for (const row of await table.where('expires_at', '>', isoInstant(now)).execute()) {
        const expiresAt = Date.parse(row.expires_at)
        const at = row.began_until === null ? undefined : Date.parse(row.began_until)
        if (at === undefined) this.#ended.set(row.id, expiresAt)
        else if (at > (this.#allEnded.get(row.user_id)?.at ?? 0)) this.#allEnded.set(row.user_id, { at, expiresAt })
      }
      for (const [id, expiresAt] of this.#ended) if (expiresAt <= now) this.#ended.delete(id)
      for (const [userId, { expiresAt }] of this.#allEnded) if (expiresAt <= now) this.#allEnded.delete(userId)
    }
  }

  #store(id: string, userId: string, until: string | null, expiresAt: Instant): Promise<void> {
    const row = { id, user_id: userId, began_until: until, expires_at: isoInstant(expiresAt) }
    return this.#database.durably(async (tx) => {
      await tx.deleteFrom('ended_sessions').where('expires_at', '<=', isoInstant(this.#now())).execute()
      const insert = tx.insertInto('ended_sessions').values(row)
      await insert.onConflict((conflict) => conflict.column('id').doNothing()).execute()
    })
  }
}
