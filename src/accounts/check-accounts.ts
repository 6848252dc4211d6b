import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { lossSince, revisionOf } from './revision.ts'

const MAX_SHOWN = 20

/** Reads all accounts of a data folder and returns a sentence for each fault. No service may use the folder meanwhile. */
export function accountsDamage(folder: string): readonly string[] {
  const path = join(folder, 'accounts.db')
  if (!existsSync(path)) return []
  let sqlite: Sqlite.Database | undefined
  try {
    sqlite = new Sqlite(path)
    const found = sqlite.prepare(`PRAGMA integrity_check(${MAX_SHOWN})`).all() as { integrity_check: string }[]
    const damage = found.map(({ integrity_check: text }) => text).filter((text) => text !== 'ok')
    if (damage.length > 0) return damage
    const orphans = sqlite.prepare('PRAGMA foreign_key_check').all() as { table: string; parent: string }[]
    const loss = lossSince(folder, revisionOf(sqlite))
    const lost = [...new Set(orphans.map(({ table, parent }) => `${table} name ${parent} that are not there`))]
    return loss === undefined ? lost : [...lost, loss]
  } catch (error) {
    return [(error as Error).message]
  } finally {
    sqlite?.close()
  }
}
