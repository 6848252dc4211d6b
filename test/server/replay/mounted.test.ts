import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttp } from '../../../src/server/http/http-server.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, replayService } from '../../support/replay.ts'

let running: ReplayService
let rest: FastifyInstance
let base: string
let alone: string

beforeAll(async () => {
  running = replayService({ history: memoryStore(await recordedDay('2026-07-29')) })
  rest = createHttp({ ...running.http, mounted: running.mounted })
  alone = await listen(running.replay, '127.0.0.1', 0)
  base = await listen(rest, '127.0.0.1', 0)
})
afterAll(async () => {
  await rest.close()
  await running.close()
})

const levels = '/v1/exposure/levels/KO?at=2026-07-29T12:00:00'
/** Headers that differ from one request to the next; the length by a duration in the body. */
const passing = ['date', 'x-request-id', 'connection', 'keep-alive', 'content-length']
const headersOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => !passing.includes(name)))
const get = (address: string, headers: Record<string, string> = { 'x-api-key': running.key }) =>
  fetch(address, { headers: { 'accept-encoding': 'identity', ...headers } })

test.each([
  levels,
  `${levels}&tz=et`,
  '/v1/tickers',
  '/v1/tickers?symbol=KO',
  '/v1/exposure/levels/KO',
  '/v1/exposure/levels/NOPE?at=2026-07-29T12:00:00',
  '/v1/account?at=2026-07-29T12:00:00',
  '/v1/exposure/levels/%ZZ?at=2026-07-29T12:00:00',
  '/health',
  '/livez',
  '/readyz',
  '/nowhere'
])('/replay%s answers as on the port of its own', async (path) => {
  const [here, there] = [await get(`${base}/replay${path}`), await get(alone + path)]
  expect([here.status, headersOf(here)]).toEqual([there.status, headersOf(there)])
  const plain = (body: string) => body.replace(/"(duration|request_id)":[^,}]+/g, '')
  expect(plain(await here.text())).toBe(plain(await there.text()))
})

test('answers carry a tag that holds on either, and are recorded as those of the historical host', async () => {
  const first = await get(`${base}/replay${levels}`)
  expect([first.status, first.headers.get('x-replay-at')]).toEqual([200, '2026-07-29T12:00:00'])
  const etag = first.headers.get('etag')!
  const held = { 'x-api-key': running.key, 'if-none-match': etag }
  expect((await get(`${base}/replay${levels}`, held)).status).toBe(304)
  expect((await get(alone + levels, held)).status).toBe(304)
  expect(running.records.at(-1)).toMatchObject({ route: 'replay /v1/exposure/levels/:symbol', status: 304 })
  const [byMount, byPort] = running.records.slice(-2)
  expect({ ...byMount, id: '', seconds: 0 }).toEqual({ ...byPort, id: '', seconds: 0 })
})

test('asks for the same key and plan', async () => {
  expect((await get(`${base}/replay${levels}`, {})).status).toBe(401)
  const refused = await get(`${base}/replay${levels}`, { 'x-api-key': running.keyOn('growth') })
  expect([refused.status, await refused.json()]).toMatchObject([403, { required_plan: 'Alpha' }])
})

test('the live host is asked where the prefix is no folder of the address, escaped, or named twice', async () => {
  for (const path of [
    '/replayed/v1/tickers',
    '/%72eplay/v1/tickers',
    '/replay/replay/v1/tickers',
    '//replay/v1/tickers'
  ]) {
    expect([path, (await get(base + path)).status]).toEqual([path, 404])
  }
  const live = (await (await get(`${base}/v1/tickers`)).json()) as object
  const past = (await (await get(`${base}/replay/v1/tickers`)).json()) as object
  expect(Object.keys(past)).toEqual(['count', 'tickers'])
  expect(live).not.toEqual(past)
})

test('its documentation names the path it is below', async () => {
  const document = (await (await get(`${base}/replay/openapi.json`)).json()) as { servers: unknown; paths: object }
  expect(document.servers).toEqual([{ url: '/replay' }])
  const own = (await (await get(`${alone}/openapi.json`)).json()) as { servers: unknown; paths: object }
  expect(own).toEqual({ ...document, servers: [{ url: '/' }] })
  const page = await (await get(`${base}/replay/swagger`)).text()
  const [script] = /src="([^"]+initializer\.js)"/.exec(page)!.slice(1)
  expect(script).toBe('/replay/swagger/static/swagger-initializer.js')
  expect((await get(base + script)).status).toBe(200)
})

test('a question of a browser beforehand is answered there too', async () => {
  const asked = await fetch(`${base}/replay/v1/tickers`, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example' }
  })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
})

test('requests of both hosts follow one another on a connection', async () => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  const head = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${running.key}\r\n${more}\r\n`
  socket.end(
    head(`/replay${levels}`) + head('/v1/exposure/levels/SPY') + head(`/replay${levels}`, 'connection: close\r\n')
  )
  const answers = (await text(socket)).split('HTTP/1.1 ').slice(1)
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['200', '200', '200'])
  expect(answers.map((answer) => /x-replay-at/.test(answer))).toEqual([true, false, true])
})
