import { randomUUID } from 'node:crypto'
import { audit } from './audit.ts'
import type { Database } from './database.ts'
import { hashKey, newKey } from './key.ts'
import { AccountError, type User } from './users.ts'

export interface IssuedKey {
  readonly id: string
  readonly userId: string
  readonly email: string
  /** Id of the owner's plan. */
  readonly plan: string
  /** Last four characters. */
  readonly hint: string
  readonly name: string
  readonly createdAt: string
  readonly revokedAt: string | undefined
}

/** The keys that were given out. `actor` is who acts, for the audit trail. */
export class IssuedKeys {
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /** Gives `user` a key. The answer is the only place where the key itself is ever to be seen. */
  create(user: User, name: string, actor: string, key = newKey()): IssuedKey & { readonly key: string } {
    if (name.length > 100 || /\p{C}/u.test(name)) {
      throw new AccountError('the name of a key must be a text of at most 100 characters')
    }
    const createdAt = new Date(this.#now()).toISOString()
    const row = {
      id: randomUUID(),
      user_id: user.id,
      hash: hashKey(key),
      hint: key.slice(-4),
      name,
      created_at: createdAt
    }
    this.#database.durably(() => {
      this.#database.run(this.#database.build.insertInto('keys').values({ ...row, revoked_at: null }))
      const detail = { id: row.id, hint: row.hint, name }
      audit(this.#database, this.#now(), { actor, action: 'key.create', target: user.email, detail })
    })
    const { id, hint } = row
    return { id, key, hint, userId: user.id, email: user.email, plan: user.plan, name, createdAt, revokedAt: undefined }
  }

  /** Every key, revoked ones too, in the order they were made. */
  list(): IssuedKey[] {
    const query = this.#database.build
      .selectFrom('keys')
      .innerJoin('users', 'users.id', 'keys.user_id')
      .select(['keys.id', 'keys.user_id', 'users.email', 'users.plan', 'keys.hint', 'keys.name'])
      .select(['keys.created_at', 'keys.revoked_at'])
      .orderBy('keys.created_at')
      .orderBy('keys.id')
    return this.#database.rows(query).map((row) => ({
      id: row.id,
      userId: row.user_id,
      email: row.email,
      plan: row.plan,
      hint: row.hint,
      name: row.name,
      createdAt: row.created_at,
      revokedAt: row.revoked_at ?? undefined
    }))
  }

  /** Ends a key, named by its id or, when only one working key has it, by its hint. */
  revoke(idOrHint: string, actor: string): IssuedKey {
    return this.#database.durably(() => {
      const named = this.list().filter((key) => key.id === idOrHint || key.hint === idOrHint)
      const working = named.filter((key) => key.revokedAt === undefined)
      if (named.length === 0) throw new AccountError(`there is no key with the id or hint ${idOrHint}`)
      if (working.length === 0) throw new AccountError(`the key ${idOrHint} was revoked before`)
      if (working.length > 1) {
        const ids = working.map((key) => key.id).join(', ')
        throw new AccountError(`several keys have the hint ${idOrHint}: name one by its id, ${ids}`)
      }
      const key = working[0]!
      const revokedAt = new Date(this.#now()).toISOString()
      const query = this.#database.build.updateTable('keys').set({ revoked_at: revokedAt }).where('id', '=', key.id)
      this.#database.run(query)
      const detail = { id: key.id, hint: key.hint, name: key.name }
      audit(this.#database, this.#now(), { actor, action: 'key.revoke', target: key.email, detail })
      return { ...key, revokedAt }
    })
  }
}
