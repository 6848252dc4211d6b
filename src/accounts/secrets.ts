import { randomBytes } from 'node:crypto'
import { type Instant, isoInstant } from '../market/units.ts'
import type { Database } from './database.ts'
import { StorageError } from './storage-error.ts'

/** Secrets with which services sign what browsers and clients bring back to any of them. */
export interface SigningSecrets {
  /** The secrets that are believed, at least one; the first one signs. */
  readonly valid: readonly Buffer[]
}

const HOUR = 3_600_000
/** Age at which a secret is replaced. It is believed until the next one is, and what it signed lasts half a day at most. */
const LASTS = 30 * 24 * HOUR
/** How often every service reads the secrets, milliseconds. */
export const READ_SECRETS_EVERY = HOUR
/** A new secret signs once every service has read it. */
const SIGNS_AFTER = 2 * READ_SECRETS_EVERY
const BYTES = 32
const KEPT = 2

/**
 * The signing secrets that all services of one database have. They lie in plain text beside the accounts that they open, as
 * the secrets of webhooks do.
 */
export class Secrets implements SigningSecrets {
  readonly #database: Database
  readonly #now: () => Instant
  #valid: readonly Buffer[] = []

  private constructor(database: Database, now: () => Instant) {
    this.#database = database
    this.#now = now
  }

  /** Reads the secrets, and makes the first one where there is none. */
  static async open(database: Database, now: () => Instant): Promise<Secrets> {
    const secrets = new Secrets(database, now)
    await secrets.read()
    return secrets
  }

  get valid(): readonly Buffer[] {
    return this.#valid
  }

  /**
   * Reads the secrets anew, and makes one that will follow the newest where that is a month old. Where nothing can be written,
   * the old one goes on, or one that ends with the process.
   */
  async read(): Promise<void> {
    const now = this.#now()
    let stored = await this.#stored()
    const newest = stored[0]
    if (newest === undefined || Date.parse(newest.created_at) + LASTS <= now) {
      await this.#add((newest?.number ?? 0) + 1, now)
      stored = await this.#stored()
    }
    const isKnownToAll = ({ created_at }: { readonly created_at: string }) =>
      Date.parse(created_at) + SIGNS_AFTER <= now
    const signing = stored.find(isKnownToAll) ?? stored.at(-1)
    if (signing !== undefined) {
      const inOrder = [signing, ...stored.filter((each) => each !== signing)]
      this.#valid = inOrder.map(({ secret }) => Buffer.from(secret, 'base64url'))
    } else if (this.#valid.length === 0) this.#valid = [randomBytes(BYTES)]
  }

  /** The newest secrets, newest first. */
  #stored() {
    return this.#database.read.selectFrom('secrets').selectAll().orderBy('number', 'desc').limit(KEPT).execute()
  }

  /** Stores a secret, unless another service did so at the same time, and drops those that nobody believes any more. */
  async #add(number: number, now: Instant): Promise<void> {
    const secret = randomBytes(BYTES).toString('base64url')
    const oldest = number - KEPT + 1
    try {
      await this.#database.durably(async (tx) => {
        const insert = tx.insertInto('secrets').values({ number, secret, created_at: isoInstant(now) })
        await insert.onConflict((conflict) => conflict.column('number').doNothing()).execute()
        await tx.deleteFrom('secrets').where('number', '<', oldest).execute()
      })
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
    }
  }
}
