import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/accounts/database.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { type Metered, StoredQuota, type Taken } from '../../src/accounts/quota.ts'
import { SharedQuota, type SharedQuotaOptions } from '../../src/accounts/shared-quota.ts'
import type { Sharing } from '../../src/accounts/sharing.ts'
import { defaultPlans, type PlanId } from '../../src/api/plan.ts'
import { hasPostgres, type PostgresServer, patientPool, startPostgres } from '../support/postgres.ts'

const account = (userId: string, plan: PlanId): Metered => ({ userId, plan: defaultPlans.byId(plan) })
const ofPanel = (metered: Metered): Metered => ({ ...metered, panel: { symbol: 'SPY', token: 't' } as never })
const ann = account('ann', 'basic')
const LIMIT = ann.plan.dailyLimit!

describe.runIf(hasPostgres)('requests that several services of one database count', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  /** Databases of new accounts, one for each service. */
  async function databases(count: number): Promise<readonly Database[]> {
    const address = await server.database()
    await migratePostgres(address)
    const open = async () => {
      const database = await openPostgres(address, { pool: patientPool(address) })
      onTestFinished(() => database.close())
      return database
    }
    return Promise.all(Array.from({ length: count }, open))
  }

  function quotaOver(database: Database, more: Partial<SharedQuotaOptions> & { readonly sharing?: Sharing } = {}) {
    const clock = { at: 0, now: () => clock.at }
    const { sharing = database.sharing!, ...options } = more
    const quota = new SharedQuota(sharing, database, {
      unlimited: new StoredQuota(database, { now: Date.now, onError: () => {}, isShared: true }),
      wallNow: Date.now,
      steadyNow: clock.now,
      whenLost: 0,
      patience: 120_000,
      ...options
    })
    onTestFinished(() => quota.close())
    return { quota, clock }
  }

  async function services(count: number, options: Partial<SharedQuotaOptions> = {}) {
    const all = await databases(count)
    return { database: all[0]!, nodes: all.map((database) => quotaOver(database, options)) }
  }

  const counted = async ({ read }: Database, userId = 'ann') => {
    const row = await read
      .selectFrom('usage')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('day', 'desc')
      .execute()
    return row.map(({ count, panel_count }) => ({ count, panel_count }))
  }
  const allowedOf = (taken: readonly Taken[]) => taken.filter(({ allowed }) => allowed).length

  test('are allowed as often as the plan says, whichever service is asked, and then by none', async () => {
    const { nodes, database } = await services(3)
    const ask = async (k: number) => {
      if (k % 3 === 0) await new Promise((resolve) => setTimeout(resolve, k % 50))
      return nodes[k % 3]!.quota.take(ann)
    }
    const first = await Promise.all(Array.from({ length: LIMIT - 20 }, (_, k) => ask(k)))
    expect(allowedOf(first)).toBe(LIMIT - 20)
    for (const { quota } of nodes) await quota.close() // each gives back what it holds
    expect(await counted(database)).toEqual([{ count: LIMIT - 20, panel_count: 0 }])
    const rest = await Promise.all(Array.from({ length: 500 }, (_, k) => nodes[k % 3]!.quota.take(ann)))
    expect(allowedOf(rest)).toBe(20)
    expect(rest.filter(({ allowed }) => !allowed).every(({ isUnknown }) => isUnknown === undefined)).toBe(true)
    expect(nodes.map(({ quota }) => quota.used(ann))).toEqual([LIMIT, LIMIT, LIMIT])
  })

  test('are answered from a block at hand once the user asks often, and what is not used goes to others', async () => {
    const { nodes, database } = await services(2)
    const [here, there] = nodes.map(({ quota }) => quota) as [SharedQuota, SharedQuota]
    expect([here.isAtHand(ann), (await here.take(ann)).used]).toEqual([false, 1])
    for (let k = 0; k < 20; k++) await here.take(ann)
    await expect.poll(() => here.isAtHand(ann)).toBe(true)
    const taken = here.take(ann)
    expect(taken).toEqual({ allowed: true, used: 22 })
    const held = here.unused
    expect(held).toBeGreaterThan(0)
    nodes[0]!.clock.at += 2000
    await expect.poll(() => here.unused).toBe(0)
    await expect.poll(() => counted(database)).toEqual([{ count: 22, panel_count: 0 }])
    expect((await there.take(ann)).used).toBe(23)
  })

  test('that count together are allowed together or not at all', async () => {
    const { nodes, database } = await services(2)
    const [here, there] = nodes.map(({ quota }) => quota) as [SharedQuota, SharedQuota]
    expect(await here.take(ann, LIMIT - 60)).toEqual({ allowed: true, used: LIMIT - 60 })
    expect(await there.take(ann, 61)).toEqual({ allowed: false, used: LIMIT - 60 })
    expect(await there.take(ann, 60)).toEqual({ allowed: true, used: LIMIT })
    here.refund(ann, LIMIT)
    expect(here.used(ann)).toBe(0) // as far as it knows: 60 of the other service came after its last call
    await here.close()
    expect(await counted(database)).toEqual([{ count: 60, panel_count: 0 }])
  })

  test('are counted with those of embedded panels, and on unlimited plans too', async () => {
    const { nodes, database } = await services(1)
    const { quota } = nodes[0]!
    for (let k = 0; k < 3; k++) await quota.take(ofPanel(ann))
    await quota.take(ann)
    quota.refund(ofPanel(ann))
    const bob = account('bob', 'alpha')
    for (let k = 0; k < 5; k++) expect(quota.take(bob)).toEqual({ allowed: true, used: 0 })
    expect((await quota.byDay(bob)).map(({ requests }) => requests)).toEqual([5])
    expect((await quota.byDay(ann)).map(({ requests }) => requests)).toEqual([3])
    await quota.close()
    expect(await counted(database)).toEqual([{ count: 3, panel_count: 2 }])
    expect(await counted(database, 'bob')).toEqual([{ count: 5, panel_count: 0 }])
  })

  test('belong to the day of the database, whatever the clocks of the services say', async () => {
    const all = await databases(2)
    const setClock = (at: string) =>
      sql.raw(
        `CREATE OR REPLACE FUNCTION accounts_now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '${at}'::timestamptz $$`
      )
    await setClock('2026-07-29T23:59:59.000Z').execute(all[0]!.read)
    const skewed = [-3_600_000, 3_600_000].map((skew, k) =>
      quotaOver(all[k]!, { wallNow: () => Date.parse('2026-07-29T23:59:59Z') + skew })
    )
    for (const { quota } of skewed) for (let k = 0; k < 30; k++) expect((await quota.take(ann)).allowed).toBe(true)
    expect(new Set(skewed.map(({ quota }) => quota.resetsAt()))).toEqual(new Set([Date.parse('2026-07-30')]))
    await setClock('2026-07-30T00:00:00.100Z').execute(all[0]!.read)
    for (const { clock } of skewed) clock.at += 1100
    const taken = await Promise.all(Array.from({ length: 600 }, (_, k) => skewed[k % 2]!.quota.take(ann)))
    expect(allowedOf(taken)).toBe(LIMIT)
    for (const { quota } of skewed) quota.refund(ann, 1000) // each at most what it answered, whichever got more
    for (const { quota } of skewed) await quota.close()
    expect((await counted(all[0]!)).map(({ count }) => count)).toEqual([0, 60])
  })

  test('follow a plan that changes', async () => {
    const { nodes } = await services(1)
    const { quota } = nodes[0]!
    for (let k = 0; k < 20; k++) await quota.take(ann)
    await expect.poll(() => quota.isAtHand(ann)).toBe(true)
    const free = account('ann', 'free')
    expect([quota.isAtHand(free), (await quota.take(free)).allowed]).toEqual([false, false])
    expect((await quota.take(ann)).used).toBe(21)
  })

  describe('while the database is silent', () => {
    /** A service whose calls reach the database, and fail before or after that. */
    async function faulty(options: Partial<SharedQuotaOptions> = {}) {
      const [database, other] = (await databases(2)) as [Database, Database]
      const faults = { before: false, after: false }
      const sharing: Sharing = {
        ...database.sharing!,
        async reserve(asked) {
          if (faults.before) throw new Error('not sent')
          const granted = await database.sharing!.reserve(asked)
          if (faults.after) throw new Error('not answered')
          return granted
        }
      }
      return { database, faults, ...quotaOver(database, { sharing, ...options }), other: quotaOver(other).quota }
    }

    test('are answered while a block has some, then refused at once as unknown, and allowed again after', async () => {
      const { quota, faults } = await faulty()
      for (let k = 0; k < 40; k++) await quota.take(ann)
      await expect.poll(() => quota.isAtHand(ann)).toBe(true)
      faults.before = true
      const taken: Taken[] = []
      while (quota.isAtHand(ann)) taken.push(await quota.take(ann))
      expect(allowedOf(taken)).toBe(taken.length)
      expect(await quota.take(ann)).toMatchObject({ allowed: false, isUnknown: true })
      expect(quota.take(ann)).toMatchObject({ allowed: false, isUnknown: true })
      faults.before = false
      await expect.poll(async () => (await quota.take(ann)).allowed).toBe(true)
    })

    test('are answered up to the number that the operator gave, and counted afterwards', async () => {
      const { quota, faults, database, clock } = await faulty({ whenLost: 7 })
      await quota.take(ann)
      faults.before = true
      const taken = await Promise.all(Array.from({ length: 20 }, () => quota.take(ann)))
      expect(allowedOf(taken)).toBe(7)
      expect(quota.used(ann)).toBe(8)
      faults.before = false
      clock.at += 2000
      await expect.poll(async () => (await counted(database))[0]!.count).toBe(8)
      expect((await quota.take(ann)).used).toBe(9)
    })

    test('a call whose outcome is unknown gives nothing away', async () => {
      const { quota, faults, other, clock } = await faulty()
      let allowed = 0
      for (let k = 0; k < 40; k++) allowed += (await quota.take(ann)).allowed ? 1 : 0
      clock.at += 2000
      await expect.poll(() => quota.unused).toBe(0)
      faults.after = true
      quota.refund(ann, 30)
      allowed -= 30
      await expect.poll(() => quota.unused).toBe(0) // it was given back, in a call that was not answered
      faults.after = false
      await expect.poll(async () => (await quota.take(ann)).allowed).toBe(true)
      allowed++
      const more = await Promise.all(Array.from({ length: 400 }, (_, k) => (k % 2 === 0 ? quota : other).take(ann)))
      allowed += allowedOf(more)
      expect(allowed).toBeLessThanOrEqual(LIMIT)
      expect(allowed).toBeGreaterThan(LIMIT - 70)
    })

    test('a request waits for a while, not for the connection', async () => {
      const [database] = (await databases(1)) as [Database]
      const never: Sharing = { ...database.sharing!, reserve: () => new Promise(() => {}) }
      const { quota } = {
        quota: new SharedQuota(never, database, {
          unlimited: new StoredQuota(database, { now: Date.now, onError: () => {} }),
          wallNow: Date.now,
          steadyNow: () => performance.now(),
          whenLost: 0,
          patience: 20
        })
      }
      expect(await quota.take(ann)).toEqual({ allowed: false, used: 0, isUnknown: true })
    })
  })
})
