import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/error.ts'
import { readsTapes } from '../../src/api/inputs/inputs.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { session } from '../../src/market/calendar.ts'
import type { Instant } from '../../src/market/units.ts'
import { ArchiveReader } from '../../src/replay/archive-reader.ts'
import { ReplayMarket } from '../../src/replay/replay-market.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { type ArchiveRows, laterRows, writeRows } from '../support/archive-rows.ts'
import { hasEngine } from '../support/engine.ts'
import { engineWith } from '../support/engine-with.ts'
import { followLive, inferredDate, inferredRows, inferredSymbol } from '../support/inferred-day.ts'
import { liveOver } from '../support/live-over.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { type MemoryStore, memoryStore } from '../support/memory-store.ts'
import { type Question, questionsOf } from '../support/questions.ts'
import { realArchives } from '../support/real-archives.ts'
import {
  inferredInMemory,
  type ReplayService,
  type ReplayServiceOptions,
  replayService,
  settledInMemory
} from '../support/replay.ts'
import { type Answer, answerAt, expectNothingLater, expectSame, expectText, inTurn } from '../support/same-answer.ts'
import { scriptedSource } from '../support/scripted-source.ts'

// Flow of a session whose archive has snapshots and no prints.

const flow = endpoints.filter(({ replay, needs }) => replay && readsTapes(needs))
const further = { minutes: ['3000'], windowMinutes: ['3000'], minScore: ['0'], metric: ['oi'], expiry: [inferredDate] }
/** One of the models of positions is of prints too. */
const models = endpoints.filter(({ id }) => id === 'exposure.models')
const questions = [...flow, ...models].flatMap((endpoint) =>
  questionsOf(endpoint, { symbol: 'KO', level: 'VIX', required: { resolution: '1m' } }, further)
)
const hours = ['T09:31:00', 'T12:00:30', 'T15:59:30', 'T16:00:00'] as const
const moments = hours.map((hour) => inferredDate + hour)

/** What needs no single print, no half-minute samples and no scan of many symbols. */
const inferable = [
  '/v1/flow/levels/KO',
  '/v1/flow/pin-risk/KO',
  '/v1/flow/summary/KO',
  '/v1/flow/gex/KO',
  '/v1/flow/dex/KO',
  '/v1/flow/dealer-risk/KO',
  '/v1/flow/oi/KO',
  '/v1/flow/live/KO',
  '/v1/flow/signals/KO',
  '/v1/flow/signals/KO/summary',
  '/v1/flow/options/KO/summary',
  '/v1/flow/options/KO/history',
  '/v1/flow/options/KO/cumulative',
  '/v1/flow/options/KO/dealer-premium',
  '/v1/flow/zero-dte/snapshot/KO'
]

/** Undefined for an endpoint's error. */
function refusalOf(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

const services: ReplayService[] = []
/** Every answer is made anew. */
function serviceOver(history: ReplayServiceOptions['history'], more: Partial<ReplayServiceOptions> = {}) {
  const service = replayService({ history, endpoints, cacheBytes: 1, ...more })
  services.push(service)
  return service
}
const answersAt = (service: ReplayService, moment: string): Promise<readonly Answer[]> =>
  inTurn(questions, async ({ address }) => {
    const answer = await answerAt(service, address, moment)
    if (answer.status < 500) return answer
    // The body names the request.
    const { error, message } = JSON.parse(answer.body)
    return { ...answer, body: JSON.stringify({ error, message }), headers: {} }
  })

let rows: ArchiveRows
let store: MemoryStore
const live = new Map<Instant, readonly (string | undefined)[]>()
const answers = new Map<string, readonly Answer[]>()

beforeAll(async () => {
  rows = await inferredRows()
  store = memoryStore(rows)
  const instants = moments.map((moment) => parseMoment(moment)!)
  await followLive(rows, instants, async (at, tapes) => {
    const ask = liveOver(rows, at, endpoints, tapes)
    const orRefused = (question: Question) => ask(question).catch((error) => refusalOf(error))
    live.set(at, await inTurn(questions, orRefused))
  })
  const service = serviceOver(store)
  for (const moment of moments) answers.set(moment, await answersAt(service, moment))
})
afterAll(async () => {
  for (const each of services) await each.close()
})

function expectAll(others: readonly Answer[], moment: string, what: string): void {
  for (const [k, { address }] of questions.entries()) {
    expectSame(others[k], answers.get(moment)![k], `${what} at ${moment}: ${address}`)
  }
}
const answerTo = (path: string, moment: string) =>
  answers.get(moment)![questions.findIndex(({ address }) => address.startsWith(`${path}?`))]

test.each(moments)('at %s flow is inferred, and says so', (moment) => {
  for (const path of inferable) {
    const { status, headers } = answerTo(path, moment)
    expect([status, headers['x-flow-source']], path).toEqual([200, 'inferred'])
  }
})

test('the volume of the day is what grew between the snapshots so far', () => {
  const volumes = moments.map((moment) => {
    const { buyVolume, sellVolume, midVolume } = JSON.parse(answerTo('/v1/flow/options/KO/summary', moment).body)
    return buyVolume + sellVolume + midVolume
  })
  expect(volumes[0]).toBeGreaterThan(0)
  expect(volumes).toEqual([...volumes].sort((a, b) => a - b))
  expect(new Set(volumes).size).toBe(moments.length)
})

describe.each(moments)('at %s every answer', (moment) => {
  const at = parseMoment(moment)!

  test('is that of an archive which holds nothing later', async () => {
    expectAll(await answersAt(serviceOver(store.cut(at)), moment), moment, 'cut')
    for (const [k, { address }] of questions.entries()) expectNothingLater(answers.get(moment)![k], at, address)
  })

  test('is that of an archive in which everything later is absurd', async () => {
    expectAll(await answersAt(serviceOver(store.poison(at)), moment), moment, 'poisoned')
  })

  test('stays when the archive gets what came later', async () => {
    const growing = store.cut(at)
    const service = serviceOver(growing)
    await answersAt(service, moment)
    await writeRows(growing, laterRows(rows, at))
    await answersAt(service, moments.at(-1)!)
    expectAll(await answersAt(service, moment), moment, 'after it grew')
  })

  test('is what the live service answered then', () => {
    for (const [k, { address }] of questions.entries()) {
      const { status, body } = answers.get(moment)![k]
      if (status === 200) expectText(live.get(at)![k], body, `live at ${moment}: ${address}`)
    }
  })
})

/** The flow of a moment at which a clock stands, over the whole archive. */
function standingOver(at: Instant) {
  const others = inlineEngine({ connector: scriptedSource(), assumptions: madeUpAssumptions, endpoints: new Map() })
  const engine = engineWith({ inferPrints: inferredInMemory, settledVolumes: settledInMemory }, others)
  const reader = new ArchiveReader(store, engine, { today: () => inferredDate })
  return Object.assign(() => new ReplayMarket(reader, at, []), { reader })
}

describe.each(moments)('a live service that stands at %s and has polled once', (moment) => {
  test('answers flow as replay does, and refuses what replay refuses', async () => {
    const at = parseMoment(moment)!
    const standing = standingOver(at)
    const ask = liveOver(rows, at, endpoints, { standing, pastTapes: standing.reader.tapes })
    for (const [k, question] of questions.entries()) {
      const { status, body } = answers.get(moment)![k]
      const text = await ask(question).catch((error) => refusalOf(error))
      if (status === 200) expectText(text, body, `standing at ${moment}: ${question.address}`)
      else expect(text, question.address).toBeUndefined()
    }
  })
})

test('snapshots that are added before the moment count at once', async () => {
  const moment = moments[1]
  const at = parseMoment(moment)!
  const noon = at - 30_000
  const isNoon = ({ chain }: ArchiveRows['snapshots'][number]) => chain.asOf === noon
  const growing = memoryStore({ ...rows, snapshots: rows.snapshots.filter((row) => !isNoon(row)) })
  const service = serviceOver(growing)
  await answersAt(service, moment)
  await growing.writeSnapshots(rows.snapshots.filter(isNoon))
  expectAll(await answersAt(service, moment), moment, 'added')
})

test('of snapshots hours apart the volume is known, and no side of it', async () => {
  const hours = ['T09:31:00', 'T12:00:00', 'T15:59:00'].map((hour) => parseMoment(inferredDate + hour))
  const service = serviceOver(
    memoryStore({ ...rows, snapshots: rows.snapshots.filter(({ chain }) => hours.includes(chain.asOf)) })
  )
  const { headers, body } = await answerAt(service, '/v1/flow/options/KO/summary?', moments[2])
  expect(headers['x-flow-source']).toBe('inferred')
  expect(JSON.parse(body)).toMatchObject({ buyVolume: 0, sellVolume: 0, midVolume: expect.any(Number) })
  expect(JSON.parse(body)['midVolume']).toBeGreaterThan(0)
  expect(JSON.parse((await answerAt(service, '/v1/flow/summary/KO?', moments[2])).body)['flow_direction']).toBe(
    'no_flow'
  )
})

describe('at the first snapshot of a session', () => {
  const moment = `${inferredDate}T09:30:00`
  const first = (path: string) => answerAt(serviceOver(store), `${path}?`, moment)

  test('positions are those of official open interest, and no source of flow is named', async () => {
    const { status, headers, body } = await first('/v1/flow/summary/KO')
    expect([status, headers['x-flow-source']]).toEqual([200, 'none'])
    expect(JSON.parse(body)).toMatchObject({ flow_direction: 'no_flow', intraday_oi_delta: 0, contracts_with_flow: 0 })
  })

  test('what needs flow within the session is refused with the reason', async () => {
    const { status, body } = await first('/v1/flow/options/KO/summary')
    expect([status, JSON.parse(body)]).toMatchObject([404, { error: 'no_data' }])
    expect(JSON.parse(body)['message']).toContain('one snapshot by then: no flow within the session')
  })
})

describe('of a session with its close alone', () => {
  const close = session(inferredDate)!.close
  const closes = () => memoryStore({ ...rows, snapshots: rows.snapshots.filter(({ chain }) => chain.asOf === close) })
  const volume = () => {
    const { chain } = rows.snapshots.find((row) => row.chain.symbol === inferredSymbol && row.chain.asOf === close)!
    return chain.volume.reduce((sum, count) => sum + Math.max(0, count), 0)
  }
  const asked = (path: string, moment: string = inferredDate) => answerAt(serviceOver(closes()), path, moment)

  test('the volume of the day is settled, without sides and without a word of single prints', async () => {
    const { status, headers, body } = await asked('/v1/flow/options/KO/summary?')
    expect([status, headers['x-flow-source']]).toEqual([200, 'settled'])
    expect(volume()).toBeGreaterThan(0)
    expect(JSON.parse(body)).toMatchObject({
      buyVolume: 0,
      sellVolume: 0,
      midVolume: volume(),
      totalTrades: null,
      biggestSingleTrade: null,
      lastTradeUtc: null
    })
  })

  test('each expiration has its part of the volume', async () => {
    const all = JSON.parse((await asked('/v1/flow/options/KO/summary?')).body)
    const today = JSON.parse((await asked(`/v1/flow/options/KO/summary?expiry=${inferredDate}`)).body)
    expect(today['midVolume']).toBeGreaterThan(0)
    expect(today['midVolume']).toBeLessThan(all['midVolume'])
    expect(today['contractsWithTrades']).toBeLessThan(all['contractsWithTrades'])
  })

  test('figures within the session are refused with the reason, and positions are those of official open interest', async () => {
    const { status, body } = await asked('/v1/flow/options/KO/history?')
    expect([status, JSON.parse(body)['message']]).toEqual([404, expect.stringContaining('has the volume of the day')])
    expect((await asked('/v1/flow/summary/KO?')).headers['x-flow-source']).toBe('none')
  })

  test('nothing is settled before the close', async () => {
    expect((await asked('/v1/flow/options/KO/summary?', `${inferredDate}T15:59:59`)).status).toBe(404)
  })
})

test('what would cost every snapshot of every symbol is refused, and the reason is said', async () => {
  for (const path of ['/v1/flow/options/leaderboard?', '/v1/flow/zero-dte/leaderboard?']) {
    const { status, body } = await answerAt(serviceOver(store), path, moments[1])
    expect([status, JSON.parse(body)['message']], path).toEqual([
      404,
      expect.stringContaining('every snapshot of each')
    ])
  }
  const { status, body } = await answerAt(serviceOver(store), '/v1/flow/hedge-flow/KO?', moments[1])
  expect([status, JSON.parse(body)['message']]).toEqual([404, expect.stringContaining('each half minute')])
})

test('snapshots without volumes give no flow, and the reason is said', async () => {
  const snapshots = rows.snapshots.map(({ chain, ...row }) => ({
    ...row,
    chain: { ...chain, volume: chain.volume.map(() => -1) }
  }))
  const service = serviceOver(memoryStore({ ...rows, snapshots }))
  const { status, body } = await answerAt(service, '/v1/flow/options/KO/summary?', moments[1])
  expect([status, JSON.parse(body)['message']]).toEqual([404, expect.stringContaining('have no volumes')])
  expect((await answerAt(service, '/v1/flow/summary/KO?', moments[1])).headers['x-flow-source']).toBe('none')
})

describe.skipIf(!hasEngine)('the real archive', () => {
  const { open, restore } = realArchives()

  test('gives the same answers', async () => {
    const history = await open()
    await writeRows(history, rows)
    const service = serviceOver(history, { restore })
    expectAll(await answersAt(service, moments[1]), moments[1], 'the database')
    await history.close()
  })
})
