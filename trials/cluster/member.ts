import { setTimeout as pause } from 'node:timers/promises'
import { Accounts } from '../../src/accounts/accounts.ts'
import { Firings } from '../../src/accounts/alerts/firings.ts'
import { AlertRules } from '../../src/accounts/alerts/rules.ts'
import { openPostgres } from '../../src/accounts/postgres.ts'
import { StoredQuota } from '../../src/accounts/quota.ts'
import { SharedQuota } from '../../src/accounts/shared-quota.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { evaluateOnce } from './evaluation.ts'

// One service of a trial, without its market: accounts as `foundations.ts` opens them, in a process of its own.

const [address, name] = process.argv.slice(2) as [string, string]
const database = await openPostgres(address)
const accounts = new Accounts(database, defaultPlans)
setInterval(() => void accounts.refresh().catch(() => {}), 250)
const quotas = new Map<number, SharedQuota>()

/** The counts of requests, with a number of requests that are answered while the database is silent. */
function quotaOf(whenLost: number): SharedQuota {
  const known = quotas.get(whenLost)
  if (known !== undefined) return known
  const unlimited = new StoredQuota(database, { now: Date.now, onError: () => {}, isShared: true })
  const steadyNow = () => performance.now()
  const quota = new SharedQuota(database.sharing!, database, { unlimited, wallNow: Date.now, steadyNow, whenLost })
  quotas.set(whenLost, quota)
  return quota
}

const accountOf = (userId: string, limit: number) => ({
  userId,
  plan: { ...defaultPlans.byId('basic'), dailyLimit: limit }
})

interface Burst {
  readonly user: string
  readonly limit: number
  readonly requests: number
}

/** Asks for so many requests of a user at once, and again for those of which nobody could say whether they are allowed. */
async function burst({ user, limit, requests }: Burst) {
  const quota = quotaOf(0)
  const ask = async (): Promise<boolean> => {
    for (;;) {
      const { allowed, isUnknown } = await quota.take(accountOf(user, limit))
      if (!isUnknown) return allowed
      await pause(50)
    }
  }
  const asked: Promise<boolean>[] = []
  for (let k = 0; k < requests; k++) {
    asked.push(ask())
    if (k % 100 === 99) await pause(Math.random() * 5)
  }
  const allowed = (await Promise.all(asked)).filter(Boolean).length
  return { allowed, calls: quota.calls }
}

interface Steady {
  readonly users: number
  readonly limit: number
  readonly perSecond: number
  readonly seconds: number
  readonly whenLost: number
}

/** Asks at a steady pace. Returns for each 100 ms what became of the requests, and how many each user was allowed. */
async function steady({ users, limit, perSecond, seconds, whenLost }: Steady) {
  const quota = quotaOf(whenLost)
  const began = Date.now()
  const slots: { at: number; allowed: number; unknown: number; refused: number; slowest: number }[] = []
  const allowed: Record<string, number> = {}
  const pending: Promise<void>[] = []
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, ((Date.now() - began) / 1000) * perSecond)
    for (; sent < due; sent++) {
      const user = `user-${Math.floor(Math.random() * users)}`
      const at = Date.now()
      const slot = (slots[Math.floor((at - began) / 100)] ??= { at, allowed: 0, unknown: 0, refused: 0, slowest: 0 })
      const taken = quota.take(accountOf(user, limit))
      const note = async () => {
        const { allowed: isAllowed, isUnknown } = await taken
        slot.slowest = Math.max(slot.slowest, Date.now() - at)
        if (isAllowed) allowed[user] = (allowed[user] ?? 0) + 1
        slot[isAllowed ? 'allowed' : isUnknown ? 'unknown' : 'refused']++
      }
      pending.push(note())
    }
    await pause(5)
  }
  await Promise.all(pending)
  return { slots: slots.filter((slot) => slot !== undefined), allowed, calls: quota.calls }
}

/** Milliseconds of calls for one user, one after the other, as a first request of a user waits. */
async function times({ count }: { readonly count: number }) {
  const found: number[] = []
  for (let k = 0; k < count; k++) {
    const began = performance.now()
    const asked = {
      userId: `timed-${k % 50}`,
      day: '',
      wanted: 1,
      least: 0,
      ahead: 0,
      back: 0,
      ofPanels: 0,
      limit: 1e6
    }
    await database.sharing!.reserve([asked])
    found.push(performance.now() - began)
  }
  return found.sort((a, b) => a - b)
}

/** Tells the parent when a key that works here no longer does. */
function watch({ keys, isNotified }: { readonly keys: readonly string[]; readonly isNotified: boolean }) {
  const working = new Set(keys.filter((key) => accounts.find(key) !== undefined))
  const look = () => {
    for (const key of working) {
      if (accounts.find(key) !== undefined) continue
      working.delete(key)
      process.send!({ news: { key, at: Date.now() } })
    }
  }
  accounts.onChange(look)
  if (isNotified)
    database.onNotice(
      () => void accounts.refresh().catch(() => {}),
      () => {}
    )
  return working.size
}

/** Sends due firings of a webhook until none is left. `dieAfter`: how many are sent before the process stands still; 0 for never. */
async function deliver({ webhook, dieAfter }: { readonly webhook: string; readonly dieAfter: number }) {
  const firings = new Firings(database)
  for (let sent = 0; ; ) {
    const firing = await firings.nextDue(webhook, Date.now(), new Set())
    if (firing === undefined) {
      if ((await firings.waiting()).length === 0) return sent
      await pause(200)
      continue
    }
    process.send!({ news: { sent: firing.id } })
    if (++sent === dieAfter) await pause(2 ** 31 - 1) // killed with a claim whose message is sent and not written down
    const attempt = { attempts: 1, attemptedAt: Date.now(), nextAttemptAt: undefined, failure: undefined }
    await firings.attempted({ id: firing.id, delivery: 'delivered', ...attempt })
  }
}

const evaluate = ({ looks }: { readonly looks: number }) =>
  evaluateOnce({ rules: new AlertRules(database), firings: new Firings(database), database, looks })

const tasks: Readonly<Record<string, (options: never) => unknown>> = {
  burst,
  steady,
  times,
  watch,
  deliver,
  evaluate,
  refresh: () => accounts.refresh(),
  close: async () => {
    for (const quota of quotas.values()) await quota.close()
  }
}

process.on('message', async ({ id, task, options }: { id: number; task: string; options: object }) => {
  try {
    process.send!({ id, result: await tasks[task]!(options as never) })
  } catch (error) {
    process.send!({ id, error: (error as Error).stack })
  }
})
process.on('disconnect', () => process.exit(0))
process.send!({ ready: name })
