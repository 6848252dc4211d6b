import { expect, onTestFinished, test } from 'vitest'
import { StoredQuota } from '../../src/accounts/quota.ts'
import { usageOfAll } from '../../src/accounts/usage.ts'
import { defaultPlans, type PlanId } from '../../src/api/plan.ts'
import { temporaryAccounts } from './temporary-accounts.ts'

const DAY = 86_400_000

async function counted() {
  const given = await temporaryAccounts('2026-07-29T14:30:00Z')
  const onError = (error: unknown) => expect.unreachable(String(error))
  const quota = new StoredQuota(given.database, { now: given.clock.now, onError })
  onTestFinished(() => quota.close())
  const user = async (name: string, plan: PlanId) => {
    const { id } = await given.accounts.users.create({ email: `${name}@example.com`, plan }, 'test')
    return { userId: id, plan: defaultPlans.byId(plan) }
  }
  return { ...given, quota, user }
}

test('the days of an account are those with requests, oldest first, today included before it is written', async () => {
  const { quota, user, clock } = await counted()
  const ann = await user('ann', 'basic')
  expect(await quota.byDay(ann)).toEqual([])
  quota.take(ann)
  quota.take(ann)
  clock.at += 2 * DAY
  await quota.flush()
  quota.take(ann)
  expect(await quota.byDay(ann)).toEqual([
    { date: '2026-07-29', requests: 2, ofPanels: 0 },
    { date: '2026-07-31', requests: 1, ofPanels: 0 }
  ])
  quota.refund(ann)
  expect(await quota.byDay(ann)).toEqual([{ date: '2026-07-29', requests: 2, ofPanels: 0 }])
})

test('the first of 90 days is shown, the one before is not', async () => {
  const { quota, user, clock } = await counted()
  const ann = await user('ann', 'basic')
  quota.take(ann)
  clock.at += DAY
  quota.take(ann)
  await quota.settled()
  clock.at += 88 * DAY
  expect(await quota.byDay(ann)).toHaveLength(2)
  clock.at += DAY
  expect(await quota.byDay(ann)).toEqual([{ date: '2026-07-30', requests: 1, ofPanels: 0 }])
})

test('an unlimited plan is shown its requests too', async () => {
  const { quota, user } = await counted()
  const ann = await user('ann', 'alpha')
  quota.take(ann)
  quota.take(ann)
  expect([quota.used(ann), await quota.byDay(ann)]).toEqual([0, [{ date: '2026-07-29', requests: 2, ofPanels: 0 }]])
})

test('the usage of all users is by day, then by email, and knows no user that was removed', async () => {
  const { quota, user, clock, database, accounts } = await counted()
  const [bob, ann, gone] = [await user('bob', 'free'), await user('ann', 'alpha'), await user('gone', 'free')]
  for (const each of [bob, ann, gone, ann]) quota.take(each)
  clock.at += DAY
  quota.take(bob)
  await quota.settled()
  await quota.flush()
  await accounts.users.remove(gone.userId, 'test')
  const rows = await usageOfAll(database, '2026-07-29', '2026-07-30')
  expect(rows.map(({ date, email, plan, requests }) => [date, email, plan, requests])).toEqual([
    ['2026-07-29', 'ann@example.com', 'alpha', 2],
    ['2026-07-29', 'bob@example.com', 'free', 1],
    ['2026-07-30', 'bob@example.com', 'free', 1]
  ])
  expect(await usageOfAll(database, '2026-07-30', '2026-07-30')).toHaveLength(1)
})
