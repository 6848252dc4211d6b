import { type Instant, isoInstant } from '../market/units.ts'
import { audit } from './audit.ts'
import type { Changes, Database, Queries } from './database.ts'
import type { IssuedKeys } from './issued-keys.ts'
import { AccountError, type User, type Users } from './users.ts'

/** A person as an identity provider names them. An address is no identity: it may be given to somebody else. */
export interface Identity {
  /** Address of the provider. */
  readonly issuer: string
  /** The provider's own name for the person, never reused. Source: OpenID Connect Core 1.0, section 2, "sub". */
  readonly subject: string
}

/** Actor of changes that a sign-in makes, in the audit trail. */
const ACTOR = 'identity provider'

/** Identities and the users that they are. Each identity belongs to one user; a user may have several. */
export class Identities {
  readonly #database: Database
  readonly #users: Users
  readonly #keys: IssuedKeys
  readonly #now: () => Instant

  constructor(
    database: Database,
    { users, keys }: { readonly users: Users; readonly keys: IssuedKeys },
    now: () => Instant
  ) {
    this.#database = database
    this.#users = users
    this.#keys = keys
    this.#now = now
  }

  /** The user of an identity; undefined if nobody has it. */
  async find(identity: Identity, read: Queries = this.#database.read): Promise<User | undefined> {
    const row = await this.#row(identity, read)
    return row && this.#users.find(row.user_id, read)
  }

  /** Makes a user with this identity. Fails with an AccountError if the address belongs to another user. */
  signUp(identity: Identity, wanted: { readonly email: string; readonly plan: string }): Promise<User> {
    return this.#database.durably(async (tx) => {
      const known = await this.find(identity, tx)
      if (known !== undefined) return known
      const user = await this.#users.create(wanted, ACTOR, tx)
      await this.#insert(identity, user, tx)
      return user
    })
  }

  /** Gives an identity to a user. Undefined if another user has it. */
  link(identity: Identity, userId: string): Promise<User | undefined> {
    return this.#database.durably(async (tx) => {
      const user = await this.#users.get(userId, tx)
      const known = await this.find(identity, tx)
      if (known !== undefined) return known.id === user.id ? user : undefined
      await this.#insert(identity, user, tx)
      return user
    })
  }

  /** Moves the user of an identity to a plan, if they are on another. */
  setPlan({ id, plan }: User, wanted: string): Promise<User> | undefined {
    return plan === wanted ? undefined : this.#users.setPlan(id, wanted, ACTOR)
  }

  /**
   * Id of the key behind the browser sessions of an identity. Nobody knows its text, so it opens nothing else; revoking
   * it ends these sessions. The next sign-in makes another one.
   */
  sessionKey(identity: Identity): Promise<string> {
    return this.#database.durably(async (tx) => {
      const row = await this.#row(identity, tx)
      if (row === undefined) throw new AccountError('this identity belongs to no user')
      if (row.key_id !== null && (await isHeld(row.key_id, tx))) return row.key_id
      const user = await this.#users.get(row.user_id, tx)
      const { id } = await this.#keys.create(
        user,
        `browsers, by ${new URL(identity.issuer).host}`.slice(0, 100),
        ACTOR,
        {},
        tx
      )
      const change = tx.updateTable('identities').set({ key_id: id })
      await change.where('issuer', '=', identity.issuer).where('subject', '=', identity.subject).execute()
      return id
    })
  }

  async #insert({ issuer, subject }: Identity, { id, email }: User, tx: Changes): Promise<void> {
    const created_at = isoInstant(this.#now())
    await tx.insertInto('identities').values({ issuer, subject, user_id: id, key_id: null, created_at }).execute()
    await audit(tx, this.#now(), { actor: ACTOR, action: 'user.link', target: email, detail: { issuer, subject } })
  }

  #row({ issuer, subject }: Identity, read: Queries) {
    const query = read.selectFrom('identities').selectAll()
    return query.where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()
  }
}

async function isHeld(keyId: string, tx: Changes): Promise<boolean> {
  const query = tx.selectFrom('keys').select('id').where('id', '=', keyId).where('revoked_at', 'is', null)
  return (await query.executeTakeFirst()) !== undefined
}
