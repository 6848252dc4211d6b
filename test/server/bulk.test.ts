import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultPlans } from '../../src/api/plan.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { isBulkSource } from '../../src/server/bulk/bulk-answers.ts'
import { BulkSlots } from '../../src/server/bulk/bulk-slots.ts'
import { parsedCsv } from '../support/csv.ts'
import { memoryStore } from '../support/memory-store.ts'
import { mountBulkOver } from '../support/mount-bulk-over.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { type ReplayService, replayService } from '../support/replay.ts'

type Row = Readonly<Record<string, unknown>>

describe('answers in bulk', () => {
  let running: ReplayService
  let key: string
  const faults: unknown[] = []
  beforeAll(async () => {
    const history = memoryStore(await recordedDay('2026-07-29'))
    running = replayService({ history })
    mountBulkOver(running, { history, onFault: (error) => faults.push(error) })
    key = running.key
  })
  afterAll(() => running.close())

  const post = (body: object, by = key, headers: Record<string, string> = {}, path = '/v1/bulk') =>
    running.ask(path, by, { method: 'POST', payload: { source: 'answers', ...body }, headers })
  const rowsOf = (text: string): readonly Row[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
  const live = { operation: 'exposure.gex', symbols: { list: ['SPY', 'AAPL'] }, moments: 'now', rows: 'strikes' }
  const past = { operation: 'exposure.gex', symbols: { list: ['KO'] }, rows: 'strikes' }

  test('hold the values of the plain answers, in the order asked for', async () => {
    const response = await post(live)
    expect(response.headers['content-type']).toMatch(/^application\/x-ndjson/)
    expect(response.headers['x-bulk-groups']).toBe('2')
    const rows = rowsOf(response.body)
    const expected: Row[] = []
    for (const symbol of live.symbols.list) {
      const { strikes, as_of } = (await running.ask(`/v1/exposure/gex/${symbol}`, key)).json()
      expected.push(...strikes.map((strike: Row, row: number) => ({ symbol, at: null, as_of, row, ...strike })))
    }
    expect(rows.map((row) => ({ ...row }))).toEqual(expected.map((row) => expect.objectContaining(row)))
  })

  test('hold the same in every form, packed or not, with the columns that are told beforehand', async () => {
    const { columns, groups, cost, fits, tables } = (await post(live, key, {}, '/v1/bulk/columns')).json()
    expect([groups, cost, fits]).toEqual([2, 2, 'response'])
    expect(tables).toContainEqual({ rows: 'strikes', columns: columns.length })
    const names = columns.map(({ name }: { name: string }) => name)
    const rows = rowsOf((await post(live)).body)
    for (const row of rows) expect(Object.keys(row)).toEqual(names)
    const csv = await post({ ...live, format: 'csv' })
    const [heading, ...lines] = parsedCsv(csv.body)
    expect(heading).toEqual(names)
    const text = (value: unknown) => (value === null ? '' : String(value))
    expect(lines).toEqual(rows.map((row) => Object.values(row).map(text)))
    const packed = await post(live, key, { 'accept-encoding': 'gzip', accept: 'text/csv' })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(csv.body)
    const arrow = await post({ ...live, format: 'arrow' })
    expect(arrow.rawPayload.subarray(-8)).toEqual(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]))
  })

  test('have the fields that are asked for, and the figures of the answer beside its rows', async () => {
    const [row] = rowsOf((await post({ ...live, parents: true, fields: ['net_gex', 'gamma_flip', 'strike'] })).body)
    expect(Object.keys(row)).toEqual(['symbol', 'at', 'as_of', 'net_gex', 'gamma_flip', 'strike'])
    const [flat] = rowsOf((await post({ ...live, rows: null })).body)
    expect(flat).toMatchObject({ symbol: 'SPY', net_gex: expect.any(Number) })
  })

  test('tell of past moments what the replay host tells', async () => {
    const response = await post({ ...past, moments: { from: '2026-07-29', to: '2026-07-29', every: '1h' } })
    expect(response.statusCode, response.body).toBe(200)
    const rows = rowsOf(response.body)
    const moments = [...new Set(rows.map(({ at }) => String(at)))]
    expect(moments.length).toBeGreaterThan(0)
    expect(moments).toEqual(moments.toSorted())
    expect(response.headers['x-bulk-groups']).toBe(`${moments.length}`)
    const named = await post({ ...past, moments: { at: ['2026-07-29T12:00:00'] } })
    const { strikes, as_of } = (await running.past('/v1/exposure/gex/KO?at=2026-07-29T12:00:00')).json()
    expect(rowsOf(named.body)).toEqual(
      strikes.map((strike: Row, row: number) =>
        expect.objectContaining({ symbol: 'KO', at: '2026-07-29T16:00:00.000Z', as_of, row, ...strike })
      )
    )
  })

  test('are of the symbols of a preset, ascending', async () => {
    const rows = rowsOf((await post({ ...past, moments: { at: ['2026-07-29'] }, symbols: { preset: 'drinks' } })).body)
    expect([...new Set(rows.map(({ symbol }) => symbol))]).toEqual(['KO', 'T'])
  })

  test('go on from a group as they would have gone on', async () => {
    const whole = await post(live)
    const rest = await post({ ...live, resume_from: { symbol: 'AAPL', at: null } })
    expect(rest.body).toBe(whole.body.slice(whole.body.indexOf('{"symbol":"AAPL"')))
    const none = await post({ ...live, resume_from: { symbol: 'KO', at: null } })
    expect(none.json().error).toBe('invalid_resume_from')
  })

  test('leave out what has no answer, or say why, and give it back to the quota', async () => {
    const growth = running.keyOn('growth')
    const used = async () => Number((await running.ask('/v1/account', growth)).headers['x-ratelimit-remaining'])
    const before = await used()
    const some = { ...live, operation: 'exposure.levels', rows: undefined, symbols: { list: ['AAPL', 'NOPE'] } }
    expect(rowsOf((await post(some, growth)).body).map(({ symbol }) => symbol)).toEqual(['AAPL'])
    expect(before - (await used())).toBe(2) // one group, and the question itself
    const told = rowsOf((await post({ ...some, missing: 'row' })).body)
    expect(told).toMatchObject([
      { symbol: 'AAPL', error: null },
      { symbol: 'NOPE', as_of: null, error: 'symbol_not_found' }
    ])
    const none = await post({ ...some, symbols: { list: ['NOPE'] } })
    expect([none.statusCode, none.json().error]).toEqual([404, 'no_data'])
    expect(faults).toEqual([])
  })

  test.each([
    [{ source: 'prints' }, 400, 'invalid_source'],
    [{ operation: undefined }, 400, 'invalid_operation'],
    [{ operation: 'exposure.gexx' }, 400, 'invalid_operation'],
    [{ operation: 'account.current' }, 400, 'invalid_operation'],
    [{ operation: '__proto__' }, 400, 'invalid_operation'],
    [{ symbols: { list: [] } }, 400, 'invalid_symbols'],
    [{ symbols: { list: ['_MARKET'] } }, 400, 'invalid_symbols'],
    [{ symbols: { preset: 'none' } }, 400, 'invalid_symbols'],
    [{ symbols: { preset: '__proto__' } }, 400, 'invalid_symbols'],
    [{ symbols: { list: ['SPY'], preset: 'drinks' } }, 400, 'invalid_symbols'],
    [{ symbols: { list: ['SPY', 'SPY'] } }, 400, 'invalid_symbols'],
    [{ moments: 'then' }, 400, 'invalid_moments'],
    [{ moments: { at: ['2026-07-29T12:00:00Z'] } }, 400, 'invalid_moments'],
    [{ moments: { from: '2026-07-30', to: '2026-07-29', every: '1h' } }, 400, 'invalid_moments'],
    [{ params: { at: 'now' } }, 400, 'invalid_params'],
    [{ params: { wrong_thing: 1 } }, 400, 'invalid_params'],
    [{ params: { min_oi: -1 } }, 400, 'invalid_params'],
    [{ rows: 'walls' }, 400, 'invalid_rows'],
    [{ fields: ['net_gexx'] }, 400, 'invalid_fields'],
    [{ format: 'parquet' }, 400, 'invalid_format'],
    [{ extra: 1 }, 400, 'invalid_body']
  ])('with %j are refused with %d %s', async (change, status, error) => {
    const response = await post({ ...live, ...change })
    expect([response.statusCode, response.json().error]).toEqual([status, error])
  })

  test('are refused below the plan, of the operation, of the past, and beyond the quota', async () => {
    expect((await post(live, 'no-key')).statusCode).toBe(401)
    expect((await post(live, running.keyOn('basic'))).statusCode).toBe(403)
    const growth = running.keyOn('growth')
    const ofPast = { ...past, moments: { at: ['2026-07-29'] } }
    expect((await post(ofPast, growth)).json()).toMatchObject({ error: 'tier_restricted', required_plan: 'Alpha' })
  })

  test('of one user are made one after the other, and of all at most four at once', () => {
    const slots = new BulkSlots(4)
    const end = slots.begin('ada')
    expect(() => slots.begin('ada')).toThrow(expect.objectContaining({ code: 'bulk_busy' }))
    for (const other of ['ben', 'cyd', 'dan']) slots.begin(other)
    expect(() => slots.begin('eve')).toThrow(expect.objectContaining({ code: 'bulk_busy' }))
    end()
    end()
    slots.begin('ada')
    expect(() => slots.begin('eve')).toThrow(expect.objectContaining({ code: 'bulk_busy' }))
  })

  test('are computed by half of the workers, and by one at least', async () => {
    for (const [workers, most] of [
      [8, 4],
      [2, 1],
      [0, 1]
    ]) {
      const slots = new BulkSlots(workers)
      let [now, seen] = [0, 0]
      const work = async () => {
        seen = Math.max(seen, ++now)
        await Promise.resolve()
        now--
      }
      await Promise.all(Array.from({ length: 20 }, () => slots.run(work)))
      expect([seen, now]).toEqual([most, 0])
    }
  })

  test('that nobody reads any more free their place, and what was not tried is given back', async () => {
    await running.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = running.app.server.address() as AddressInfo
    const growth = running.keyOn('growth')
    const { userId } = running.accounts.find(growth)!
    const used = () => running.quota.used({ userId, plan: defaultPlans.byId('growth') })
    const list = ['AAPL', ...Array.from({ length: 99 }, (_, k) => `NO${k}`)]
    const body = JSON.stringify({ source: 'answers', operation: 'exposure.levels', symbols: { list }, moments: 'now' })
    const headers = { 'x-api-key': growth, 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}/v1/bulk`, { method: 'POST', headers, body })
    expect(response.headers.get('x-bulk-cost')).toBe('100')
    await response.body!.cancel()
    await expect.poll(used).toBe(1)
    expect((await post(live, growth)).statusCode).toBe(200)

    // Readers that go away before the first byte, at one moment or another.
    const before = used()
    for (let wait = 0; wait < 40; wait += 2) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      const head = [...Object.entries({ ...headers, host: 'x', 'content-length': body.length })].map((pair) =>
        pair.join(': ')
      )
      socket.write(`POST /v1/bulk HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
      await delay(wait)
      socket.destroy()
    }
    await expect.poll(async () => (await post(live, growth)).statusCode).toBe(200)
    await expect.poll(used).toBeLessThan(before + 50)
  })

  test.each(endpoints.filter(isBulkSource))('$id has distinct columns in every table, in bulk too', async ({
    id,
    params
  }) => {
    const isOfSymbol = Object.values(params).some(({ in: place }) => place === 'path')
    const needed = Object.entries(params).filter(([, { in: place, required }]) => place === 'query' && required)
    const body = {
      operation: id,
      params: Object.fromEntries(needed.map(([name, { example }]) => [name, example])),
      symbols: { list: [isOfSymbol ? 'AAPL' : '_MARKET'] },
      moments: 'now'
    }
    const plan = (await post(body, key, {}, '/v1/bulk/columns')).json()
    for (const { rows } of plan.tables) {
      const { columns } = (await post({ ...body, rows, parents: true }, key, {}, '/v1/bulk/columns')).json()
      const names = columns.map(({ name }: { name: string }) => name)
      expect(names.slice(0, 3)).toEqual(['symbol', 'at', 'as_of'])
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
