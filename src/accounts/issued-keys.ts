import { randomUUID } from 'node:crypto'
import { type Instant, isoInstant, MILLISECONDS_PER_DAY, parseIsoDate } from '../market/units.ts'
import type { KeyRow, UserRow } from './accounts-schema.ts'
import { audit } from './audit.ts'
import { type Changes, type Database, durably, type Queries } from './database.ts'
import { hashKey, newKey } from './key.ts'
import { endOfDay } from './last-day.ts'
import { AccountError, type User } from './users.ts'

/** Rights of a key beyond the plan of its user: `operator` keys may always administer the service. */
export const keyRoles = ['user', 'operator'] as const
export type KeyRole = (typeof keyRoles)[number]

/** Parses a role from storage or user input; anything unknown is `user`. */
export function readRole(text: string): KeyRole {
  return text === 'operator' ? 'operator' : 'user'
}

export interface IssuedKey {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly plan: string
  readonly hint: string
  readonly name: string
  readonly role: KeyRole
  readonly createdAt: string
  /** The first moment at which the key no longer works; undefined if the key has no end. */
  readonly endsAt: string | undefined
  readonly revokedAt: string | undefined
}

/** A key that has just been issued: the only place where its full text appears. */
export type NewKey = IssuedKey & { readonly key: string }

export interface KeyTerms {
  /** The key's text; default: a random one. */
  readonly key?: string
  /** Last day of the key, yyyy-MM-dd, UTC; absent if the key has no end. */
  readonly until?: string
  /** Default: user. */
  readonly role?: KeyRole
}

export interface Rotation {
  /** Whether the old key ends at once rather than after a day. */
  readonly now?: boolean
  /** Last day of the new key, yyyy-MM-dd, UTC; default: the last day of the old key. */
  readonly until?: string
}

/** How long a replaced key continues to work, milliseconds. */
const ROTATION_GRACE = MILLISECONDS_PER_DAY

/** All issued keys. `actor`, the person who makes a change, is written to the audit trail. */
export class IssuedKeys {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  async create(
    user: User,
    name: string,
    actor: string,
    { key = newKey(), until, role = 'user' }: KeyTerms = {},
    within?: Changes
  ): Promise<NewKey> {
    if (name.length > 100 || /\p{C}/u.test(name)) {
      throw new AccountError('the name of a key must be a text of at most 100 characters')
    }
    const endsAt = until === undefined ? undefined : this.#endOf(until)
    return durably(this.#database, within, async (tx) => {
      const made = await this.#insert(tx, user, { key, name, role, endsAt })
      const terms = { ...(role !== 'user' && { role }), ...(endsAt !== undefined && { endsAt: isoInstant(endsAt) }) }
      const detail = { id: made.id, hint: made.hint, name, ...terms }
      await audit(tx, this.#now(), { actor, action: 'key.create', target: user.email, detail })
      return made
    })
  }

  /** Every key, including revoked ones, in order of creation. */
  async list(): Promise<IssuedKey[]> {
    return (await selected(this.#database.read).execute()).map(keyOf)
  }

  /** Revokes a key by its id, or by its hint if only one working key has that hint. */
  revoke(idOrHint: string, actor: string): Promise<IssuedKey> {
    return this.#database.durably(async (tx) => {
      const key = await this.#named(tx, idOrHint)
      const revokedAt = isoInstant(this.#now())
      await tx.updateTable('keys').set({ revoked_at: revokedAt }).where('id', '=', key.id).execute()
      const detail = { id: key.id, hint: key.hint, name: key.name }
      await audit(tx, this.#now(), { actor, action: 'key.revoke', target: key.email, detail })
      return { ...key, revokedAt }
    })
  }

  /**
   * Replaces a key by a new one with the user, name and role of the old. The old key, named by id or hint, works for
   * another day so that it can be replaced wherever it is used, but not beyond its own end.
   */
  rotate(
    idOrHint: string,
    actor: string,
    { now = false, until }: Rotation = {}
  ): Promise<{ made: NewKey; old: IssuedKey }> {
    return this.#database.durably(async (tx) => {
      const old = await this.#named(tx, idOrHint)
      const oldEnd = old.endsAt === undefined ? undefined : Date.parse(old.endsAt)
      if (oldEnd !== undefined && oldEnd <= this.#now()) {
        throw new AccountError(`the key ${idOrHint} ended at ${old.endsAt}: make a new one with keys create`)
      }
      const user = { id: old.userId, email: old.email, plan: old.plan }
      const endsAt = until === undefined ? oldEnd : this.#endOf(until)
      const made = await this.#insert(tx, user, { key: newKey(), name: old.name, role: old.role, endsAt })
      const lastMoment = isoInstant(Math.min(oldEnd ?? Infinity, this.#now() + ROTATION_GRACE))
      const change = now ? { revoked_at: isoInstant(this.#now()) } : { ends_at: lastMoment }
      await tx.updateTable('keys').set(change).where('id', '=', old.id).execute()
      const detail = { id: old.id, hint: old.hint, name: old.name, newId: made.id, newHint: made.hint }
      const oldEnds = change.revoked_at ?? lastMoment
      await audit(tx, this.#now(), {
        actor,
        action: 'key.rotate',
        target: old.email,
        detail: { ...detail, oldEnds, ...(endsAt !== undefined && { endsAt: isoInstant(endsAt) }) }
      })
      return { made, old: now ? { ...old, revokedAt: oldEnds } : { ...old, endsAt: lastMoment } }
    })
  }

  async #insert(
    tx: Changes,
    user: Pick<User, 'id' | 'email' | 'plan'>,
    { key, name, role, endsAt }: { key: string; name: string; role: KeyRole; endsAt: Instant | undefined }
  ): Promise<NewKey> {
    const id = randomUUID()
    const hint = key.slice(-4)
    const createdAt = isoInstant(this.#now())
    const end = endsAt === undefined ? undefined : isoInstant(endsAt)
    const row = { id, user_id: user.id, hash: hashKey(key), hint, name, created_at: createdAt }
    const terms = { revoked_at: null, ends_at: end ?? null, role }
    await tx
      .insertInto('keys')
      .values({ ...row, ...terms })
      .execute()
    const { email, plan } = user
    return { id, key, hint, userId: user.id, email, plan, name, role, createdAt, endsAt: end, revokedAt: undefined }
  }

  /** Finds the unrevoked key with this id or hint; if several share the hint, the one that still works. */
  async #named(tx: Changes, idOrHint: string): Promise<IssuedKey> {
    const query = selected(tx).where((where) =>
      where.or([where('keys.id', '=', idOrHint), where('keys.hint', '=', idOrHint)])
    )
    const named = (await query.execute()).map(keyOf)
    const kept = named.filter((key) => key.revokedAt === undefined)
    if (named.length === 0) throw new AccountError(`there is no key with the id or hint ${idOrHint}`)
    if (kept.length === 0) throw new AccountError(`the key ${idOrHint} was revoked before`)
    const working = kept.filter(({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > this.#now())
    const candidates = working.length > 0 ? working : kept
    if (candidates.length > 1) {
      const ids = candidates.map((key) => key.id).join(', ')
      throw new AccountError(`several keys have the hint ${idOrHint}: name one by its id, ${ids}`)
    }
    return candidates[0]!
  }

  #endOf(until: string): Instant {
    const date = parseIsoDate(until)
    if (date === undefined) throw new AccountError('the last day of a key must be a date, yyyy-MM-dd')
    const end = endOfDay(date)
    if (end <= this.#now()) throw new AccountError(`the last day of a key must not be over in UTC; ${until} is`)
    return end
  }
}

/** Query of keys, in order of creation. */
function selected(read: Queries) {
  return read
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user_id')
    .select(['keys.id', 'keys.user_id', 'users.email', 'users.plan', 'keys.hint', 'keys.name', 'keys.role'])
    .select(['keys.created_at', 'keys.ends_at', 'keys.revoked_at'])
    .orderBy('keys.created_at')
    .orderBy('keys.id')
}

type Row = Omit<KeyRow, 'hash'> & Pick<UserRow, 'email' | 'plan'>

function keyOf(row: Row): IssuedKey {
  return {
    id: row.id,
    userId: row.user_id,
    email: row.email,
    plan: row.plan,
    hint: row.hint,
    name: row.name,
    role: readRole(row.role),
    createdAt: row.created_at,
    endsAt: row.ends_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined
  }
}
