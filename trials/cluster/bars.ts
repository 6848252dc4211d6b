import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Accounts } from '../../src/accounts/accounts.ts'
import { Firings } from '../../src/accounts/alerts/firings.ts'
import type { AlertRule } from '../../src/accounts/alerts/rule.ts'
import { AlertRules } from '../../src/accounts/alerts/rules.ts'
import { Webhooks } from '../../src/accounts/alerts/webhooks.ts'
import type { Database } from '../../src/accounts/database.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { type LinkState, linkTo } from '../../test/support/link.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import { type Member, startMembers } from './members.ts'

/** Result of a part of the trial: sentences about faults, and figures to print. */
export interface Found {
  readonly faults: readonly string[]
  readonly figures: Readonly<Record<string, number>>
}

const MEMBERS = 3

/** Runs a part of the trial on new accounts and ends its members, however it ends. */
async function onAccounts(
  server: PostgresServer,
  work: (
    database: Database,
    start: (onNews?: (news: never) => void, address?: string) => Promise<Member[]>,
    address: string
  ) => Promise<Found>
): Promise<Found> {
  const address = await server.database()
  await migratePostgres(address)
  const database = await openPostgres(address)
  const all: Member[] = []
  const start = async (onNews?: (news: never) => void, at = address) => {
    const members = await startMembers(at, MEMBERS, onNews as never)
    all.push(...members)
    return members
  }
  try {
    return await work(database, start, address)
  } finally {
    await Promise.all(all.map((member) => member.end()))
    await database.close()
  }
}

async function countedOf({ read }: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await read.selectFrom('usage').select(['user_id', 'count']).execute()
  return new Map(rows.map(({ user_id, count }) => [user_id, count]))
}

/** Requests at once over all members, on limits from a few to more than half of them: as many are allowed as the limit. */
export function races(server: PostgresServer, seeds: number, requests: number): Promise<Found> {
  return onAccounts(server, async (database, start) => {
    const members = await start()
    const faults: string[] = []
    let calls = 0
    for (let seed = 1; seed <= seeds; seed++) {
      const user = `racer-${seed}`
      const limit = [5, 70, 1000, Math.floor(requests / 2), Math.floor(requests * 0.9)][seed % 5]!
      const ask = (of: number) =>
        Promise.all(
          members.map((member) =>
            member.run<{ allowed: number; calls: number }>('burst', { user, limit, requests: Math.ceil(of / MEMBERS) })
          )
        )
      const allowedOf = (found: readonly { allowed: number }[]) => found.reduce((sum, { allowed }) => sum + allowed, 0)
      const first = await ask(requests)
      calls += first.reduce((sum, each) => sum + each.calls, 0)
      let allowed = allowedOf(first)
      // Requests that a member holds and does not use go back within some seconds and can be asked for again.
      for (let k = 0; allowed < limit && k < 12; k++) {
        await pause(250)
        allowed += allowedOf(await ask(Math.min(requests, 2 * limit)))
      }
      const counted = (await countedOf(database)).get(user)
      if (allowed !== limit) faults.push(`seed ${seed}: ${allowed} of ${limit} were allowed`)
      if (counted !== limit) faults.push(`seed ${seed}: ${counted} are counted, ${limit} were allowed`)
    }
    return { faults, figures: { seeds, requests, calls } }
  })
}

interface Slot {
  readonly at: number
  readonly allowed: number
  readonly unknown: number
  readonly slowest: number
}

interface Steady {
  readonly slots: readonly Slot[]
  readonly allowed: Readonly<Record<string, number>>
}

/** The database away for a while under steady requests: nobody is above a limit, and requests are allowed soon after. */
export function outage(server: PostgresServer, seconds: number, state: LinkState, whenLost: number): Promise<Found> {
  return onAccounts(server, async (database, start, address) => {
    const link = await linkTo(Number(new URL(address).port))
    const through = new URL(address)
    through.port = `${link.port}`
    try {
      const members = await start(undefined, through.href)
      const limit = 600
      const options = { users: 100, limit, perSecond: 100, seconds: seconds + 12, whenLost }
      const running = Promise.all(members.map((member) => member.run<Steady>('steady', options)))
      await pause(5000)
      link.set(state)
      await pause(seconds * 1000)
      link.set('pass')
      const passedAt = Date.now()
      const found = await running
      await Promise.all(members.map((member) => member.run('close')))
      const faults: string[] = []
      const allowed = new Map<string, number>()
      for (const each of found) {
        for (const [user, count] of Object.entries(each.allowed)) allowed.set(user, (allowed.get(user) ?? 0) + count)
      }
      const most = limit + (whenLost > 0 ? whenLost * MEMBERS : 0)
      for (const [user, count] of allowed) if (count > most) faults.push(`${user} was allowed ${count} of ${most}`)
      const counted = await countedOf(database)
      for (const [user, count] of allowed) {
        if (count > counted.get(user)!) faults.push(`${user} was allowed ${count}, ${counted.get(user)} are counted`)
      }
      const slots = found.flatMap((each) => each.slots)
      const back = found.map(({ slots }) => slots.find(({ at, allowed }) => at >= passedAt && allowed > 0))
      const backAfter = Math.max(...back.map((slot) => (slot?.at ?? Number.POSITIVE_INFINITY) - passedAt))
      if (!(backAfter <= 1000)) faults.push(`requests were allowed again after ${backAfter} ms`)
      const sum = (name: 'allowed' | 'unknown') => slots.reduce((total, slot) => total + slot[name], 0)
      const slowest = Math.max(...slots.map((slot) => slot.slowest))
      return { faults, figures: { seconds, allowed: sum('allowed'), unknown: sum('unknown'), backAfter, slowest } }
    } finally {
      await link.close()
    }
  })
}

/** Revoked keys, and how long each member goes on believing in one. */
export function revocations(server: PostgresServer, count: number, isNotified: boolean): Promise<Found> {
  return onAccounts(server, async (database, start) => {
    const accounts = new Accounts(database, defaultPlans)
    const user = await accounts.users.create({ email: 'a@example.com', plan: 'alpha' }, 'trial')
    const made: { readonly id: string; readonly key: string }[] = []
    for (let k = 0; k < count; k++) made.push(await accounts.keys.create(user, '', 'trial'))
    const seen = new Map<string, number[]>()
    const members = await start(({ key, at }: { key: string; at: number }) => {
      seen.set(key, [...(seen.get(key) ?? []), at])
    })
    const keys = made.map(({ key }) => key)
    const known = await Promise.all(members.map((member) => member.run<number>('watch', { keys, isNotified })))
    const faults = known.flatMap((working, k) => (working === count ? [] : [`member ${k} knows ${working} keys`]))
    if (isNotified) await pause(1000)
    const revokedAt = new Map<string, number>()
    for (const { id, key } of made) {
      await accounts.keys.revoke(id, 'trial')
      revokedAt.set(key, Date.now())
    }
    await pause(3000)
    const delays = [...revokedAt].flatMap(([key, at]) =>
      (seen.get(key) ?? []).map((seenAt) => Math.max(0, seenAt - at))
    )
    delays.sort((a, b) => a - b)
    if (delays.length !== count * MEMBERS) faults.push(`${delays.length} of ${count * MEMBERS} revocations were seen`)
    const most = delays.at(-1) ?? Number.POSITIVE_INFINITY
    if (most > 1000) faults.push(`a revoked key was believed for ${most} ms`)
    return { faults, figures: { count, median: delays[delays.length >> 1] ?? Number.NaN, most } }
  })
}

const ruleOf = (userId: string, webhookId: string): AlertRule => ({
  id: randomUUID(),
  userId,
  symbol: 'SPY',
  metric: 'exposure.gex.net_gex',
  params: {},
  condition: 'crosses',
  value: 0,
  repeat: 'each_time',
  note: undefined,
  webhookId,
  state: 'armed',
  pausedBecause: undefined,
  createdAt: Date.now(),
  memory: { side: undefined, reference: undefined },
  lastValue: undefined,
  lastValueAt: undefined,
  lastFiredAt: undefined,
  firedCount: 0,
  version: 0
})

/** Every member evaluates every rule on the same values, then all send what fired and one is killed in between. */
export function alerts(server: PostgresServer, rules: number, looks: number): Promise<Found> {
  return onAccounts(server, async (database, start) => {
    const accounts = new Accounts(database, defaultPlans)
    const { id: userId } = await accounts.users.create({ email: 'a@example.com', plan: 'alpha' }, 'trial')
    const stored = new AlertRules(database)
    const webhook = await database.durably(async (tx) => {
      const { id } = await new Webhooks(database, Date.now).add(userId, 'https://example.com/', 'secret', tx)
      for (let k = 0; k < rules; k++) await stored.add(ruleOf(userId, id), tx)
      return id
    })
    const sent = new Map<string, number>()
    const members = await start(({ sent: id }: { sent: string }) => sent.set(id, (sent.get(id) ?? 0) + 1))
    const fired = await Promise.all(members.map((member) => member.run<number>('evaluate', { looks })))
    const rows = await database.read.selectFrom('alert_firings').select(['id', 'alert_id', 'body']).execute()
    const moments = new Set(rows.map(({ alert_id, body }) => `${alert_id} ${JSON.parse(body).data.as_of}`))
    const faults: string[] = []
    if (moments.size !== rows.length) faults.push(`${rows.length - moments.size} of ${rows.length} firings came twice`)
    const total = fired.reduce((sum, count) => sum + count, 0)
    if (total !== rows.length) faults.push(`members fired ${total} times, ${rows.length} firings are stored`)
    if (rows.length === 0) faults.push('nothing fired')
    const delivering = members.map((member, k) =>
      member.run<number>('deliver', { webhook, dieAfter: k === 0 ? 3 : 0 }).catch(() => 0)
    )
    while (sent.size < Math.min(5, rows.length)) await pause(20)
    await pause(500)
    await members[0]!.end()
    await Promise.all(delivering.slice(1))
    const missing = rows.filter(({ id }) => !sent.has(id)).length
    const waiting = (await new Firings(database).waiting()).length
    if (missing > 0 || waiting > 0) faults.push(`${missing} of ${rows.length} firings were never sent`)
    const twice = [...sent.values()].filter((times) => times > 1).length
    if (twice > 1) faults.push(`${twice} firings were sent twice, one member was killed`)
    return { faults, figures: { firings: rows.length, looks: rules * looks, sentTwice: twice } }
  })
}

/** Milliseconds that a grant for one user takes, one after the other on one member. */
export function grantTimes(server: PostgresServer, count: number): Promise<Found> {
  return onAccounts(server, async (_database, start) => {
    const [member] = await start()
    await member!.run('times', { count: 50 })
    const found = await member!.run<number[]>('times', { count })
    const at = (share: number) => Number(found[Math.floor(found.length * share)]!.toFixed(2))
    return { faults: [], figures: { count, median: at(0.5), p99: at(0.99) } }
  })
}
