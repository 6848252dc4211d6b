import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/accounts/database.ts'
import { migratePostgres, openPostgres } from '../../src/accounts/postgres.ts'
import type { StreamSharing } from '../../src/accounts/stream-sharing.ts'
import { SharedUsage } from '../../src/stream/session/shared-usage.ts'
import { awaited } from '../support/idle.ts'
import { hasPostgres, type PostgresServer, patientPool, startPostgres } from '../support/postgres.ts'
import type { Frame } from './frames.ts'
import { bundle, netGex, scriptedServer, settle } from './scripted-server.ts'

const SYMBOLS = ['SPY', 'QQQ', 'IWM']
const subscribe = (symbol: string, more: Frame = {}) => ({ action: 'subscribe', symbol, metric: netGex, ...more })
const many = (count: number, from = 0) => ({
  action: 'subscribe_many',
  items: Array.from({ length: count }, (_, k) => ({ symbol: 'SPY', metric: netGex, params: { min_oi: from + k } }))
})
const acknowledged = (frame: Frame) =>
  (frame['results'] as readonly Frame[]).filter(({ error }) => error === undefined).length

describe.runIf(hasPostgres)('streams of a bundle that several services serve', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  /** Services of new accounts, each with a clock of its own, and the clock of the database. */
  async function services(count: number, faulty: (sharing: StreamSharing) => StreamSharing = (sharing) => sharing) {
    const address = await server.database()
    await migratePostgres(address)
    const events: string[] = []
    const open = async (_: unknown, k: number) => {
      const pool = patientPool(address)
      awaited(pool)
      const database = await openPostgres(address, { pool })
      onTestFinished(() => database.close())
      const sharing = faulty(database.sharing!.streams)
      const scripted = scriptedServer({
        epoch: `service-${k}`,
        shared: (service) =>
          new SharedUsage({
            ...service,
            sharing,
            onSilent: () => events.push('silent'),
            onFound: () => events.push('found')
          })
      })
      for (const symbol of SYMBOLS) scripted.publish(symbol, { net_gex: 1 })
      /** Connects as far as the bundle allows. */
      const connect = async (held = bundle()) =>
        (await scripted.server.admit(held)) ? scripted.connect(held) : undefined
      return { ...scripted, connect, database }
    }
    const all = await Promise.all(Array.from({ length: count }, open))
    let ahead = 0
    /** Lets time pass for the database and for the services that live. */
    const pass = async (seconds: number, living = all) => {
      for (let k = 0; k < seconds; k++) {
        ahead++
        await setClock(all[0]!.database, ahead)
        await Promise.all(living.map((service) => service.pass(1000, 250)))
        await settle()
      }
    }
    return { all, pass, events }
  }

  async function setClock({ read }: Database, seconds: number): Promise<void> {
    const later = `clock_timestamp() + interval '${seconds} seconds'`
    await sql
      .raw(`CREATE OR REPLACE FUNCTION accounts_now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT ${later} $$`)
      .execute(read)
  }

  const used = async (client: { ask(frame: Frame): Promise<readonly Frame[]> }) =>
    (await client.ask({ action: 'status' }))[0]!['used']

  test('of sixty handshakes at once five are admitted, and one more for each that ends', async () => {
    const { all } = await services(3)
    const admitted = (await Promise.all(Array.from({ length: 60 }, (_, k) => all[k % 3]!.connect()))).filter(
      (client) => client !== undefined
    )
    expect(admitted).toHaveLength(5)
    expect(await all[0]!.connect()).toBeUndefined()
    admitted[0]!.drop(1000)
    await settle()
    const again = await Promise.all(all.map((service) => service.connect()))
    expect(again.filter((client) => client !== undefined)).toHaveLength(1)
    expect(await all[0]!.connect(bundle('b2'))).toBeDefined()
  })

  test('handshakes that come while others are being counted are refused for want of room alone', async () => {
    const { all } = await services(2)
    const first = all[0]!.connect()
    await new Promise((resolve) => setTimeout(resolve, 1))
    const others = await Promise.all([
      first,
      all[0]!.connect(),
      all[1]!.connect(),
      all[0]!.connect(),
      all[0]!.connect()
    ])
    expect(others.every((client) => client !== undefined)).toBe(true)
  })

  test('a connection that was admitted and not opened makes room again', async () => {
    const { all } = await services(2)
    const [here, there] = all as [(typeof all)[0], (typeof all)[0]]
    for (let k = 0; k < 5; k++) expect(await here.server.admit(bundle())).toBe(true)
    expect(await there.server.admit(bundle())).toBe(false)
    here.server.giveUp(bundle())
    await settle()
    expect(await there.server.admit(bundle())).toBe(true)
  })

  test('the connections of a killed service make room ten seconds later, not those of one that lives', async () => {
    const { all, pass } = await services(3)
    const [killed, living, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]]
    for (let k = 0; k < 3; k++) expect(await killed.connect()).toBeDefined()
    for (let k = 0; k < 2; k++) expect(await living.connect()).toBeDefined()
    await pass(8, [living, third])
    expect(await third.connect()).toBeUndefined()
    await pass(4, [living, third])
    const more = await Promise.all(Array.from({ length: 6 }, () => third.connect()))
    expect(more.filter((client) => client !== undefined)).toHaveLength(3)
  })

  test('an outage of the database frees nothing, however long it takes', async () => {
    const { all, pass } = await services(2)
    for (let k = 0; k < 5; k++) expect(await all[0]!.connect()).toBeDefined()
    await pass(60, [])
    expect(await all[1]!.connect()).toBeUndefined()
    await pass(3)
    expect(await all[1]!.connect()).toBeUndefined()
  })

  test('subscriptions count together, and those that nobody uses go back', async () => {
    const { all, pass } = await services(2)
    const here = (await all[0]!.connect())!
    const there = (await all[1]!.connect())!
    const counts = async (client: typeof here, count: number, from: number) => {
      let made = 0
      for (let k = 0; k < count; k += 100) made += acknowledged((await client.ask(many(100, from + k)))[0]!)
      return made
    }
    expect(await counts(here, 300, 0)).toBe(300)
    const [first, second] = await Promise.all([counts(here, 200, 300), counts(there, 200, 0)])
    await pass(1)
    const third = await counts(there, 300, 200)
    const rest = await counts(here, 300, 600)
    expect(300 + first + second + third + rest).toBe(500)
    const [refused] = await there.ask(subscribe('QQQ'))
    expect(refused).toMatchObject({ code: 'subscription_limit', limit: 500, used: 500 })
    expect(await used(here)).toEqual({ subscriptions: 500, connections: 2 })
    await here.ask({ action: 'unsubscribe', all: true })
    await pass(2)
    expect((await there.ask(subscribe('QQQ')))[0]!['type']).toBe('ack')
  })

  test('a client that lost its connection resumes on another service, once', async () => {
    const { all, pass } = await services(2)
    const [here, there] = all as [(typeof all)[0], (typeof all)[0]]
    const client = (await here.connect())!
    await client.ask(subscribe('SPY', { cadence_ms: 250, on_change: true }))
    const [ack] = await client.ask(subscribe('QQQ', { params: { min_oi: 7 } }))
    const token = ack!['resume_token']
    client.drop()
    await settle()
    const stranger = (await there.connect(bundle('b2')))!
    expect((await stranger.ask({ action: 'resume', token }))[0]!['code']).toBe('resume_expired')
    const back = (await there.connect())!
    expect(await used(back)).toEqual({ subscriptions: 2, connections: 1 }) // those that wait to be resumed
    const [resumed, ...values] = await back.ask({ action: 'resume', token })
    expect(resumed).toMatchObject({ type: 'ack', action: 'resume', epoch: 'service-1' })
    expect(
      (resumed!['subscriptions'] as readonly Frame[]).map((row) => [row['sub_id'], row['symbol'], row['params']])
    ).toEqual([
      ['s_01', 'SPY', {}],
      ['s_02', 'QQQ', { min_oi: 7 }]
    ])
    expect(values.map(({ sub_id, snapshot }) => [sub_id, snapshot])).toEqual([
      ['s_01', true],
      ['s_02', true]
    ])
    expect((await back.ask(subscribe('IWM')))[0]!['sub_id']).toBe('s_03')
    await pass(1)
    expect(await used(back)).toEqual({ subscriptions: 3, connections: 1 })
    const twice = (await here.connect())!
    expect((await twice.ask({ action: 'resume', token }))[0]!['code']).toBe('resume_expired')
  })

  test('a client of a killed service resumes on another, and its places move', async () => {
    const { all, pass } = await services(2)
    const [killed, living] = all as [(typeof all)[0], (typeof all)[0]]
    const client = (await killed.connect())!
    const [ack] = await client.ask(subscribe('SPY'))
    await client.ask(many(10))
    await pass(1)
    const back = (await living.connect())!
    const [resumed] = await back.ask({ action: 'resume', token: ack!['resume_token'] })
    expect(resumed!['subscriptions']).toHaveLength(11)
    await pass(12, [living])
    expect(await used(back)).toEqual({ subscriptions: 11, connections: 1 })
  })

  test('a connection that is still open elsewhere is closed by a resume', async () => {
    const { all, pass } = await services(2)
    const client = (await all[0]!.connect())!
    const [ack] = await client.ask(subscribe('SPY'))
    await pass(1)
    const back = (await all[1]!.connect())!
    expect((await back.ask({ action: 'resume', token: ack!['resume_token'] }))[0]!['action']).toBe('resume')
    await pass(1)
    expect(client.wire.closed).toEqual([4410, 'resumed elsewhere'])
    await pass(1)
    await back.ask(subscribe('QQQ'))
    expect(await used(back)).toEqual({ subscriptions: 2, connections: 1 })
  })

  test('a set that nobody resumed gives way where its places are needed, and ends after two minutes', async () => {
    const { all, pass } = await services(2)
    const lost = (await all[0]!.connect())!
    const [ack] = await lost.ask(subscribe('QQQ'))
    for (let k = 0; k < 4; k++) await lost.ask(many(100, 100 * k))
    lost.drop()
    const other = (await all[1]!.connect())!
    // The loss is written beside what others ask meanwhile.
    await expect.poll(() => used(other)).toMatchObject({ connections: 1 })
    for (let k = 0; k < 5; k++) expect(acknowledged((await other.ask(many(100, 100 * k)))[0]!)).toBe(100)
    const back = (await all[0]!.connect())!
    expect((await back.ask({ action: 'resume', token: ack!['resume_token'] }))[0]!['code']).toBe('resume_expired')
    await other.ask({ action: 'unsubscribe', all: true })
    const [anew] = await back.ask(subscribe('SPY'))
    expect(anew!['type']).toBe('ack')
    back.drop()
    await pass(121)
    const late = (await all[1]!.connect())!
    expect((await late.ask({ action: 'resume', token: anew!['resume_token'] }))[0]!['code']).toBe('resume_expired')
  })

  test('a service that stops leaves its sets and its room to others', async () => {
    const { all } = await services(2)
    const [stopping, other] = all as [(typeof all)[0], (typeof all)[0]]
    const clients = await Promise.all(Array.from({ length: 5 }, () => stopping.connect()))
    const [ack] = await clients[0]!.ask(subscribe('SPY'))
    const stopped = stopping.server.drain()
    for (const client of clients) client!.drop(1001)
    await stopped
    const back = (await other.connect())!
    expect((await back.ask({ action: 'resume', token: ack!['resume_token'] }))[0]!['action']).toBe('resume')
    expect(await used(back)).toEqual({ subscriptions: 1, connections: 1 })
  })

  test('while the database is silent nobody is admitted, what is open goes on, and afterwards it counts', async () => {
    const fault = { is: false }
    const { all, pass, events } = await services(2, (sharing) => {
      const failing =
        <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
        async (...args: Args) => {
          if (fault.is) throw new Error('the database does not answer')
          return call(...args)
        }
      return {
        hold: failing(sharing.hold),
        renew: failing(sharing.renew),
        note: failing(sharing.note),
        save: failing(sharing.save),
        take: failing(sharing.take),
        spend: failing(sharing.spend),
        leave: failing(sharing.leave)
      }
    })
    const client = (await all[0]!.connect())!
    await client.ask(subscribe('SPY'))
    await pass(1)
    fault.is = true
    await pass(1)
    await expect(all[0]!.server.admit(bundle())).rejects.toThrow()
    expect((await client.ask(subscribe('QQQ')))[0]).toMatchObject({ type: 'error', code: 'internal' })
    all[0]!.publish('SPY', { net_gex: 5 })
    await pass(1)
    expect(client.wire.taken().some(({ value }) => value === 5)).toBe(true)
    fault.is = false
    await pass(1)
    expect(events.filter((event) => event === 'found').length).toBeGreaterThan(0)
    expect((await client.ask(subscribe('QQQ')))[0]!['type']).toBe('ack')
    const more = await Promise.all(Array.from({ length: 10 }, (_, k) => all[k % 2]!.connect()))
    expect(more.filter((found) => found !== undefined)).toHaveLength(4)
  })
})
