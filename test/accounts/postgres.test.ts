import { sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Accounts } from '../../src/accounts/accounts.ts'
import { accountMigrations } from '../../src/accounts/accounts-schema.ts'
import { Firings } from '../../src/accounts/alerts/firings.ts'
import { AlertRules } from '../../src/accounts/alerts/rules.ts'
import type { MemoryDirectory } from '../../src/accounts/memory-directory.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import { poolAt } from '../../src/accounts/postgres-pool.ts'
import { DatabaseError, StorageError } from '../../src/accounts/storage-error.ts'
import { defaultPlans } from '../../src/api/plan.ts'
import { freePort } from '../support/free-port.ts'
import { linkTo } from '../support/link.ts'
import { hasPostgres, type PostgresServer, patientPool, startPostgres } from '../support/postgres.ts'

describe.runIf(hasPostgres)('accounts on a PostgreSQL server', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  async function opened(address: string) {
    const database = await openPostgres(address, { pool: patientPool(address) })
    onTestFinished(() => database.close())
    return { database, accounts: new Accounts(database, defaultPlans) }
  }
  async function migrated() {
    const address = await server.database()
    await migratePostgres(address)
    return { address, ...(await opened(address)) }
  }

  test('are set up by one of several migrations at once, and by later ones left as they are', async () => {
    const address = await server.database()
    const newest = accountMigrations.length
    const all = await Promise.all([1, 2, 3].map(() => migratePostgres(address)))
    expect(all.map(({ from }) => from).sort((a, b) => a - b)).toEqual([0, newest, newest])
    const { accounts } = await opened(address)
    await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
    expect(await migratePostgres(address)).toEqual({ from: newest, to: newest })
    expect(await accounts.users.list()).toHaveLength(1)
  })

  test('are waited for until they have the version of the program, and may have a newer one', async () => {
    const address = await server.database()
    await expect(openPostgres(address, { patience: 0 })).rejects.toThrow(
      /^the accounts at 127.0.0.1:\d+\/\w+ are not set up yet: run gammawall accounts migrate$/
    )
    const waiting = opened(address)
    await migratePostgres(address)
    const { database } = await waiting
    await sql`UPDATE schema_version SET version = version - 1`.execute(database.read)
    await expect(openPostgres(address, { patience: 0 })).rejects.toThrow(
      `have version ${accountMigrations.length - 1} of ${accountMigrations.length}: run gammawall accounts migrate`
    )
    await sql`UPDATE schema_version SET version = 999`.execute(database.read)
    await opened(address)
  })

  test('count in numbers, not in texts', async () => {
    const { database } = await migrated()
    const since = await new Firings(database).countSince('none', 0)
    await sql`INSERT INTO usage VALUES ('u', '1', 2, 0), ('v', '1', 3, 0)`.execute(database.read)
    const sums = database.read
      .selectFrom('usage')
      .select(({ fn }) => [fn.sum('count').as('sum'), fn.countAll().as('n')])
    const counts = [since, ...(await new AlertRules(database).counts()).values(), await database.revision()]
    expect(counts.every((count) => typeof count === 'number')).toBe(true)
    expect(await sums.execute()).toEqual([{ sum: 5, n: 2 }])
  })

  test('are listed in the order of SQLite, whatever the language of the database', async () => {
    const { database, accounts } = await migrated()
    const emails = ['A@x', '_@x', 'a.b@x', 'b@x', 'é@x']
    for (const email of emails.toReversed()) {
      const row = { id: email, email, plan: 'free', subscribed_on: '2026-07-29', created_at: '2026-07-29T00:00:00Z' }
      await database.durably((tx) => tx.insertInto('users').values(row).execute())
    }
    expect((await accounts.users.list()).map(({ email }) => email)).toEqual(emails)
    const { rows } = await sql<{ readonly x: string }>`SELECT x FROM (VALUES ('A@x'), ('_@x')) v(x) ORDER BY x`.execute(
      database.read
    )
    expect(rows.map(({ x }) => x)).toEqual(['_@x', 'A@x']) // the order of its language
  })

  test('number the changes of several services in the order in which each sees them', async () => {
    const { address, accounts } = await migrated()
    const others = await Promise.all([1, 2, 3].map(() => opened(address)))
    await Promise.all(
      others.map(async (other, who) => {
        for (let k = 0; k < 10; k++) {
          const user = await other.accounts.users.create({ email: `${who}-${k}@b.c`, plan: 'free' }, 'test')
          const { key, id } = await other.accounts.keys.create(user, '', 'test')
          await accounts.refresh()
          expect(accounts.find(key)?.keyId).toBe(id)
          if (k % 2 === 0) await other.accounts.keys.revoke(id, 'test')
        }
      })
    )
    await Promise.all([accounts, ...others.map((other) => other.accounts)].map((each) => each.refresh()))
    for (const { id, revokedAt } of await accounts.keys.list()) {
      const seen = [accounts, ...others.map((other) => other.accounts)].map((each) => each.findById(id) !== undefined)
      expect(new Set(seen)).toEqual(new Set([revokedAt === undefined]))
    }
  })

  test('are known while the server is away, refuse changes with a reason, and go on once it is back', async () => {
    const { address, database, accounts } = await migrated()
    const user = await accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
    const { key } = await accounts.keys.create(user, '', 'test')
    const { pathname } = new URL(address)
    const admin = new Pool({ connectionString: address.replace(pathname, '/postgres') })
    onTestFinished(() => admin.end())
    const allow = async (whether: boolean) => {
      await admin.query(`ALTER DATABASE ${pathname.slice(1)} ALLOW_CONNECTIONS ${whether}`)
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${pathname.slice(1)}'`)
    }
    await allow(false)
    await expect(accounts.refresh()).rejects.toThrow()
    await expect(accounts.keys.create(user, '', 'test')).rejects.toThrow(StorageError)
    expect([accounts.find(key)?.email, database.directory.age() > 0]).toEqual(['a@b.c', true])
    await allow(true)
    await expect
      .poll(() =>
        accounts.refresh().then(
          () => 'read',
          () => 'refused'
        )
      )
      .toBe('read')
    const { key: next } = await accounts.keys.create(user, '', 'test')
    expect(accounts.find(next)?.email).toBe('a@b.c')
  })
})

describe.runIf(hasPostgres)('the copy of accounts in memory', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  async function services() {
    const address = await server.database()
    await migratePostgres(address)
    const open = async () => {
      const database = await openPostgres(address, { pool: patientPool(address) })
      onTestFinished(() => database.close())
      return {
        database,
        accounts: new Accounts(database, defaultPlans),
        directory: database.directory as MemoryDirectory
      }
    }
    const writer = await open()
    const user = await writer.accounts.users.create({ email: 'a@b.c', plan: 'free' }, 'test')
    const made = await writer.accounts.keys.create(user, '', 'test')
    return { address, writer, user, made, reader: await open() }
  }

  test('is told of a change by another service at once', async () => {
    const { writer, reader, made } = await services()
    let arrives: boolean | undefined
    reader.database.onNotice(
      () => void reader.accounts.refresh(),
      (whether) => {
        arrives = whether
      }
    )
    await expect.poll(() => arrives).toBe(true)
    expect(reader.accounts.find(made.key)?.keyId).toBe(made.id)
    await writer.accounts.keys.revoke(made.id, 'test')
    await expect.poll(() => reader.accounts.find(made.key)).toBe(undefined)
  })

  test.each([
    ['has fewer changes', () => 0],
    ['has gone on from there with others', () => 5]
  ])('is read anew from a database that was restored from a backup and %s', async (_what, made) => {
    const { address, writer, reader, user } = await services()
    const taken = await writer.accounts.keys.create(user, '', 'test')
    await reader.accounts.refresh()
    expect(reader.accounts.find(taken.key)?.keyId).toBe(taken.id)
    const pool = new Pool({ connectionString: address })
    onTestFinished(() => pool.end())
    await pool.query('DELETE FROM keys WHERE id = $1', [taken.id])
    await pool.query('DELETE FROM account_changes WHERE number > 2') // as it was before the key
    for (let k = 0; k < made(); k++) await writer.accounts.keys.create(user, '', 'test')
    await reader.accounts.refresh()
    expect(reader.accounts.find(taken.key)).toBe(undefined)
    expect(reader.directory.reloads).toBe(2)
  })

  test('is read once, however often it was asked for while the database was silent, and by connections that answer', async () => {
    const address = await server.database()
    await migratePostgres(address)
    const link = await linkTo(Number(new URL(address).port))
    onTestFinished(() => link.close())
    const through = new URL(address)
    through.port = String(link.port)
    const pool = poolAt(through.href, 1000)
    const database = await openPostgres(through.href, { pool })
    onTestFinished(() => database.close())
    const read = async () =>
      database.directory.follow().then(
        () => 'read',
        () => 'silent'
      )
    await expect.poll(read).toBe('read')
    link.set('freeze')
    const asked = Array.from({ length: 100 }, read)
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['silent']))
    expect(pool.totalCount).toBe(0) // those that did not answer are closed
    link.set('pass')
    await expect.poll(read).toBe('read')
  })

  test('is not believed for longer than the operator allows', async () => {
    const { writer } = await services()
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => now.mockRestore())
    const patient = new Accounts(writer.database, defaultPlans, Date.now, 60_000)
    await patient.refresh()
    expect(patient.areOutdated).toBe(false)
    now.mockReturnValue(performance.now() + 60_001)
    expect(patient.areOutdated).toBe(true)
    await patient.refresh()
    expect(patient.areOutdated).toBe(false)
  })
})

test('a server that is not there, and a database that it lacks, are named in a sentence without the password', async () => {
  const address = `postgres://ann:s3cret@127.0.0.1:${await freePort()}/gammawall`
  for (const opening of [openPostgres(address), migratePostgres(address)]) {
    const error = await opening.catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(DatabaseError)
    expect((error as Error).message).toMatch(
      /^the accounts at 127.0.0.1:\d+\/gammawall cannot be used: the database does not answer$/
    )
  }
})
