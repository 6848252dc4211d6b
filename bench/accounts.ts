import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { Accounts } from '../src/accounts/accounts.ts'
import type { Database } from '../src/accounts/database.ts'
import { hashKey, newKey } from '../src/accounts/key.ts'
import { StoredQuota } from '../src/accounts/quota.ts'
import { openDatabase } from '../src/accounts/sqlite.ts'
import { defaultPlans } from '../src/api/plan.ts'
import { type Figure, median, report } from './support/figure.ts'

// Whatever takes the serving thread here delays every answer, of all users, by as long: a key that is revoked, the counts
// that are written each second, and a command beside the service.
const USERS = 20_000
const KEYS = 100_000
const SECONDS = 5
const CHANGES = 21
const BOUND = 5

interface Stocked {
  readonly database: Database
  readonly accounts: Accounts
  /** A working key of each user. */
  readonly keys: readonly string[]
  /** Ids of keys that nobody uses. */
  readonly spare: string[]
}

async function stocked(folder: string): Promise<Stocked> {
  const database = openDatabase(folder)
  const keys: string[] = []
  const spare: string[] = []
  const at = new Date().toISOString()
  const users: string[] = []
  const rows: string[] = []
  for (let k = 0; k < USERS; k++) {
    const user = crypto.randomUUID()
    users.push(`('${user}','user-${k}@example.com','growth','${at.slice(0, 10)}','${at}')`)
    for (let n = 0; n < KEYS / USERS; n++) {
      const [key, id] = [newKey(), crypto.randomUUID()]
      rows.push(`('${id}','${user}','${hashKey(key)}','${key.slice(-4)}','bench','${at}',NULL,NULL,'user')`)
      if (n === 0) keys.push(key)
      else spare.push(id)
    }
  }
  await database.durably(async (tx) => {
    for (const [table, all] of Object.entries({ users, keys: rows })) {
      for (let k = 0; k < all.length; k += 1000) {
        await sql.raw(`INSERT INTO ${table} VALUES ${all.slice(k, k + 1000).join(',')}`).execute(tx)
      }
    }
  })
  return { database, accounts: new Accounts(database, defaultPlans), keys, spare }
}

/** Longest and median milliseconds of one change. */
async function changing(change: () => unknown): Promise<{ readonly median: number; readonly longest: number }> {
  const times: number[] = []
  for (let k = 0; k < CHANGES; k++) {
    const startedAt = performance.now()
    await change()
    times.push(performance.now() - startedAt)
  }
  return { median: median(times), longest: Math.max(...times) }
}

/**
 * Counts one request of every user each second. Returns the time per second that this thread works beyond counting, and
 * the longest time without a turn for others, milliseconds.
 */
async function writing({ database, accounts, keys }: Stocked) {
  const quota = new StoredQuota(database, { now: Date.now, onError: (error) => console.error(error) })
  const users = keys.map((key) => accounts.find(key)!)
  for (const user of users) quota.take(user)
  await new Promise((resolve) => setTimeout(resolve, 2500)) // the first write of a day inserts its rows
  const turns = monitorEventLoopDelay({ resolution: 1 })
  const before = performance.eventLoopUtilization()
  let counting = 0
  let longest = 0
  for (let second = 0; second < SECONDS; second++) {
    const startedAt = performance.now()
    for (const user of users) quota.take(user)
    counting += performance.now() - startedAt
    turns.enable()
    await new Promise((resolve) => setTimeout(resolve, 1400))
    turns.disable()
    longest = Math.max(longest, turns.max / 1e6)
    turns.reset()
  }
  const { active } = performance.eventLoopUtilization(before)
  await quota.close()
  return { each: (active - counting) / SECONDS, longest }
}

/** Milliseconds until all users are found again after a command beside the service has changed one of them. */
async function outsideChange({ accounts, keys }: Stocked, folder: string): Promise<number> {
  let now = Date.now()
  const database = openDatabase(folder)
  const here = new Accounts(database, defaultPlans, () => now)
  for (const key of keys) here.find(key)
  const known = await changing(() => {
    for (const key of keys) here.find(key)
  })
  const times: number[] = []
  for (let k = 0; k < CHANGES; k++) {
    await accounts.users.setPlan(`user-${k}@example.com`, 'basic', 'bench')
    now += 1000
    const startedAt = performance.now()
    for (const key of keys) here.find(key)
    times.push(performance.now() - startedAt)
  }
  await database.close()
  return median(times) - known.median
}

export async function benchmark(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  try {
    const stock = await stocked(folder)
    const { accounts, database, spare } = stock
    const revoking = await changing(() => accounts.keys.revoke(spare.pop()!, 'bench'))
    const rotating = await changing(() => accounts.keys.rotate(spare.pop()!, 'bench'))
    const written = await writing(stock)
    const cold = await outsideChange(stock, folder)
    await database.close()
    const size = `${KEYS} keys`
    return [
      { name: `revoke one of ${size}`, value: revoking.median, unit: 'ms', atMost: BOUND },
      { name: `revoke one of ${size}, the longest of ${CHANGES}`, value: revoking.longest, unit: 'ms' },
      { name: `rotate one of ${size}`, value: rotating.median, unit: 'ms', atMost: BOUND },
      { name: `rotate one of ${size}, the longest of ${CHANGES}`, value: rotating.longest, unit: 'ms' },
      { name: `write counts of ${USERS} users, per second`, value: written.each, unit: 'ms', atMost: BOUND },
      { name: `write counts of ${USERS} users, longest turn`, value: written.longest, unit: 'ms', atMost: BOUND },
      { name: `find ${USERS} users after a change from outside`, value: cold, unit: 'ms', atMost: BOUND }
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await report(import.meta.url, benchmark)
