import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { copiedTables, copyAccounts, copyUsage, reopenAccounts } from '../../src/accounts/copy-accounts.ts'
import type { Database } from '../../src/accounts/database.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { StorageError } from '../../src/accounts/storage-error.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { hasPostgres, type PostgresServer, patientPool, startPostgres } from '../support/postgres.ts'
import { openedDatabase, temporaryFolder } from './temporary-accounts.ts'

const at = '2026-11-29T15:00:00.000Z'
const now = Date.parse(at)

/** A row of each table besides those that accounts write, with what a database may read back otherwise. */
async function fill(database: Database): Promise<{ readonly userId: string; readonly key: string }> {
  const accounts = new Accounts(database, defaultPlans)
  const user = await accounts.users.create({ email: 'Zoë@desk.example', plan: 'alpha' }, 'test')
  const { key } = await accounts.keys.create(user, 'größe "1"', 'test')
  await accounts.bundles.grant(user, { blocks: 3 }, 'test')
  const user_id = user.id
  const name = { id: 'w-1', user_id, created_at: at }
  const rule = { symbol: 'SPY', metric: 'price', params: '{}', condition: 'crosses', other: null, repeat: 'once' }
  const memory = { side: 'above', last_value: 687.1, last_value_at: at, last_fired_at: null, fired_count: 2 }
  await database.durably(async (tx) => {
    const hook = { url: 'https://desk.example/hook', secret: 's', previous_secret: null, rotated_at: null }
    await tx
      .insertInto('alert_webhooks')
      .values({ ...name, ...hook, push_keys: null })
      .execute()
    await tx
      .insertInto('alerts')
      .values({
        ...{ ...name, ...rule, ...memory, id: 'a-1', value: 1e-300, reference: -0.1 },
        ...{ note: null, webhook_id: 'w-1', state: 'armed', paused_because: null, version: 4 }
      })
      .execute()
    await tx
      .insertInto('alert_firings')
      .values({
        ...{ id: 'f-1', copy_of: null, alert_id: 'a-1', user_id, at, body: '{"a":"\\n"}\n', webhook_id: 'w-1' },
        ...{ delivery: 'waiting', attempts: 1, attempted_at: at, next_attempt_at: at, failure: 'no answer' },
        ...{ claimed_by: null, claimed_until: null }
      })
      .execute()
    await tx
      .insertInto('documents')
      .values({ user_id, kind: 'settings', id: 'page', body: '{"a":[1,2]}', changed_at: at })
      .execute()
    const identity = { issuer: 'https://id.example', subject: 'zoe', key_id: null, created_at: at }
    await tx
      .insertInto('identities')
      .values({ ...identity, user_id })
      .execute()
    await tx.insertInto('push_key').values({ id: 1, private_key: 'p' }).execute()
  })
  await count(database, user_id, '2026-11-28', 40, 4)
  await count(database, user_id, '2026-11-29', 10, 1)
  return { userId: user_id, key }
}

const count = (database: Database, user_id: string, day: string, requests: number, panel_count = 0) =>
  database.batch(async (tx) => {
    await tx
      .insertInto('usage')
      .values({ user_id, day, count: requests, panel_count })
      .onConflict((conflict) => conflict.columns(['user_id', 'day']).doUpdateSet({ count: requests, panel_count }))
      .execute()
  })

const usageIn = (database: Database) => database.read.selectFrom('usage').selectAll().orderBy('day').execute()

async function contents(database: Database): Promise<Readonly<Record<string, unknown>>> {
  const tables = Object.entries(copiedTables).map(async ([name, key]) => {
    const { rows } =
      await sql`SELECT * FROM ${sql.table(name)} ORDER BY ${sql.join(key.map((each) => sql.ref(each)))}`.execute(
        database.read
      )
    return [name, rows] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

test('every table of the accounts is copied or filled by triggers and copies', async () => {
  const tables = await openedDatabase(temporaryFolder()).read.introspection.getTables()
  const ofServices = ['revision', 'account_changes', 'copies', 'copied_usage', 'roles']
  const others = [...ofServices, 'secrets', 'ended_sessions', 'spent_tickets']
  const kept = tables.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
  expect(kept.sort()).toEqual([...Object.keys(copiedTables), ...others].sort())
})

describe.runIf(hasPostgres)('accounts that move between a folder and a server', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  async function onServer(): Promise<Database> {
    const address = await server.database()
    await migratePostgres(address)
    const database = await openPostgres(address, { pool: patientPool(address) })
    onTestFinished(() => database.close())
    return database
  }
  const inFolder = async () => openedDatabase(temporaryFolder())

  for (const [way, makeFrom, makeTo] of [
    ['from a folder to a server', inFolder, onServer],
    ['from a server to a folder', onServer, inFolder]
  ] as const)
    describe(way, () => {
      test('are equal row by row, open with the same keys, and take no change where they were', async () => {
        const [from, to] = [await makeFrom(), await makeTo()]
        const { userId, key } = await fill(from)
        const before = await contents(from)
        const { rows } = await copyAccounts(from, to, now)
        expect([...rows!.keys()]).toEqual(Object.keys(copiedTables))
        expect(Math.min(...rows!.values())).toBeGreaterThan(0)
        expect(await contents(to)).toEqual(before)
        const moved = new Accounts(to, defaultPlans)
        await moved.refresh()
        expect(moved.find(key)).toMatchObject({ userId, plan: { id: 'alpha' } })

        const left = new Accounts(from, defaultPlans)
        expect(left.find(key)).toMatchObject({ userId })
        for (const change of [
          () => left.users.setPlan(userId, 'free', 'test'),
          () => left.users.create({ email: 'b@desk.example', plan: 'free' }, 'test'),
          () => left.users.remove(userId, 'test'),
          () => from.batch((tx) => tx.updateTable('alerts').set({ fired_count: 3 }).execute())
        ]) {
          const failure = await change().catch((error: unknown) => error)
          expect(failure).toBeInstanceOf(StorageError)
          expect((failure as StorageError).reason).toBe('the accounts have moved to another database')
        }
        await moved.users.setPlan(userId, 'free', 'test')
        await reopenAccounts(from)
        await left.users.setPlan(userId, 'basic', 'test')
      })

      test('count requests on, which are added once, however often', async () => {
        const [from, to] = [await makeFrom(), await makeTo()]
        const { userId } = await fill(from)
        await copyAccounts(from, to, now)
        await count(from, userId, '2026-11-29', 25, 2)
        await count(from, userId, '2026-11-30', 7)
        await count(to, userId, '2026-11-29', 15, 1) // five more there
        expect([await copyUsage(from, to), await copyUsage(from, to)]).toEqual([22, 0])
        await count(from, userId, '2026-11-30', 8)
        expect(await copyUsage(from, to)).toBe(1)
        expect(await usageIn(to)).toEqual([
          { user_id: userId, day: '2026-11-28', count: 40, panel_count: 4 },
          { user_id: userId, day: '2026-11-29', count: 30, panel_count: 2 },
          { user_id: userId, day: '2026-11-30', count: 8, panel_count: 0 }
        ])
      })

      test('are copied once, also after changes where they are now', async () => {
        const [from, to] = [await makeFrom(), await makeTo()]
        const { userId } = await fill(from)
        await copyAccounts(from, to, now)
        await new Accounts(to, defaultPlans).users.setPlan(userId, 'free', 'test')
        await count(from, userId, '2026-11-30', 8)
        expect(await copyAccounts(from, to, now + 60_000)).toEqual({ at, rows: undefined })
      })

      test('are not copied onto others, nor their requests, and stay open', async () => {
        const [from, to] = [await makeFrom(), await makeTo()]
        const { userId } = await fill(from)
        await new Accounts(to, defaultPlans).users.create({ email: 'b@desk.example', plan: 'free' }, 'test')
        const before = await contents(to)
        await expect(copyAccounts(from, to, now)).rejects.toThrow('other accounts are there already (users, audit)')
        await expect(copyUsage(from, to)).rejects.toThrow('these accounts were not copied there')
        expect(await contents(to)).toEqual(before)
        await new Accounts(from, defaultPlans).users.setPlan(userId, 'free', 'test')
      })
    })
})
