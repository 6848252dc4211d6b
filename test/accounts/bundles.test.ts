import { join } from 'node:path'
import Sqlite from 'libsql'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { accountMigrations } from '../../src/accounts/accounts-schema.ts'
import { auditTrail } from '../../src/accounts/audit.ts'
import { ensureDemoKeys } from '../../src/accounts/demo-keys.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { openedDatabase, temporaryAccounts, testOfFile, withoutChangeLog } from './temporary-accounts.ts'

async function withListener() {
  const given = await temporaryAccounts()
  const user = await given.accounts.users.create({ email: 'ann@example.com', plan: 'free' }, 'test')
  return { ...given, user, bundles: given.accounts.bundles, account: { userId: user.id } }
}

describe('a streaming bundle', () => {
  test('is shared by all keys of its user, whatever their plan', async () => {
    const { accounts, bundles, user } = await withListener()
    await bundles.grant(user, { blocks: 2 }, 'test')
    const found: unknown[] = []
    for (const name of ['one', 'two']) {
      const { key } = await accounts.keys.create(user, name, 'test')
      found.push(bundles.of(accounts.find(key)!))
    }
    expect(found[0]).toMatchObject({ blocks: 2, endsAt: undefined })
    expect(found[1]).toEqual(found[0])
  })

  test('belongs to nobody else', async () => {
    const { bundles, user } = await withListener()
    await bundles.grant(user, { blocks: 1 }, 'test')
    expect(bundles.of({ userId: 'somebody else' })).toBeUndefined()
  })

  test('runs to the end of its last day in UTC and not a millisecond longer', async () => {
    const { bundles, user, account, clock } = await withListener()
    await bundles.grant(user, { blocks: 1, until: '2026-07-31' }, 'test')
    clock.at = Date.parse('2026-07-31T23:59:59.999Z')
    expect(bundles.of(account)?.endsAt).toBe(Date.parse('2026-08-01T00:00:00Z'))
    clock.at += 1
    expect(bundles.of(account)).toBeUndefined()
    expect(await bundles.list()).toHaveLength(1)
  })

  test('keeps its id when its terms change, so that open connections stay', async () => {
    const { bundles, user, account, clock } = await withListener()
    const first = await bundles.grant(user, { blocks: 1, until: '2026-07-30' }, 'test')
    clock.at += 60_000
    const second = await bundles.grant(user, { blocks: 3 }, 'test')
    expect(second).toEqual({ ...first, blocks: 3, endsAt: undefined })
    expect(bundles.of(account)).toEqual(second)
    expect(await bundles.list()).toEqual([second])
  })

  test('granted, changed or revoked by another process is seen half a second later', async () => {
    const { bundles, account, open, seen } = await withListener()
    expect(bundles.of(account)).toBeUndefined()
    const elsewhere = new Accounts(await open(), defaultPlans)
    await elsewhere.bundles.grant(await elsewhere.users.get('ann@example.com'), { blocks: 1 }, 'other process')
    await seen(500)
    expect(bundles.of(account)?.blocks).toBe(1)
    await elsewhere.bundles.grant(await elsewhere.users.get('ann@example.com'), { blocks: 4 }, 'other process')
    await seen(500)
    expect(bundles.of(account)?.blocks).toBe(4)
    await elsewhere.bundles.revoke('ann@example.com', 'other process')
    await seen(500)
    expect(bundles.of(account)).toBeUndefined()
  })

  test('goes with its user', async () => {
    const { accounts, bundles, user, account, seen } = await withListener()
    await bundles.grant(user, { blocks: 1 }, 'test')
    await accounts.users.remove(user.id, 'test')
    await seen(500)
    expect([bundles.of(account), await bundles.list()]).toEqual([undefined, []])
  })

  test('leaves a row in the audit trail whenever it is granted or revoked', async () => {
    const { bundles, user, database, clock } = await withListener()
    clock.at += 1
    const { id } = await bundles.grant(user, { blocks: 2, until: '2027-01-31' }, 'operator')
    clock.at += 1
    await bundles.revoke('Ann@example.com', 'operator')
    const about = { actor: 'operator', target: 'ann@example.com' }
    expect(await auditTrail(database, 2)).toMatchObject([
      { ...about, action: 'bundle.revoke', detail: { id, blocks: '2' } },
      { ...about, action: 'bundle.grant', detail: { id, blocks: '2', until: '2027-01-31' } }
    ])
  })

  test.each([
    ['no blocks', { blocks: 0 }],
    ['half a block', { blocks: 1.5 }],
    ['more blocks than anybody needs', { blocks: 1001 }],
    ['no number', { blocks: Number.NaN }],
    ['a day that does not exist', { blocks: 1, until: '2027-02-30' }],
    ['a day that is past', { blocks: 1, until: '2020-01-31' }]
  ])('with %s is refused, and nothing is kept of it', async (_, terms) => {
    const { bundles, user, database } = await withListener()
    const before = await auditTrail(database, 10)
    await expect(bundles.grant(user, terms, 'test')).rejects.toThrow(/blocks|last day/)
    expect([await bundles.list(), await auditTrail(database, 10)]).toEqual([[], before])
  })

  test('that is not there cannot be revoked', async () => {
    const { bundles } = await withListener()
    await expect(bundles.revoke('ann@example.com', 'test')).rejects.toThrow('ann@example.com has no streaming bundle')
    await expect(bundles.revoke('bob@example.com', 'test')).rejects.toThrow('there is no user bob@example.com')
  })
})

testOfFile('the demo users of the two highest plans may stream from the first start', async () => {
  const { accounts, folder } = await temporaryAccounts()
  const keys = (await ensureDemoKeys(accounts, folder))?.keys
  const streaming = Object.entries(keys ?? {}).filter(([, key]) => accounts.bundles.of(accounts.find(key)!))
  expect(streaming.map(([plan]) => plan)).toEqual(['alpha', 'enterprise'])
  expect((await accounts.bundles.list()).map(({ blocks }) => blocks)).toEqual([1, 1])
})

testOfFile('accounts from before there were bundles are taken along, with nobody streaming', async () => {
  const { accounts, database, folder } = await temporaryAccounts()
  await accounts.users.create({ email: 'ann@example.com', plan: 'alpha' }, 'test')
  await database.close()
  const sqlite = new Sqlite(join(folder, 'accounts.db'))
  withoutChangeLog(sqlite)
  sqlite.exec(
    'DROP TABLE revision; ALTER TABLE usage DROP COLUMN panel_count; DROP TABLE alert_firings; DROP TABLE alerts; ' +
      'DROP TABLE alert_webhooks; DROP TABLE bundles; ALTER TABLE keys DROP COLUMN ends_at; ALTER TABLE keys DROP COLUMN role; PRAGMA user_version = 1'
  )
  sqlite.close()
  expect(accountMigrations.length).toBeGreaterThan(1)
  const upgraded = openedDatabase(folder)
  onTestFinished(() => upgraded.close())
  const after = new Accounts(upgraded, defaultPlans)
  const user = await after.users.get('ann@example.com')
  expect(after.bundles.of({ userId: user.id })).toBeUndefined()
  expect((await after.bundles.grant(user, { blocks: 1 }, 'test')).email).toBe('ann@example.com')
})
