import { expect, test } from 'vitest'
import type { Database } from '../../src/accounts/database.ts'
import type { Metered } from '../../src/accounts/quota.ts'
import { StoredQuota } from '../../src/accounts/quota.ts'
import { defaultPlans, type PlanId } from '../../src/api/plan.ts'
import { temporaryAccounts } from './temporary-accounts.ts'

const account = (userId: string, plan: PlanId): Metered => ({ userId, plan: defaultPlans.byId(plan) })
const failing = (error: unknown) => {
  throw error
}
const counters = (database: Database, now: () => number, onError: (error: unknown) => void = failing) =>
  new StoredQuota(database, { now, onError })

test('of 1000 requests at once on a plan of 250 exactly 250 are allowed', async () => {
  const { database, clock } = await temporaryAccounts()
  const quota = counters(database, clock.now)
  const answers = await Promise.all(
    Array.from({ length: 1000 }, async (_, i) => {
      await new Promise((resolve) => (i % 2 ? setImmediate(resolve) : setTimeout(resolve, i % 5)))
      return quota.take(account('ann', 'basic'))
    })
  )
  const allowed = answers.filter((answer) => answer.allowed)
  expect(new Set(allowed.map(({ used }) => used))).toEqual(new Set(Array.from({ length: 250 }, (_, i) => i + 1)))
  expect(allowed).toHaveLength(250)
  expect(quota.used(account('ann', 'basic'))).toBe(250)
  await quota.close()
})

test('users are counted apart', async () => {
  const { database, clock } = await temporaryAccounts()
  const quota = counters(database, clock.now)
  for (let i = 0; i < 5; i++) quota.take(account('ann', 'free'))
  expect(quota.take(account('ann', 'free'))).toEqual({ allowed: false, used: 5 })
  expect(quota.take(account('bob', 'free'))).toEqual({ allowed: true, used: 1 })
  await quota.close()
})

test('a refund gives one request back, and never more than were taken', async () => {
  const { database, clock, open } = await temporaryAccounts()
  const quota = counters(database, clock.now)
  const ann = account('ann', 'free')
  for (let i = 0; i < 5; i++) quota.take(ann)
  quota.refund(ann)
  expect(quota.used(ann)).toBe(4)
  expect(quota.take(ann).allowed).toBe(true)
  for (let i = 0; i < 9; i++) quota.refund(ann)
  expect(quota.used(ann)).toBe(0)
  await quota.close()
  expect(counters(await open(), clock.now).used(ann)).toBe(0)
})

test('an unlimited plan always allows and reports 0, and its requests are still counted', async () => {
  const { database, clock, accounts } = await temporaryAccounts()
  const quota = counters(database, clock.now)
  for (let i = 0; i < 7; i++) expect(quota.take(account('ann', 'alpha'))).toEqual({ allowed: true, used: 0 })
  expect(quota.used(account('ann', 'alpha'))).toBe(0)
  await quota.close()
  expect((await accounts.users.usageToday()).get('ann')).toBe(7)
})

test('the count begins anew at 00:00 UTC and the day before keeps its own', async () => {
  const { database, clock } = await temporaryAccounts('2026-07-29T23:59:59.999Z')
  const quota = counters(database, clock.now)
  const ann = account('ann', 'free')
  for (let i = 0; i < 6; i++) quota.take(ann)
  expect(quota.resetsAt()).toBe(Date.parse('2026-07-30T00:00:00Z'))
  clock.at += 1
  expect(quota.used(ann)).toBe(0)
  quota.refund(ann) // of a request that began before midnight: nothing of today to give back
  expect(quota.take(ann)).toEqual({ allowed: true, used: 1 })
  expect(quota.resetsAt()).toBe(Date.parse('2026-07-31T00:00:00Z'))
  await quota.close()
  const rows = await database.read.selectFrom('usage').select(['day', 'count']).orderBy('day').execute()
  expect(rows).toEqual([
    { day: '2026-07-29', count: 5 },
    { day: '2026-07-30', count: 1 }
  ])
})

test('counts survive a restart', async () => {
  const { database, clock, open } = await temporaryAccounts()
  const ann = account('ann', 'free')
  const before = counters(database, clock.now)
  for (let i = 0; i < 3; i++) before.take(ann)
  await before.close()
  await database.close()
  const after = counters(await open(), clock.now)
  expect(after.used(ann)).toBe(3)
  expect([1, 2, 3].map(() => after.take(ann).allowed)).toEqual([true, true, false])
  await after.close()
})

test('counts are written about a second after the first one, without anybody closing', async () => {
  const { accounts, database, clock } = await temporaryAccounts()
  counters(database, clock.now).take(account('ann', 'free'))
  await expect.poll(async () => (await accounts.users.usageToday()).get('ann')).toBe(1)
})

test('where the timer comes late, the first count that is due writes what is a second old', async () => {
  const { accounts, database, clock } = await temporaryAccounts()
  const ann = account('ann', 'free')
  const quota = counters(database, clock.now)
  const written = async () => (await accounts.users.usageToday()).get('ann')
  quota.take(ann)
  clock.at += 999
  quota.take(ann)
  expect(await written()).toBeUndefined()
  clock.at += 1
  quota.take(ann)
  await quota.close()
  expect(await written()).toBe(3)
})

test('two processes on one file add up', async () => {
  const { database, clock, open } = await temporaryAccounts()
  const ann = account('ann', 'free')
  const here = counters(database, clock.now)
  const there = counters(await open(), clock.now)
  for (const quota of [here, there, here]) quota.take(ann)
  expect([await here.flush(), await there.flush()]).toEqual([true, true])
  expect(counters(await open(), clock.now).used(ann)).toBe(3)
})

test('a batch that cannot be written is kept and written later', async () => {
  const { database, clock, open } = await temporaryAccounts()
  const ann = account('ann', 'free')
  const errors: unknown[] = []
  let isBusy = true
  const inBackground = async (sql: string) => (isBusy ? failing(new Error('busy')) : database.inBackground(sql))
  const quota = counters({ ...database, inBackground }, clock.now, (error) => errors.push(error))
  quota.take(ann)
  expect(await quota.flush()).toBe(false)
  expect(errors).toHaveLength(1)
  isBusy = false
  quota.take(ann)
  expect(await quota.flush()).toBe(true)
  expect(counters(await open(), clock.now).used(ann)).toBe(2)
})

test('many users are written in one batch', async () => {
  const { database, clock, open } = await temporaryAccounts()
  const quota = counters(database, clock.now)
  for (let i = 0; i < 2500; i++) quota.take(account(`user-${i}`, 'free'))
  expect(await quota.flush()).toBe(true)
  const again = counters(await open(), clock.now)
  expect(again.used(account('user-0', 'free')) + again.used(account('user-2499', 'free'))).toBe(2)
})

test('counts that come while others are being written are written next, and none twice', async () => {
  const { database, clock } = await temporaryAccounts()
  const quota = counters(database, clock.now)
  const users = Array.from({ length: 1200 }, (_, i) => account(`user-'${i}`, 'free'))
  for (const user of users) quota.take(user)
  clock.at += 1000
  for (const user of users) quota.take(user) // the first begins to write, the others count meanwhile
  expect(await quota.byDay(users[0])).toEqual([{ date: '2026-07-29', requests: 2, ofPanels: 0 }])
  await quota.close()
  const query = database.read.selectFrom('usage')
  const sums = await query.select(({ fn }) => [fn.min('count').as('least'), fn.sum('count').as('all')]).execute()
  expect(sums).toEqual([{ least: 2, all: 2400 }])
})
