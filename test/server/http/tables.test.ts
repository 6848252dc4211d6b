import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { parsedCsv } from '../../support/csv.ts'
import { exampleUrl } from '../../support/example-url.ts'
import { type Service, service } from '../../support/service.ts'

const path = '/v1/exposure/gex/SPY'
const greeksEndpoint = endpoints.find(({ id }) => id === 'pricing.greeks')!
const csv = 'text/csv; charset=utf-8'
const arrow = 'application/vnd.apache.arrow.stream'

describe('an answer as a table', () => {
  let running: Service
  let key: string
  beforeEach(() => {
    running = service()
    key = running.keyOn('alpha')
  })
  afterEach(() => running.close())
  const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    running.ask(url, key, { headers, method })

  test('is asked for by address or by Accept, with the headers of the JSON answer', async () => {
    const json = await ask(path)
    const [byFormat, byAccept] = [await ask(`${path}?format=csv`), await ask(path, { accept: 'text/csv' })]
    expect(byFormat.body).toBe(byAccept.body)
    expect(byFormat.headers['content-type']).toBe(csv)
    const own = ['content-type', 'content-length', 'etag', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit', 'date']
    const others = (headers: object) => Object.entries(headers).filter(([name]) => !own.includes(name))
    expect(others(byFormat.headers)).toEqual(others(json.headers))
    expect(json.headers['vary']).toMatch(/\baccept, /)
    expect(byFormat.headers['etag']).toBe(byAccept.headers['etag'])
    expect(byFormat.headers['etag']).not.toBe(json.headers['etag'])
    expect((await ask(`${path}?format=arrow`)).headers['content-type']).toBe(arrow)
    expect((await ask(path, { accept: arrow })).headers['content-type']).toBe(arrow)
    expect((await ask(`${path}?format=CSV`)).headers['content-type']).toBe(csv)
  })

  test('goes before the Accept header, in both directions', async () => {
    expect((await ask(`${path}?format=json`, { accept: 'text/csv' })).json().symbol).toBe('SPY')
    expect((await ask(`${path}?format=csv`, { accept: 'application/json' })).headers['content-type']).toBe(csv)
  })

  test('is found by a spreadsheet, which sends its key in the address and no header', async () => {
    const response = await running.ask(`${path}?format=csv&apiKey=${key}`)
    const [heading, first] = parsedCsv(response.body)
    expect(heading).toContain('net_gex')
    expect(first).toHaveLength(heading.length)
  })

  test.each([
    '?format=csv',
    '?format=arrow'
  ])('%s is validated, without a body for HEAD, and compressed', async (query) => {
    const first = await ask(path + query)
    const held = await ask(path + query, { 'if-none-match': `${first.headers['etag']}` })
    expect([held.statusCode, held.body]).toEqual([304, ''])
    const head = await ask(path + query, {}, 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(first.headers['content-length'])
    const packed = await ask(path + query, { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload)).toEqual(first.rawPayload)
  })

  test('has the rows that are asked for, by default those of the main array', async () => {
    const headings = async (rows: string) => parsedCsv((await ask(`/v1/maxpain/SPY?format=csv${rows}`)).body)[0]
    expect(await headings('')).toEqual(await headings('&rows=pain_curve'))
    expect(await headings('&rows=oi_by_strike')).not.toEqual(await headings(''))
    expect((await headings('&rows=flat')).slice(0, 3)).toEqual(['symbol', 'as_of', 'underlying_price'])
    expect(await headings('&rows=scope.expirations')).toEqual(['symbol', 'as_of', 'row', 'value'])
    const along = parsedCsv((await ask('/v1/exposure/profile/SPY?format=csv&rows=*')).body)
    expect(along[0]).toEqual(['symbol', 'as_of', 'row', 'spots', 'gex', 'dex', 'vex', 'chex'])
    expect(along).toHaveLength(122)
  })

  test.each([
    ['format=xml', 'invalid_format', /json, csv or arrow.*'xml'/],
    ['format=', 'invalid_format', /empty/],
    ['format=csv&format=json', 'invalid_format', /more than once/],
    ['format=csv&rows=walls', 'invalid_rows', /flat, strikes, scope\.expirations.*'walls'/],
    ['format=csv&rows=strikes&rows=flat', 'invalid_rows', /more than once/],
    ['format=csv&rows=constructor', 'invalid_rows', /'constructor'/],
    ['formt=csv', 'unknown_parameter', /did you mean format/]
  ])('?%s is refused as JSON that says what there is', async (query, error, message) => {
    const response = await ask(`${path}?${query}`, { accept: 'text/csv' })
    expect(response.statusCode).toBe(400)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.json()).toMatchObject({ error, message: expect.stringMatching(message) })
  })

  test('is refused as JSON, with the status that JSON is refused with', async () => {
    const free = running.keyOn('free')
    for (const [url, by] of [
      ['/v1/exposure/levels/NOPE', key],
      [path, free],
      [path, 'not-a-key']
    ]) {
      const [json, table] = [await running.ask(url, by), await running.ask(`${url}?format=csv`, by)]
      expect(table.statusCode).toBe(json.statusCode)
      expect(table.statusCode).toBeGreaterThanOrEqual(400)
      expect({ ...table.json(), request_id: 0 }).toEqual({ ...json.json(), request_id: 0 })
    }
  })

  test.each([
    ['*/*'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['application/json, text/plain, */*'],
    ['text/csv;q=0, application/json'],
    ['text/csv;q=0.5, application/json'],
    ['text/csv;q=x'],
    [',,;;q=,'],
    [''],
    [`${'text/plain,'.repeat(1000)}text/csv`],
    ['text/csvx'],
    ['__proto__, constructor']
  ])('is not what Accept: %s asks for', async (accept) => {
    expect((await ask(path, { accept })).headers['content-type']).toMatch(/^application\/json/)
  })

  test.each([
    ['text/csv'],
    ['TEXT/CSV; header=present'],
    ['text/csv, application/json;q=0.5'],
    ['text/*']
  ])('is what Accept: %s asks for', async (accept) => {
    expect((await ask(path, { accept })).headers['content-type']).toBe(csv)
  })

  test('leaves an endpoint alone that says itself how it is written', async () => {
    const pine = await ask('/v1/exposure/chart-levels/SPY?format=pine')
    expect(pine.headers['content-type']).toMatch(/^text\/plain/)
    expect(pine.headers['vary']).not.toMatch(/\baccept,/)
    expect((await ask('/v1/exposure/chart-levels/SPY?rows=levels')).headers['x-ignored-parameters']).toBe('rows')
  })

  test('is had of answers that are made anew for each request', async () => {
    const greeks = await ask(`${exampleUrl(greeksEndpoint).url}&format=csv`)
    expect(greeks.headers['content-type']).toBe(csv)
    expect(greeks.headers['vary']).toMatch(/^accept, /)
    const [heading, ...rows] = parsedCsv(greeks.body)
    expect([heading.includes('first_order.delta'), rows.length]).toEqual([true, 1])
    const screened = await running.ask('/v1/screener?format=csv', running.keyOn('enterprise'), {
      method: 'POST',
      payload: { select: ['symbol', 'price'] }
    })
    expect(parsedCsv(screened.body)[0]).toEqual(['symbol', 'price'])
  })

  test('and JSON of one address are never sent for one another, also once they are kept', async () => {
    await running.app.listen({ host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}`
    const forms = ['application/json', 'text/csv', arrow, '*/*', 'text/csv, */*;q=0.1']
    const types = ['application/json; charset=utf-8', csv, arrow, 'application/json; charset=utf-8', csv]
    const bodies = new Map<string, string>()
    for (let round = 0; round < 4; round++) {
      for (const [k, accept] of [...forms, ...forms.toReversed()].entries()) {
        const type = [...types, ...types.toReversed()][k]
        const response = await fetch(base + path, { headers: { accept, 'x-api-key': key } })
        expect(response.headers.get('content-type')).toBe(type)
        const body = Buffer.from(await response.arrayBuffer()).toString('latin1')
        expect(body).toBe(bodies.get(type) ?? body)
        bodies.set(type, body)
      }
    }
    // A new chain renews what is in demand: each form becomes its own successor.
    running.clock.pass(60_000)
    for (const [k, accept] of forms.entries()) {
      const response = await fetch(base + path, { headers: { accept, 'x-api-key': key } })
      expect(response.headers.get('content-type')).toBe(types[k])
      const start = Buffer.from(await response.arrayBuffer())
        .toString('latin1')
        .slice(0, 7)
      expect(start).toBe(bodies.get(types[k])!.slice(0, 7))
    }
  })
})
