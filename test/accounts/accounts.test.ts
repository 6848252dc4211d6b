import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { expect, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { statement } from '../../src/accounts/accounts-schema.ts'
import { auditTrail } from '../../src/accounts/audit.ts'
import { isWellFormed, newKey } from '../../src/accounts/key.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { parsePlans } from '../../src/api/plan-file.ts'
import { planFile } from '../api/plan-file-example.ts'
import { openedDatabase, temporaryAccounts } from './temporary-accounts.ts'

test('a key leads to the account of its user', () => {
  const { accounts } = temporaryAccounts()
  const user = accounts.users.create({ email: 'Ann@Example.com', plan: 'growth' }, 'test')
  const { key, id } = accounts.keys.create(user, 'laptop', 'test')
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

test('a key that nobody was given, a malformed one and an empty text lead to nobody', () => {
  const { accounts } = temporaryAccounts()
  for (const text of [newKey(), newKey().slice(0, -1) + '!', '', 'x'.repeat(100_000)]) {
    expect(accounts.find(text)).toBeUndefined()
  }
})

test('a connection may change its key, and a key that is revoked leads nowhere by an old connection either', () => {
  const { accounts, clock } = temporaryAccounts()
  const connection = {}
  const made = ['ann', 'ben'].map((name) => {
    const user = accounts.users.create({ email: `${name}@example.com`, plan: 'growth' }, 'test')
    return accounts.keys.create(user, '', 'test')
  })
  for (const { key, id } of [made[0], made[0], made[1], made[0]]) {
    expect(accounts.find(key, connection)?.keyId).toBe(id)
  }
  accounts.keys.revoke(made[0].id, 'test')
  clock.at += 999
  expect(accounts.find(made[0].key, connection)).toBeUndefined()
  expect(accounts.find(made[1].key, connection)?.keyId).toBe(made[1].id)
})

test('a subscription from before 2026-03-20 keeps its same-day access, one from that day on does not', () => {
  const { accounts } = temporaryAccounts()
  const found = ['2026-03-19', '2026-03-20'].map((subscribedOn, i) => {
    const user = accounts.users.create({ email: `${i}@example.com`, plan: 'free', subscribedOn }, 'test')
    return accounts.find(accounts.keys.create(user, '', 'test').key)?.grandfathered
  })
  expect(found).toEqual([true, false])
})

test('a key works at once although it was asked for before it was made', () => {
  const { accounts, clock } = temporaryAccounts()
  const user = accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const key = newKey()
  expect(accounts.find(key)).toBeUndefined()
  accounts.keys.create(user, '', 'test', { key })
  clock.at += 500
  expect(accounts.find(key)?.email).toBe('a@example.com')
})

test('a key revoked by another process stops working within a second, and a new plan takes hold', () => {
  const { accounts, clock, folder } = temporaryAccounts()
  const user = accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const [kept, lost] = ['kept', 'lost'].map((name) => accounts.keys.create(user, name, 'test'))
  expect([accounts.find(kept.key), accounts.find(lost.key)].every(Boolean)).toBe(true)

  const elsewhere = new Accounts(openedDatabase(folder), defaultPlans)
  elsewhere.keys.revoke(lost.id, 'other process')
  elsewhere.users.setPlan('a@example.com', 'alpha', 'other process')
  clock.at += 999
  expect(accounts.find(lost.key)).toBeUndefined()
  expect(accounts.find(kept.key)?.plan.id).toBe('alpha')
})

test('a change by another process leaves what is known of all others', () => {
  const { accounts, database, clock, folder } = temporaryAccounts()
  const keys = ['a', 'b', 'c'].map((name) => {
    const user = accounts.users.create({ email: `${name}@example.com`, plan: 'free' }, 'test')
    return accounts.keys.create(user, '', 'test').key
  })
  const before = keys.map((key) => accounts.find(key))
  const elsewhere = new Accounts(openedDatabase(folder), defaultPlans)
  elsewhere.users.setPlan('b@example.com', 'alpha', 'other process')
  elsewhere.users.create({ email: 'd@example.com', plan: 'free' }, 'other process')
  // Counts are written by this process each second, on a connection of their own.
  database.transaction(() =>
    database.run(database.build.insertInto('usage').values({ user_id: 'a', day: '1', count: 1, panel_count: 0 }))
  )
  clock.at += 500
  const after = keys.map((key) => accounts.find(key))
  expect(after.map((account, k) => account === before[k])).toEqual([true, false, true])
  expect(after[1]?.plan.id).toBe('alpha')
})

test('a change without this program, by a database tool, is noticed too', () => {
  const { accounts, clock, folder } = temporaryAccounts()
  const user = accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  accounts.bundles.grant(user, { blocks: 1 }, 'test')
  const { key, id } = accounts.keys.create(user, '', 'test')
  expect([accounts.find(key)?.keyId, accounts.bundles.of(accounts.find(key)!)?.blocks]).toEqual([id, 1])
  const tool = new Sqlite(join(folder, 'accounts.db'))
  tool.exec("UPDATE keys SET revoked_at = '2026-07-29T00:00:00Z'; UPDATE bundles SET blocks = 3")
  tool.close()
  clock.at += 500
  expect([accounts.find(key), accounts.findById(id), accounts.bundles.of({ userId: user.id })?.blocks]).toEqual([
    undefined,
    undefined,
    3
  ])
})

test('more changes than are remembered empty what is known', () => {
  const { accounts, clock, folder } = temporaryAccounts()
  const user = accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const { key } = accounts.keys.create(user, '', 'test')
  expect(accounts.find(key)?.plan.id).toBe('free')
  const elsewhere = openedDatabase(folder)
  elsewhere.durably(() => {
    elsewhere.run(elsewhere.build.updateTable('users').set({ plan: 'alpha' }))
    const numbers = 'WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 11000)'
    elsewhere.run(statement(`INSERT INTO account_changes (user_id) ${numbers} SELECT 'other' FROM n`))
  })
  clock.at += 500
  expect(accounts.find(key)?.plan.id).toBe('alpha')
  expect(elsewhere.rows(elsewhere.build.selectFrom('account_changes').select('number'))).toHaveLength(10_000)
})

test('a change is told at once, one of another process when it is looked for', () => {
  const { accounts, folder } = temporaryAccounts()
  let told = 0
  accounts.onChange(() => told++)
  const user = accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const { id } = accounts.keys.create(user, '', 'test')
  expect(told).toBe(1) // a user without a key is known to nobody
  const elsewhere = new Accounts(openedDatabase(folder), defaultPlans)
  elsewhere.keys.revoke(id, 'other process')
  expect(told).toBe(1)
  accounts.refresh()
  accounts.refresh()
  expect([told, accounts.findById(id)]).toEqual([2, undefined])
})

test('the keys of a removed user stop working', () => {
  const { accounts, clock, database } = temporaryAccounts()
  const user = accounts.users.create({ email: 'a@example.com', plan: 'free' }, 'test')
  const { key } = accounts.keys.create(user, '', 'test')
  expect(accounts.find(key)).toBeDefined()
  accounts.users.remove('A@example.com', 'test')
  clock.at += 999
  expect(accounts.find(key)).toBeUndefined()
  expect(accounts.keys.list()).toEqual([])
  expect(auditTrail(database, 1)).toMatchObject([{ actor: 'test', target: 'a@example.com' }])
})

test('a user whose plan was dropped from the plans file falls to the least plan', () => {
  const { accounts, folder } = temporaryAccounts()
  const sold = parsePlans([...planFile(), { ...planFile()[1], id: 'pro', name: 'Pro', rank: 15 }])
  const before = new Accounts(openedDatabase(folder), sold)
  const { key } = before.keys.create(before.users.create({ email: 'a@b.c', plan: 'pro' }, 'test'), '', 'test')
  expect(before.find(key)?.plan.id).toBe('pro')
  expect(accounts.find(key)?.plan.id).toBe('free')
})

test('a hint names a key only while one working key has it', () => {
  const { accounts } = temporaryAccounts()
  const user = accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
  const { id, key, hint } = accounts.keys.create(user, '', 'test')
  expect(hint).toBe(key.slice(-4))
  expect(accounts.keys.revoke(hint, 'test').revokedAt).toBe('2026-07-29T14:30:00.000Z')
  expect(() => accounts.keys.revoke(id, 'test')).toThrow('was revoked before')
  expect(() => accounts.keys.revoke('none', 'test')).toThrow('there is no key')
  const first = accounts.keys.create(user, 'one', 'test', { key: `${newKey().slice(0, -4)}same` })
  accounts.keys.create(user, 'two', 'test', { key: `${newKey().slice(0, -4)}same` })
  expect(() => accounts.keys.revoke('same', 'test')).toThrow(first.id)
})

test.each([
  ['not an address', { email: 'nobody', plan: 'free' }],
  ['an address with a line break', { email: 'a@b.c\nd', plan: 'free' }],
  ['an unknown plan', { email: 'a@b.c', plan: 'gold' }],
  ['a date that does not exist', { email: 'a@b.c', plan: 'free', subscribedOn: '2026-02-30' }],
  ['an address that is taken', { email: 'TAKEN@b.c', plan: 'free' }]
])('a user with %s is refused, and nothing is kept of the attempt', (_, wanted) => {
  const { accounts, database } = temporaryAccounts()
  accounts.users.create({ email: 'taken@b.c', plan: 'free' }, 'test')
  expect(() => accounts.users.create(wanted, 'test')).toThrow(Error)
  expect(accounts.users.list()).toHaveLength(1)
  expect(auditTrail(database, 10)).toHaveLength(1)
})

test('several changes made together are all undone when one of them fails', () => {
  const { accounts, database } = temporaryAccounts()
  const attempt = () =>
    accounts.atomically(() => {
      const user = accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
      accounts.keys.create(user, 'x'.repeat(101), 'test')
    })
  expect(attempt).toThrow('name of a key')
  expect([...accounts.users.list(), ...auditTrail(database, 10)]).toEqual([])
})

test('no file holds a key in clear, and only the owner may read them', () => {
  const { accounts, database, folder } = temporaryAccounts()
  const user = accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
  const { key } = accounts.keys.create(user, 'laptop', 'test')
  expect(isWellFormed(key)).toBe(true)
  const seen = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join()
  expect(seen()).toContain('laptop')
  expect(seen()).not.toContain(key.slice(8, 30))
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  database.close()
  expect(seen()).not.toContain(key.slice(8, 30))
})
