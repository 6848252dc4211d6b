import type { Database } from '../database.ts'

/**
 * The private key that names this service to push services. It is made once and lies where the browsers lie that
 * subscribed with it, so that a backup holds both and every process of one database has the same. It is stored in plain
 * text, as the secrets of webhooks are.
 */
export class PushKey {
  readonly #database: Database
  readonly #make: () => string

  constructor(database: Database, make: () => string) {
    this.#database = database
    this.#make = make
  }

  async read(): Promise<string> {
    const stored = () => this.#database.read.selectFrom('push_key').select('private_key').executeTakeFirst()
    const before = await stored()
    if (before !== undefined) return before.private_key
    await this.#database.durably((tx) => {
      const insert = tx.insertInto('push_key').values({ id: 1, private_key: this.#make() })
      return insert.onConflict((conflict) => conflict.column('id').doNothing()).execute()
    })
    return (await stored())!.private_key
  }
}
