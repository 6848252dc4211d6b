import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { hashKey, newKey } from '../../src/accounts/key.ts'
import { isoInstant } from '../../src/market/units.ts'

export interface UserBeside {
  readonly email: string
  readonly plan: string
  readonly subscribedOn: string
}

/** Writes users into the accounts of a folder beside the service, as commands do, but without waiting for the disk. */
export function usersBeside(folder: string) {
  const sqlite = new Sqlite(join(folder, 'accounts.db'))
  const insert = (into: string, row: readonly unknown[]) =>
    sqlite.prepare(`INSERT INTO ${into} VALUES (${row.map(() => '?').join(', ')})`).run([...row])
  return {
    /** Adds a user and a key of the user, which it returns. */
    add({ email, plan, subscribedOn }: UserBeside, now: number): string {
      const [user, id, key, at] = [randomUUID(), randomUUID(), newKey(), isoInstant(now)]
      const audited = (action: string, detail: object) =>
        insert('audit', [randomUUID(), at, 'test', action, email, JSON.stringify(detail)])
      insert('users', [user, email, plan, subscribedOn, at])
      audited('user.create', { plan, subscribedOn })
      const hint = key.slice(-4)
      insert('keys (id, user_id, hash, hint, name, created_at)', [id, user, hashKey(key), hint, 'test', at])
      audited('key.create', { id, hint, name: 'test' })
      return key
    },
    close: () => void sqlite.close()
  }
}
