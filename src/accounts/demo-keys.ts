import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PlanId, planIds } from '../api/plan.ts'
import type { Accounts } from './accounts.ts'
import { isWellFormed, newKey } from './key.ts'
import { asStorageError } from './storage-error.ts'
import type { User } from './users.ts'

/** A key for each plan, by plan id. */
export type DemoKeys = Readonly<Partial<Record<PlanId, string>>>

const ACTOR = 'service'

/** Plans whose demo user gets a streaming bundle of one block, so that the stream can be tried at once. */
const streaming: readonly PlanId[] = ['alpha', 'enterprise']

/**
 * Keys to try the service with. On the very first start, when nothing was ever done to the accounts, makes a user and a
 * key for each plan and writes the keys to demo-keys.json, readable by its owner only. Afterwards the file is read, and
 * nothing is made again: an operator who removes the demo users has removed them, also where nobody else is left.
 * Returns the keys that work, undefined when none.
 */
export function ensureDemoKeys(accounts: Accounts, dataFolder: string): DemoKeys | undefined {
  const made = accounts.atomically(() => (accounts.areNew() ? makeKeys(accounts, dataFolder) : undefined))
  if (made !== undefined) return made
  const working = Object.entries(readDemoKeys(dataFolder) ?? {}).filter(([, key]) => accounts.find(key) !== undefined)
  return working.length === 0 ? undefined : Object.fromEntries(working)
}

/**
 * Takes the demo users away, with every key and count, and the file of their keys. They are not made again, not even
 * where the service was never started. Returns those that were there.
 */
export function removeDemoUsers(accounts: Accounts, dataFolder: string, actor: string): readonly User[] {
  const removed = accounts.atomically(() => {
    const there = planIds.flatMap((plan) => accounts.users.find(emailOf(plan)) ?? [])
    for (const user of there) accounts.users.remove(user.id, actor)
    const detail = { users: String(there.length) }
    accounts.note({ actor, action: 'demo.remove', target: 'the demo users', detail })
    return there
  })
  rmSync(fileIn(dataFolder), { force: true })
  return removed
}

const emailOf = (plan: PlanId) => `demo-${plan}@gammawall.local`

function makeKeys(accounts: Accounts, dataFolder: string): DemoKeys {
  // Keys of a file without users were written just before a crash, or outlived the data base: they are made to work.
  const written = readDemoKeys(dataFolder)
  const keys = Object.fromEntries(planIds.map((plan) => [plan, written?.[plan] ?? newKey()]))
  for (const plan of planIds) {
    const user = accounts.users.create({ email: emailOf(plan), plan }, ACTOR)
    accounts.keys.create(user, 'demo', ACTOR, { key: keys[plan]! })
    if (streaming.includes(plan)) accounts.bundles.grant(user, { blocks: 1 }, ACTOR)
  }
  writeKeys(dataFolder, keys)
  return keys
}

/** The demo keys that a data folder keeps, whether they work or not; undefined where it has no such file. */
export function readDemoKeys(dataFolder: string): DemoKeys | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(fileIn(dataFolder), 'utf8'))
    if (typeof json !== 'object' || json === null) return undefined
    const entries = Object.entries(json).filter(([, key]) => typeof key === 'string' && isWellFormed(key))
    return Object.fromEntries(entries.filter(([plan]) => (planIds as readonly string[]).includes(plan)))
  } catch {
    return undefined // missing, cut short or edited by hand: as good as no file
  }
}

const fileIn = (dataFolder: string) => join(dataFolder, 'demo-keys.json')

/** Whole or not at all, and never readable by others, not even for a moment. */
function writeKeys(dataFolder: string, keys: DemoKeys): void {
  const path = fileIn(dataFolder)
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, JSON.stringify(keys, undefined, 2) + '\n', { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw asStorageError(error, dataFolder)
  }
}
