import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWaitingFigures } from '../../src/app/background-work.ts'
import { seriesFieldNames } from '../../src/endpoints/series/fields.ts'
import { figureRow } from '../../src/endpoints/series/row.ts'
import { session } from '../../src/market/calendar.ts'
import type { Chain } from '../../src/market/chain.ts'
import { easternDateTime } from '../../src/market/eastern.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { FigureMaker } from '../../src/replay/figure-maker.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { engineWith, type TestTasks } from '../support/engine-with.ts'
import { flowDate, recordFlowDay } from '../support/flow-day.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { type MemoryStore, memoryStore } from '../support/memory-store.ts'
import { type ReplayService, replayService, restored } from '../support/replay.ts'
import { scriptedSource } from '../support/scripted-source.ts'

// Figures over time made of an archive with a tape, asked of the host of the past.

const ko = 'KO' as Ticker
const { open, close } = session(flowDate)!
const later = Number.MAX_SAFE_INTEGER

interface Series {
  readonly t: readonly string[]
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>
  readonly incomplete: readonly { readonly from: string; readonly to: string }[]
}
type Node = { readonly [Name in string]: number | null | Node | readonly Node[] }

let store: MemoryStore
let service: ReplayService
let maker: FigureMaker

beforeAll(async () => {
  const { rows, tapes } = await recordFlowDay(async () => {})
  store = memoryStore(rows, tapes)
  service = replayService({ history: store })
  const inner = inlineEngine({ connector: scriptedSource(), assumptions: madeUpAssumptions, endpoints: new Map() })
  // An archive in memory holds the chain itself.
  const priceFigureRow: TestTasks['priceFigureRow'] = (asked) =>
    inner.run('priceFigureRow', 'snapshot' in asked ? { ...asked, chain: asked.snapshot.packed as Chain } : asked)
  const engine = engineWith({ priceFigureRow }, inner)
  maker = new FigureMaker({ store, engine })
})
afterAll(() => service.close())

const signal = new AbortController().signal
const asked = async <Answer>(path: string, at: Instant): Promise<Answer> => {
  const answer = await service.past(`${path}${path.includes('?') ? '&' : '?'}at=${easternDateTime(at)}`)
  expect(answer.statusCode, `${path} ${answer.body}`).toBe(200)
  return answer.json() as Answer
}
const allOf = (at: Instant) => asked<Series>(`/v1/series/KO?fields=${seriesFieldNames.join()}`, at)

describe('figures of an archive that has none', () => {
  test('are 404, which says that they wait to be made', async () => {
    const answer = await service.past(`/v1/series/KO?at=${flowDate}T12:00:00`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      404,
      { error: 'no_data', message: expect.stringMatching(/wait to be made/) }
    ])
  })

  test('are made of what was recorded live without the tape, and then wait for it', async () => {
    const moments = (await store.waitingFigures(later, ko)).flatMap((day) => day.moments)
    const chains = await Promise.all(
      moments.map(async (at) => restored((await store.snapshot(ko, at))!).then((chain) => figureRow(chain, undefined)))
    )
    await store.writeFigures(chains, await store.clock())
    const found = await allOf(close)
    expect(found.t.length).toBeGreaterThan(8)
    expect(found.columns['flow.net_gex_live']).toEqual(found.t.map(() => null))
    expect(found.incomplete).toEqual([{ from: new Date(open).toISOString(), to: new Date(close).toISOString() }])
    expect((await asked<Series>('/v1/series/KO', close)).incomplete).toEqual([])
  })

  test('are made in the background, the close of each day first, until none waits', async () => {
    const written: string[] = []
    const spying: Pick<FigureMaker, 'make'> = {
      make: (day, options) => {
        written.push(`${day.symbol} ${day.date} ${day.moments.length}`)
        return maker.make(day, options)
      }
    }
    const { made, failure } = await makeWaitingFigures({ store, maker: spying, now: () => close + 1e12, signal })
    expect(failure).toBeUndefined()
    expect(made).toBe(written.reduce((sum, text) => sum + Number(text.split(' ')[2]), 0))
    expect(written.slice(0, 3).every((text) => text.endsWith(' 1'))).toBe(true)
    expect(await store.waitingFigures(later)).toEqual([])
    expect((await allOf(close)).incomplete).toEqual([])
  })
})

describe('figures over time', () => {
  test('are what the answers about their moments say, prints included', async () => {
    const { t, columns } = await allOf(close)
    const at = (path: string, node: Node) =>
      path.split('.').reduce<unknown>((found, name) => (found as Node | null)?.[name], node) ?? null
    for (const [k, text] of t.entries()) {
      const moment = Date.parse(text)
      const summary = await asked<Node>('/v1/exposure/summary/KO', moment)
      const zeroDte = await asked<Node>('/v1/exposure/zero-dte/KO', moment)
      const gex = await asked<Node>('/v1/flow/gex/KO', moment)
      const minutes = Math.floor((moment - open) / 60_000) + 1
      const premium = await asked<Node>(`/v1/flow/options/KO/dealer-premium?windowMinutes=${minutes}`, moment)
      const hedge = await asked<Node>('/v1/flow/zero-dte/hedge-flow/KO?minutes=390&bar=30s', moment)
      const expected = {
        underlying_price: summary['underlying_price'],
        net_gex: at('exposures.net_gex', summary),
        gamma_flip: summary['gamma_flip'],
        'zero_dte.pin_score': at('pin_risk.pin_score', zeroDte),
        'zero_dte.remaining_1sd_dollars': at('expected_move.remaining_1sd_dollars', zeroDte),
        'flow.net_gex_live': gex['live_net_gex'],
        'flow.net_premium': 0 - (premium['net_dealer_premium'] as number),
        'flow.delta_dollars': (hedge['bars'] as readonly Node[]).at(-1)?.['cumulative'] ?? null
      }
      const found = Object.fromEntries(Object.keys(expected).map((name) => [name, columns[name][k]]))
      expect(found, text).toEqual(expected)
    }
    expect(columns['flow.net_premium'].some((figure) => figure !== 0)).toBe(true)
    expect(columns['flow.delta_dollars'].some((figure) => figure !== null)).toBe(true)
  })

  test('end at the moment that is asked about, and a session is whole once it has closed', async () => {
    const noon = await asked<Series>('/v1/series/KO?to=2027-01-01', open + 150 * 60_000 + 1000)
    expect(noon.t.at(-1)).toBe(new Date(open + 150 * 60_000).toISOString())
    const from = '2026-07-30'
    const before = await asked<Series>(`/v1/series/KO?every=1d&from=${from}`, close - 20_000)
    expect(before.t).toEqual(['2026-07-30T20:00:00.000Z'])
    const after = await asked<Series>(`/v1/series/KO?every=1d&from=${from}`, close)
    expect(after.t).toEqual(['2026-07-30T20:00:00.000Z', new Date(close).toISOString()])
  })

  test('come in the form that the caller accepts, with a tag of its own, and caches are told', async () => {
    const url = `/v1/series/KO?fields=net_gex,gamma_flip&at=${flowDate}T12:00:00`
    const form = async (accept: string) => {
      const { headers, body, rawPayload } = await service.past(url, { headers: { accept } })
      return { type: headers['content-type'], tag: headers.etag, vary: headers.vary, body, rawPayload }
    }
    const [json, csv] = [await form('application/json, */*'), await form('text/csv')]
    const arrow = await form('application/vnd.apache.arrow.stream;q=0.9, application/json;q=0.5')
    expect([json.type, csv.type, arrow.type]).toEqual([
      'application/json; charset=utf-8',
      'text/csv; charset=utf-8',
      'application/vnd.apache.arrow.stream'
    ])
    expect(csv.body.split('\n')[0]).toBe('t,net_gex,gamma_flip')
    expect(csv.body.trim().split('\n')).toHaveLength(1 + JSON.parse(json.body).t.length)
    expect(arrow.rawPayload.subarray(0, 4)).toEqual(Buffer.from([255, 255, 255, 255]))
    expect(new Set([json.tag, csv.tag, arrow.tag]).size).toBe(3)
    for (const { vary } of [json, csv, arrow]) expect(vary).toBe('accept, accept-encoding, origin')
    const again = await service.past(url, { headers: { accept: 'text/csv', 'if-none-match': `${csv.tag}` } })
    expect(again.statusCode).toBe(304)
    expect((await form('text/html')).type).toBe(json.type)
    expect((await form('text/*')).type).toBe(csv.type)
    expect((await form('*/*')).type).toBe(json.type)
    expect((await form('text/csv;q=0')).type).toBe(json.type)
    const { vary } = (await service.past(`/v1/exposure/gex/KO?at=${flowDate}T12:00:00`)).headers
    expect(vary).toBe('accept, accept-encoding, origin')
  })

  test('take a plan with replay here and Growth on the live host, where nothing of the symbol is kept', async () => {
    const past = await service.past(`/v1/series/KO?at=${flowDate}T12:00:00`, { with: service.keyOn('growth') })
    expect([past.statusCode, past.json()]).toMatchObject([403, { error: 'tier_restricted' }])
    const live = (plan: 'basic' | 'growth') =>
      service.app.inject({ url: '/v1/series/SPY', headers: { 'x-api-key': service.keyOn(plan) } })
    expect((await live('basic')).json()).toMatchObject({ error: 'tier_restricted', required_plan: 'Growth' })
    expect((await live('growth')).json()).toMatchObject({
      error: 'no_data',
      message: expect.stringMatching(/keeps no history/)
    })
  })

  test.each([
    ['fields=net_gx', 'invalid_fields', /did you mean net_gex/],
    ['from=2026-07-29&to=2026-07-28', 'invalid_from', /after to/],
    ['to=today', 'invalid_to', /New York/],
    ['every=3m', 'invalid_every', /every must be/],
    ['from=2024-01-02', 'invalid_every', /finest that fits/]
  ])('%s is 400 %s', async (query, code, message) => {
    const answer = await service.past(`/v1/series/KO?${query}&at=${flowDate}T12:00:00`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: code, message: expect.stringMatching(message) }
    ])
  })
})
