import { join } from 'node:path'
import Sqlite from 'libsql'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { auditTrail } from '../../src/accounts/audit.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { openedDatabase, temporaryAccounts, testOfFile, withoutChangeLog } from './temporary-accounts.ts'

async function withUser() {
  const given = await temporaryAccounts('2026-07-29T14:30:00Z')
  const user = await given.accounts.users.create({ email: 'ann@example.com', plan: 'growth' }, 'test')
  return { ...given, user, keys: given.accounts.keys }
}

describe('a key with an end', () => {
  test('works to the last millisecond of its last day in UTC, by an old connection too, and no longer', async () => {
    const { accounts, keys, user, clock } = await withUser()
    const { key, endsAt } = await keys.create(user, '', 'test', { until: '2026-07-31' })
    expect(endsAt).toBe('2026-08-01T00:00:00.000Z')
    const connection = {}
    clock.at = Date.parse('2026-07-31T23:59:59.999Z')
    expect([accounts.find(key), accounts.find(key, connection)].every(Boolean)).toBe(true)
    clock.at += 1
    expect([accounts.find(key), accounts.find(key, connection)]).toEqual([undefined, undefined])
    expect(await keys.list()).toMatchObject([{ endsAt, revokedAt: undefined }])
  })

  test.each([
    ['a day that does not exist', '2026-02-30', 'must be a date'],
    ['a day that is over', '2026-07-28', 'must not be over']
  ])('cannot have %s for its last', async (_, until, sentence) => {
    const { keys, user, database } = await withUser()
    const before = await auditTrail(database, 10)
    await expect(keys.create(user, '', 'test', { until })).rejects.toThrow(sentence)
    expect([await keys.list(), await auditTrail(database, 10)]).toEqual([[], before])
  })

  test('leaves its hint to one that works, and can be revoked by its id', async () => {
    const { keys, user, clock } = await withUser()
    const old = await keys.create(user, '', 'test', { key: 'x'.repeat(42) + 'same', until: '2026-07-29' })
    clock.at += 86_400_000
    const current = await keys.create(user, '', 'test', { key: 'y'.repeat(42) + 'same' })
    expect((await keys.revoke('same', 'test')).id).toBe(current.id)
    expect((await keys.revoke(old.id, 'test')).revokedAt).toBe('2026-07-30T14:30:00.000Z')
  })
})

describe('a key that is rotated', () => {
  test('works for a day beside the one that takes its place, which has its user, name and role', async () => {
    const { accounts, keys, user, clock, database } = await withUser()
    const old = await keys.create(user, 'laptop', 'test', { role: 'operator' })
    const { made, old: ending } = await keys.rotate(old.hint, 'operator')
    expect(made).toMatchObject({ name: 'laptop', role: 'operator', email: 'ann@example.com', endsAt: undefined })
    expect(ending).toMatchObject({ id: old.id, endsAt: '2026-07-30T14:30:00.000Z', revokedAt: undefined })
    const works = () => [old, made].map(({ key }) => accounts.find(key) !== undefined)
    clock.at += 86_400_000 - 1
    expect(works()).toEqual([true, true])
    clock.at += 1
    expect(works()).toEqual([false, true])
    const [entry] = (await auditTrail(database, 10)).filter(({ action }) => action === 'key.rotate')
    expect(entry).toMatchObject({
      actor: 'operator',
      target: 'ann@example.com',
      detail: { id: old.id, newId: made.id }
    })
  })

  test('ends at once where that is asked for', async () => {
    const { accounts, keys, user, clock } = await withUser()
    const old = await keys.create(user, '', 'test')
    expect(accounts.find(old.key)).toBeDefined()
    const { made } = await keys.rotate(old.id, 'test', { now: true })
    clock.at += 500
    expect([accounts.find(old.key), accounts.find(made.key)?.userId]).toEqual([undefined, user.id])
  })

  test('never works longer than it would have, and hands its end on unless another is given', async () => {
    const { keys, user } = await withUser()
    const old = await keys.create(user, '', 'test', { until: '2026-07-29' })
    const { made, old: ending } = await keys.rotate(old.id, 'test')
    expect([ending.endsAt, made.endsAt]).toEqual(['2026-07-30T00:00:00.000Z', '2026-07-30T00:00:00.000Z'])
    expect((await keys.rotate(made.id, 'test', { until: '2026-12-31' })).made.endsAt).toBe('2027-01-01T00:00:00.000Z')
  })

  test('cannot be one that has ended, was revoked or never was', async () => {
    const { keys, user, clock } = await withUser()
    const old = await keys.create(user, '', 'test', { until: '2026-07-29' })
    const gone = await keys.create(user, '', 'test')
    await keys.revoke(gone.id, 'test')
    clock.at += 86_400_000
    await expect(keys.rotate(old.id, 'test')).rejects.toThrow('ended at 2026-07-30T00:00:00.000Z')
    await expect(keys.rotate(gone.id, 'test')).rejects.toThrow('was revoked before')
    await expect(keys.rotate('none', 'test')).rejects.toThrow('there is no key')
    expect(await keys.list()).toHaveLength(2)
  })
})

testOfFile('the keys of a folder from before they had an end or a role go on working', async () => {
  const { accounts, database, folder, user } = await withUser()
  const { key } = await accounts.keys.create(user, 'old', 'test')
  database.close()
  const sqlite = new Sqlite(join(folder, 'accounts.db'))
  withoutChangeLog(sqlite)
  sqlite.exec('DROP TABLE revision; ALTER TABLE usage DROP COLUMN panel_count')
  sqlite.exec('DROP TABLE alert_firings; DROP TABLE alerts; DROP TABLE alert_webhooks')
  sqlite.exec('ALTER TABLE keys DROP COLUMN ends_at; ALTER TABLE keys DROP COLUMN role; PRAGMA user_version = 2')
  sqlite.close()
  const upgraded = openedDatabase(folder)
  onTestFinished(() => upgraded.close())
  const after = new Accounts(upgraded, defaultPlans)
  expect(after.find(key)).toMatchObject({ email: 'ann@example.com', role: 'user', endsAt: undefined })
  expect(await after.keys.list()).toMatchObject([{ name: 'old', role: 'user', endsAt: undefined }])
})
