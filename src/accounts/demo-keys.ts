import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entitlement, type PlanId, planIds } from '../api/plan.ts'
import type { Accounts } from './accounts.ts'
import type { Changes } from './database.ts'
import { isWellFormed, newKey } from './key.ts'
import { asStorageError } from './storage-error.ts'
import type { User } from './users.ts'

export type DemoKeys = Readonly<Partial<Record<PlanId, string>>>

/** The demo keys that work, and whether this start made them. */
export interface IssuedDemoKeys {
  readonly keys: DemoKeys
  readonly areNew: boolean
}

const ACTOR = 'service'

/** Demo users of plans with this entitlement also get a streaming bundle, so that the stream can be tried at once. */
const STREAMS_WITH: Entitlement = 'replay'

/**
 * Issues keys to try the service with. The very first start creates a user and a key for each plan and writes the keys
 * to demo-keys.json, readable by its owner only. Later starts read that file and create nothing, so demo users that an
 * operator removed stay removed. Returns the keys that work; undefined if none does.
 */
export async function ensureDemoKeys(accounts: Accounts, dataFolder: string): Promise<IssuedDemoKeys | undefined> {
  const make = async (tx: Changes) => ((await accounts.areNew(tx)) ? makeKeys(accounts, dataFolder, tx) : undefined)
  // A full disk keeps nobody from starting who has accounts.
  const made = (await accounts.areNew()) ? await accounts.atomically(make) : undefined
  if (made !== undefined) return { keys: made, areNew: true }
  const working = Object.entries(readDemoKeys(dataFolder) ?? {}).filter(([, key]) => accounts.find(key) !== undefined)
  return working.length === 0 ? undefined : { keys: Object.fromEntries(working), areNew: false }
}

/**
 * Removes the demo users with their keys and counts, and the file of their keys. They are never created again, even if
 * the service has not started yet. Returns the removed users.
 */
export async function removeDemoUsers(accounts: Accounts, dataFolder: string, actor: string): Promise<readonly User[]> {
  const removed = await accounts.atomically(async (tx) => {
    const there: User[] = []
    for (const plan of planIds) {
      const user = await accounts.users.find(emailOf(plan), tx)
      if (user !== undefined) there.push(await accounts.users.remove(user.id, actor, tx))
    }
    const detail = { users: String(there.length) }
    await accounts.note({ actor, action: 'demo.remove', target: 'the demo users', detail }, tx)
    return there
  })
  rmSync(demoKeysFile(dataFolder), { force: true })
  return removed
}

const emailOf = (plan: PlanId) => `demo-${plan}@gammawall.local`

async function makeKeys(accounts: Accounts, dataFolder: string, tx: Changes): Promise<DemoKeys> {
  // Keys in a file without users were written just before a crash, or outlived the database: users are created for
  // them.
  const written = readDemoKeys(dataFolder)
  const keys = Object.fromEntries(planIds.map((plan) => [plan, written?.[plan] ?? newKey()]))
  for (const plan of planIds) {
    const user = await accounts.users.create({ email: emailOf(plan), plan }, ACTOR, tx)
    await accounts.keys.create(user, 'demo', ACTOR, { key: keys[plan]! }, tx)
    if (accounts.planOf(user).entitlements.includes(STREAMS_WITH)) {
      await accounts.bundles.grant(user, { blocks: 1 }, ACTOR, tx)
    }
  }
  writeKeys(dataFolder, keys)
  return keys
}

/** The demo keys stored in a data folder, working or not; undefined if the folder has no such file. */
export function readDemoKeys(dataFolder: string): DemoKeys | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(demoKeysFile(dataFolder), 'utf8'))
    if (typeof json !== 'object' || json === null) return undefined
    const entries = Object.entries(json).filter(([, key]) => typeof key === 'string' && isWellFormed(key))
    return Object.fromEntries(entries.filter(([plan]) => (planIds as readonly string[]).includes(plan)))
  } catch {
    return undefined // missing, cut short or edited by hand: treated as no file
  }
}

/** The file with the demo keys of a data folder. */
export const demoKeysFile = (dataFolder: string) => join(dataFolder, 'demo-keys.json')

/** Writes the file atomically, readable by its owner only from the first moment. */
function writeKeys(dataFolder: string, keys: DemoKeys): void {
  const path = demoKeysFile(dataFolder)
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, JSON.stringify(keys, undefined, 2) + '\n', { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw asStorageError(error, dataFolder)
  }
}
