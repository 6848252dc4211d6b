import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assistantOperations } from '../../../src/app/assistant-operations.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { MAX_RESULT } from '../../../src/server/mcp/result.ts'
import { argumentsOf } from '../../../src/server/mcp/tool-schema.ts'
import { toolsOf } from '../../../src/server/mcp/toolbox.ts'
import { type Called, mcpService } from './mcp-service.ts'

type Host = Awaited<ReturnType<typeof mcpService>>
let host: Host
let call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Called>
beforeAll(async () => {
  host = await mcpService()
  call = (await host.connect()).call
})
afterAll(() => host.close())

const tools = toolsOf(assistantOperations(endpoints, { writes: false }))
const views = tools.flatMap(({ name, views: own }) =>
  own.map(({ word, operation }) => ({ name: `${name} ${word}`, tool: name, word, operation }))
)
const sizeOf = (result: Called) => Buffer.byteLength(JSON.stringify(result))

/** A symbol of which figures over time were recorded. */
const RECORDED = 'KO'
const ofRecorded: ReadonlySet<string> = new Set(['series.current', 'exposure.changes'])

/** ToolArguments of the examples of a view, and the address that asks REST the same. */
function example(operation: (typeof views)[number]['operation']) {
  const args: Record<string, unknown> = {}
  const query = new URLSearchParams()
  let url = operation.path
  for (const [name, { place, required, example: text, name: own }] of argumentsOf(operation)) {
    if (place === 'body' ? text === undefined : !required) continue
    const value = ofRecorded.has(operation.id) && name === 'symbol' ? RECORDED : text
    args[name] = value
    if (place === 'path') url = url.replace(`{${own}}`, String(value))
    if (place === 'query') query.set(own, String(value))
  }
  return { args, url: query.size === 0 ? url : `${url}?${query}`, body: operation.body?.example }
}

const ofMarket = views.filter(({ tool }) => tool !== 'alerts')

describe.each(ofMarket)('the view $name', ({ tool, word, operation }) => {
  const { args, url, body } = example(operation)
  test.each(['brief', 'full'])('answers within 20 KB what REST says, %s', async (detail) => {
    const result = await call(tool, { view: word, detail, ...args })
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy()
    expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RESULT)
    const said = result.structuredContent
    expect(said).toMatchObject({ view: `${tool}.${word}`, data: expect.anything() })
    for (const name of ['as_of', 'quality', 'source']) expect(said).toHaveProperty(name)
    const sent = body === undefined ? {} : { method: 'POST' as const, payload: body as object }
    const rest = (await host.ask(url, host.key, sent)).json()
    if (Array.isArray(rest)) return
    const changing = new Set(['usage_today', 'usage_by_day'])
    for (const [name, value] of Object.entries(rest)) {
      if (typeof value !== 'object' && !changing.has(name) && Object.hasOwn(said.data, name)) {
        expect([name, said.data[name]]).toEqual([name, typeof value === 'string' ? expect.any(String) : value])
      }
    }
  })

  test('is described within 20 KB', async () => {
    const result = await call('describe', { tool, view: word })
    expect(result.isError).toBeFalsy()
    expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RESULT)
    expect(Object.keys(result.structuredContent.arguments)).toEqual([...argumentsOf(operation).keys()])
  })
})

describe('an answer', () => {
  test('shows the strikes nearest to spot, and says what was cut and how to get it', async () => {
    const { structuredContent: said } = await call('exposure', { view: 'gex', symbol: 'SPY' })
    const { columns, rows, of } = said.data.strikes
    expect([rows.length, of]).toEqual([10, 17])
    expect(columns).toContain('net_gex')
    expect(said.more.cut).toEqual(['strikes: 10 nearest to spot of 17'])
    const strikes = rows.map((row: readonly number[]) => row[0])
    expect(Math.min(...strikes)).toBeLessThan(said.data.underlying_price)
    expect(Math.max(...strikes)).toBeGreaterThan(said.data.underlying_price)
  })

  test('pages through a list until nothing is left', async () => {
    const rest = (await host.ask('/v1/exposure/gex/SPY', host.key)).json()
    const found: unknown[] = []
    for (let from = 0; from < 17; from += 5) {
      const { structuredContent: said } = await call('exposure', {
        view: 'gex',
        symbol: 'SPY',
        part: 'strikes',
        from_row: from,
        rows: 5
      })
      found.push(...said.data.rows.map((row: readonly number[]) => row[0]))
    }
    expect(found).toEqual(rest.strikes.map(({ strike }: { readonly strike: number }) => strike))
  })

  test('is one row or figure where a part names it', async () => {
    const rest = (await host.ask('/v1/exposure/gex/SPY', host.key)).json()
    const row = rest.strikes.find(({ strike }: { readonly strike: number }) => strike === 100)
    const args = { view: 'gex', symbol: 'SPY' }
    expect((await call('exposure', { ...args, part: 'strikes[100]' })).structuredContent.data).toEqual(row)
    const { structuredContent: one } = await call('exposure', { ...args, part: 'strikes[100].net_gex' })
    expect([one.data, one.units]).toEqual([row.net_gex, { 'usd-notional': 'net_gex' }])
  })

  test('has rows with their times in place of arrays beside each other', async () => {
    const rest = (await host.ask('/v1/bars/SPY?every=1d', host.key)).json()
    const { structuredContent: said } = await call('history', { view: 'bars', symbol: 'SPY', every: '1d' })
    const { columns, rows, of } = said.data.rows
    expect([columns.slice(0, 5), of]).toEqual([['time', 'open', 'high', 'low', 'close'], rest.c.length])
    const starts = rest.t0 + rest.dt.reduce((sum: number, seconds: number) => sum + seconds, 0)
    expect(rows.at(-1).slice(0, 2)).toEqual([new Date(1000 * starts).toISOString(), rest.o.at(-1)])
  })

  test('says why a figure is null', async () => {
    const { structuredContent: said } = await call('exposure', { view: 'gex', symbol: 'SPY', part: 'scope' })
    expect([said.data.expiration, said.nulls]).toEqual([null, { 'scope.expiration': 'null for the whole chain' }])
  })

  test('of a script for a charting program is its text', async () => {
    const { structuredContent: said } = await call('exposure', { view: 'chart_levels', symbol: 'SPY', format: 'csv' })
    expect(said.data.text).toBe((await host.ask('/v1/exposure/chart-levels/SPY?format=csv', host.key)).body)
  })
})

test('hostile arguments meet refusals alone: no fault, no stack', async () => {
  const names = [
    'view',
    'symbol',
    'at',
    'part',
    'rows',
    'from_row',
    'detail',
    'legs',
    'filters',
    '__proto__',
    'words',
    'tool'
  ]
  const word = fc.constantFrom(...views.map((view) => view.word), '', 'constructor', '..', '\u0000', '\ud800', '0dte')
  const value = fc.oneof(word, fc.jsonValue(), fc.constantFrom('SPY', 'strikes[100]', '2026-07-29', 1e308, -1, null))
  const args = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value, { maxKeys: 6 })
  const named = fc.tuple(fc.constantFrom('find', 'describe', 'nothing', ...tools.map((tool) => tool.name)), args)
  for (const [name, sent] of fc.sample(named, { numRuns: 1000, seed: 36 })) {
    const response = await host.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        'x-api-key': host.key,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json'
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } })
    })
    expect([JSON.stringify(sent), response.statusCode < 500]).toEqual([JSON.stringify(sent), true])
    expect(response.body).not.toMatch(/ at .*\.(ts|js):\d+|node_modules|TypeError/)
    expect(response.body.length).toBeLessThan(1.1 * MAX_RESULT)
  }
  expect(host.errors).toEqual([])
}, 600_000)
