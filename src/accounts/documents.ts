import { type Instant, isoInstant } from '../market/units.ts'
import type { DocumentRow } from './accounts-schema.ts'
import type { Database, Queries } from './database.ts'

/** Users keep these for their pages: arrangements of panels, lists of symbols, and settings. */
export const documentKinds = ['layouts', 'watchlists', 'settings'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** Documents of one kind that a user may have. */
export const MAX_DOCUMENTS = 100

/** A JSON object that a user keeps under a name. */
export interface UserDocument {
  readonly id: string
  readonly value: Readonly<Record<string, unknown>>
  readonly changedAt: Instant
}

/** Names a document, or where one may be kept. */
export interface DocumentName {
  readonly userId: string
  readonly kind: DocumentKind
  readonly id: string
}

/** What users keep for their pages. It belongs to the user, whatever key it was written with, and ends with the user. */
export class UserDocuments {
  readonly #database: Database
  readonly #now: () => Instant

  constructor(database: Database, now: () => Instant) {
    this.#database = database
    this.#now = now
  }

  /** The documents of a user of one kind, by their names. */
  async list(userId: string, kind: DocumentKind, read?: Queries): Promise<readonly UserDocument[]> {
    return (await this.#select(userId, kind, read).execute()).map(documentOf)
  }

  async find({ userId, kind, id }: DocumentName): Promise<UserDocument | undefined> {
    const row = await this.#select(userId, kind).where('id', '=', id).executeTakeFirst()
    return row && documentOf(row)
  }

  /** Writes a document, in place of the one of its name. Undefined: it is new, and the user has as many as one may. */
  async put({ userId, kind, id }: DocumentName, value: UserDocument['value']): Promise<UserDocument | undefined> {
    const document = { id, value, changedAt: this.#now() }
    const body = JSON.stringify(value)
    const changed_at = isoInstant(document.changedAt)
    return this.#database.durably(async (tx) => {
      const others = (await this.list(userId, kind, tx)).filter((each) => each.id !== id)
      if (others.length >= MAX_DOCUMENTS) return undefined
      await tx
        .insertInto('documents')
        .values({ user_id: userId, kind, id, body, changed_at })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'id']).doUpdateSet({ body, changed_at }))
        .execute()
      return document
    })
  }

  async remove({ userId, kind, id }: DocumentName): Promise<void> {
    await this.#database.durably((tx) => {
      const remove = tx.deleteFrom('documents').where('user_id', '=', userId).where('kind', '=', kind)
      return remove.where('id', '=', id).execute()
    })
  }

  #select(userId: string, kind: DocumentKind, read: Queries = this.#database.read) {
    const query = read.selectFrom('documents').selectAll()
    return query.where('user_id', '=', userId).where('kind', '=', kind).orderBy('id')
  }
}

/** Converts a row. Its JSON was written by `put`. */
const documentOf = ({ id, body, changed_at }: DocumentRow): UserDocument => ({
  id,
  value: JSON.parse(body),
  changedAt: Date.parse(changed_at)
})
