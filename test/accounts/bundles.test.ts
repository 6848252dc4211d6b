import { join } from 'node:path'
import Sqlite from 'libsql'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { accountMigrations } from '../../src/accounts/accounts-schema.ts'
import { auditTrail } from '../../src/accounts/audit.ts'
import { ensureDemoKeys } from '../../src/accounts/demo-keys.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { openedDatabase, temporaryAccounts, withoutChangeLog } from './temporary-accounts.ts'

function withListener() {
  const given = temporaryAccounts()
  const user = given.accounts.users.create({ email: 'ann@example.com', plan: 'free' }, 'test')
  return { ...given, user, bundles: given.accounts.bundles, account: { userId: user.id } }
}

describe('a streaming bundle', () => {
  test('is shared by all keys of its user, whatever their plan', () => {
    const { accounts, bundles, user } = withListener()
    bundles.grant(user, { blocks: 2 }, 'test')
    const found = ['one', 'two'].map((name) => {
      const { key } = accounts.keys.create(user, name, 'test')
      return bundles.of(accounts.find(key)!)
    })
    expect(found[0]).toMatchObject({ blocks: 2, endsAt: undefined })
    expect(found[1]).toEqual(found[0])
  })

  test('belongs to nobody else', () => {
    const { bundles, user } = withListener()
    bundles.grant(user, { blocks: 1 }, 'test')
    expect(bundles.of({ userId: 'somebody else' })).toBeUndefined()
  })

  test('runs to the end of its last day in UTC and not a millisecond longer', () => {
    const { bundles, user, account, clock } = withListener()
    bundles.grant(user, { blocks: 1, until: '2026-07-31' }, 'test')
    clock.at = Date.parse('2026-07-31T23:59:59.999Z')
    expect(bundles.of(account)?.endsAt).toBe(Date.parse('2026-08-01T00:00:00Z'))
    clock.at += 1
    expect(bundles.of(account)).toBeUndefined()
    expect(bundles.list()).toHaveLength(1)
  })

  test('keeps its id when its terms change, so that open connections stay', () => {
    const { bundles, user, account, clock } = withListener()
    const first = bundles.grant(user, { blocks: 1, until: '2026-07-30' }, 'test')
    clock.at += 60_000
    const second = bundles.grant(user, { blocks: 3 }, 'test')
    expect(second).toEqual({ ...first, blocks: 3, endsAt: undefined })
    expect(bundles.of(account)).toEqual(second)
    expect(bundles.list()).toEqual([second])
  })

  test('granted, changed or revoked by another process is seen half a second later', () => {
    const { bundles, account, folder, clock } = withListener()
    expect(bundles.of(account)).toBeUndefined()
    const elsewhere = new Accounts(openedDatabase(folder), defaultPlans)
    elsewhere.bundles.grant(elsewhere.users.get('ann@example.com'), { blocks: 1 }, 'other process')
    clock.at += 500
    expect(bundles.of(account)?.blocks).toBe(1)
    elsewhere.bundles.grant(elsewhere.users.get('ann@example.com'), { blocks: 4 }, 'other process')
    clock.at += 500
    expect(bundles.of(account)?.blocks).toBe(4)
    elsewhere.bundles.revoke('ann@example.com', 'other process')
    clock.at += 500
    expect(bundles.of(account)).toBeUndefined()
  })

  test('goes with its user', () => {
    const { accounts, bundles, user, account, clock } = withListener()
    bundles.grant(user, { blocks: 1 }, 'test')
    accounts.users.remove(user.id, 'test')
    clock.at += 500
    expect([bundles.of(account), bundles.list()]).toEqual([undefined, []])
  })

  test('leaves a row in the audit trail whenever it is granted or revoked', () => {
    const { bundles, user, database, clock } = withListener()
    clock.at += 1
    const { id } = bundles.grant(user, { blocks: 2, until: '2027-01-31' }, 'operator')
    clock.at += 1
    bundles.revoke('Ann@example.com', 'operator')
    const about = { actor: 'operator', target: 'ann@example.com' }
    expect(auditTrail(database, 2)).toMatchObject([
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
  ])('with %s is refused, and nothing is kept of it', (_, terms) => {
    const { bundles, user, database } = withListener()
    const before = auditTrail(database, 10)
    expect(() => bundles.grant(user, terms, 'test')).toThrow(/blocks|last day/)
    expect([bundles.list(), auditTrail(database, 10)]).toEqual([[], before])
  })

  test('that is not there cannot be revoked', () => {
    const { bundles } = withListener()
    expect(() => bundles.revoke('ann@example.com', 'test')).toThrow('ann@example.com has no streaming bundle')
    expect(() => bundles.revoke('bob@example.com', 'test')).toThrow('there is no user bob@example.com')
  })
})

test('the demo users of the two highest plans may stream from the first start', () => {
  const { accounts, folder } = temporaryAccounts()
  const keys = ensureDemoKeys(accounts, folder)?.keys
  const streaming = Object.entries(keys ?? {}).filter(([, key]) => accounts.bundles.of(accounts.find(key)!))
  expect(streaming.map(([plan]) => plan)).toEqual(['alpha', 'enterprise'])
  expect(accounts.bundles.list().map(({ blocks }) => blocks)).toEqual([1, 1])
})

test('accounts from before there were bundles are taken along, with nobody streaming', () => {
  const { accounts, database, folder } = temporaryAccounts()
  accounts.users.create({ email: 'ann@example.com', plan: 'alpha' }, 'test')
  database.close()
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
  const user = after.users.get('ann@example.com')
  expect(after.bundles.of({ userId: user.id })).toBeUndefined()
  expect(after.bundles.grant(user, { blocks: 1 }, 'test').email).toBe('ann@example.com')
})
