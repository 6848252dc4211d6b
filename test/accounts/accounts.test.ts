import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { auditTrail } from '../../src/accounts/audit.ts'
import type { NewKey } from '../../src/accounts/issued-keys.ts'
import { isWellFormed, newKey } from '../../src/accounts/key.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { parsePlans } from '../../src/api/plan-file.ts'
import { planFile } from '../api/plan-file-example.ts'
import { temporaryAccounts, testOfFile } from './temporary-accounts.ts'

test('a key leads to the account of its user', async () => {
  const { accounts } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'Ann@Example.com', plan: 'growth' }, 'test')
  const { key, id } = await accounts.keys.create(user, 'laptop', 'test')
  expect(accounts.find(key)).toEqual({
    userId: user.id,
    email: 'ann@example.com',
    plan: defaultPlans.byId('growth'),
    subscribedOn: '2026-07-29',
    grandfathered: false,
    keyId: id,
    keyHint: key.slice(-4),
    role: 'user',
    endsAt: undefined
  })
  expect(accounts.find(key)).toBe(accounts.find(key))
})

test('a key that nobody was given, a malformed one and an empty text lead to nobody', async () => {
  const { accounts } = await temporaryAccounts()
  for (const text of [newKey(), newKey().slice(0, -1) + '!', '', 'x'.repeat(100_000)]) {
    expect(accounts.find(text)).toBeUndefined()
  }
})

test('a connection may change its key, and a key that is revoked leads nowhere by an old connection either', async () => {
  const { accounts, seen } = await temporaryAccounts()
  const connection = {}
  const made: NewKey[] = []
  for (const name of ['ann', 'ben']) {
    const user = await accounts.users.create({ email: `${name}@example.com`, plan: 'growth' }, 'test')
    made.push(await accounts.keys.create(user, '', 'test'))
  }
  for (const { key, id } of [made[0], made[0], made[1], made[0]]) {
    expect(accounts.find(key, connection)?.keyId).toBe(id)
  }
  await accounts.keys.revoke(made[0].id, 'test')
  await seen(999)
  expect(accounts.find(made[0].key, connection)).toBeUndefined()
  expect(accounts.find(made[1].key, connection)?.keyId).toBe(made[1].id)
})

test('a subscription from before 2026-03-20 keeps its same-day access, one from that day on does not', async () => {
  const { accounts } = await temporaryAccounts()
  const found: unknown[] = []
  for (const subscribedOn of ['2026-03-19', '2026-03-20']) {
    const user = await accounts.users.create({ email: `${subscribedOn}@b.c`, plan: 'free', subscribedOn }, 'test')
    found.push(accounts.find((await accounts.keys.create(user, '', 'test')).key)?.grandfathered)
  }
  expect(found).toEqual([true, false])
})

test('a key works at once although it was asked for before it was made', async () => {
  const { accounts, seen } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const key = newKey()
  expect(accounts.find(key)).toBeUndefined()
  await accounts.keys.create(user, '', 'test', { key })
  await seen(500)
  expect(accounts.find(key)?.email).toBe('a@example.com')
})

test('a key revoked by another process stops working within a second, and a new plan takes hold', async () => {
  const { accounts, open, seen } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const kept = await accounts.keys.create(user, 'kept', 'test')
  const lost = await accounts.keys.create(user, 'lost', 'test')
  expect([accounts.find(kept.key), accounts.find(lost.key)].every(Boolean)).toBe(true)

  const elsewhere = new Accounts(await open(), defaultPlans)
  await elsewhere.keys.revoke(lost.id, 'other process')
  await elsewhere.users.setPlan('a@example.com', 'alpha', 'other process')
  await seen(999)
  expect(accounts.find(lost.key)).toBeUndefined()
  expect(accounts.find(kept.key)?.plan.id).toBe('alpha')
})

test('a change by another process leaves what is known of all others', async () => {
  const { accounts, database, open, seen } = await temporaryAccounts()
  const keys: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const user = await accounts.users.create({ email: `${name}@example.com`, plan: 'free' }, 'test')
    keys.push((await accounts.keys.create(user, '', 'test')).key)
  }
  const before = keys.map((key) => accounts.find(key))
  const elsewhere = new Accounts(await open(), defaultPlans)
  await elsewhere.users.setPlan('b@example.com', 'alpha', 'other process')
  await elsewhere.users.create({ email: 'd@example.com', plan: 'free' }, 'other process')
  // Counts are written by this process each second, on a connection of their own.
  const counted = { user_id: 'a', day: '1', count: 1, panel_count: 0 }
  await database.batch((tx) => tx.insertInto('usage').values(counted).execute())
  await seen(500)
  const after = keys.map((key) => accounts.find(key))
  expect(after.map((account, k) => account === before[k])).toEqual([true, false, true])
  expect(after[1]?.plan.id).toBe('alpha')
})

test('a change without this program, by a database tool, is noticed too', async () => {
  const { accounts, open, seen } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  await accounts.bundles.grant(user, { blocks: 1 }, 'test')
  const { key, id } = await accounts.keys.create(user, '', 'test')
  expect([accounts.find(key)?.keyId, accounts.bundles.of(accounts.find(key)!)?.blocks]).toEqual([id, 1])
  const tool = (await open()).read
  await sql`UPDATE keys SET revoked_at = '2026-07-29T00:00:00Z'`.execute(tool)
  await sql`UPDATE bundles SET blocks = 3`.execute(tool)
  await seen(500)
  expect([accounts.find(key), accounts.findById(id), accounts.bundles.of({ userId: user.id })?.blocks]).toEqual([
    undefined,
    undefined,
    3
  ])
})

test('more changes than are remembered empty what is known', async () => {
  const { accounts, open, seen } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const { key } = await accounts.keys.create(user, '', 'test')
  expect(accounts.find(key)?.plan.id).toBe('free')
  const elsewhere = await open()
  await elsewhere.durably(async (tx) => {
    await tx.updateTable('users').set({ plan: 'alpha' }).execute()
    const numbers = 'WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 11000)'
    await sql.raw(`INSERT INTO account_changes (user_id) ${numbers} SELECT 'other' FROM n`).execute(tx)
  })
  await seen(500)
  expect(accounts.find(key)?.plan.id).toBe('alpha')
  const kept = await elsewhere.read.selectFrom('account_changes').select('number').execute()
  expect(kept).toHaveLength(10_000)
})

test('a change is told at once, one of another process when it is looked for', async () => {
  const { accounts, open } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  let told = 0
  accounts.onChange(() => told++)
  const { id } = await accounts.keys.create(user, '', 'test')
  expect(told).toBe(1)
  const elsewhere = new Accounts(await open(), defaultPlans)
  await elsewhere.keys.revoke(id, 'other process')
  expect(told).toBe(1)
  await accounts.refresh()
  await accounts.refresh()
  expect([told, accounts.findById(id)]).toEqual([2, undefined])
})

test('the keys of a removed user stop working', async () => {
  const { accounts, database, seen } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const { key } = await accounts.keys.create(user, '', 'test')
  expect(accounts.find(key)).toBeDefined()
  await accounts.users.remove('A@example.com', 'test')
  await seen(999)
  expect(accounts.find(key)).toBeUndefined()
  expect(await accounts.keys.list()).toEqual([])
  expect(await auditTrail(database, 1)).toMatchObject([{ actor: 'test', target: 'a@example.com' }])
})

test('a user whose plan was dropped from the plans file falls to the least plan', async () => {
  const { accounts, open, seen } = await temporaryAccounts()
  const sold = parsePlans([...planFile(), { ...planFile()[1], id: 'pro', name: 'Pro', rank: 15 }])
  const before = new Accounts(await open(), sold)
  const { key } = await before.keys.create(
    await before.users.create({ email: 'a@b.c', plan: 'pro' }, 'test'),
    '',
    'test'
  )
  expect(before.find(key)?.plan.id).toBe('pro')
  await seen(500)
  expect(accounts.find(key)?.plan.id).toBe('free')
})

test('a hint names a key only while one working key has it', async () => {
  const { accounts } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
  const { id, key, hint } = await accounts.keys.create(user, '', 'test')
  expect(hint).toBe(key.slice(-4))
  expect((await accounts.keys.revoke(hint, 'test')).revokedAt).toBe('2026-07-29T14:30:00.000Z')
  await expect(accounts.keys.revoke(id, 'test')).rejects.toThrow('was revoked before')
  await expect(accounts.keys.revoke('none', 'test')).rejects.toThrow('there is no key')
  const first = await accounts.keys.create(user, 'one', 'test', { key: `${newKey().slice(0, -4)}same` })
  await accounts.keys.create(user, 'two', 'test', { key: `${newKey().slice(0, -4)}same` })
  await expect(accounts.keys.revoke('same', 'test')).rejects.toThrow(first.id)
})

test.each([
  ['not an address', { email: 'nobody', plan: 'free' }],
  ['an address with a line break', { email: 'a@b.c\nd', plan: 'free' }],
  ['an unknown plan', { email: 'a@b.c', plan: 'gold' }],
  ['a date that does not exist', { email: 'a@b.c', plan: 'free', subscribedOn: '2026-02-30' }],
  ['an address that is taken', { email: 'TAKEN@b.c', plan: 'free' }]
])('a user with %s is refused, and nothing is kept of the attempt', async (_, wanted) => {
  const { accounts, database } = await temporaryAccounts()
  await accounts.users.create({ email: 'taken@b.c', plan: 'free' }, 'test')
  await expect(accounts.users.create(wanted, 'test')).rejects.toThrow(Error)
  expect(await accounts.users.list()).toHaveLength(1)
  expect(await auditTrail(database, 10)).toHaveLength(1)
})

test('several changes made together are all undone when one of them fails', async () => {
  const { accounts, database } = await temporaryAccounts()
  const attempt = () =>
    accounts.atomically(async (tx) => {
      const user = await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test', tx)
      await accounts.keys.create(user, 'x'.repeat(101), 'test', {}, tx)
    })
  await expect(attempt()).rejects.toThrow('name of a key')
  expect([await accounts.users.list(), await auditTrail(database, 10)]).toEqual([[], []])
})

testOfFile('no file holds a key in clear, and only the owner may read them', async () => {
  const { accounts, database, folder } = await temporaryAccounts()
  const user = await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
  const { key } = await accounts.keys.create(user, 'laptop', 'test')
  expect(isWellFormed(key)).toBe(true)
  const written = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join()
  expect(written()).toContain('laptop')
  expect(written()).not.toContain(key.slice(8, 30))
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  await database.close()
  expect(written()).not.toContain(key.slice(8, 30))
})
