import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readsTapes } from '../../src/api/inputs/inputs.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { UNKNOWN } from '../../src/market/chain.ts'
import type { Instant } from '../../src/market/units.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import { Chance } from '../../trials/chance.ts'
import { writeRows } from '../support/archive-rows.ts'
import { hasEngine } from '../support/engine.ts'
import { sizes } from '../support/flow-cases.ts'
import { type FlowDay, flowDate, flowHours, recordFlowDay, stillHour } from '../support/flow-day.ts'
import { liveOver } from '../support/live-over.ts'
import { type MemoryStore, memoryStore } from '../support/memory-store.ts'
import { type Further, questionsOf } from '../support/questions.ts'
import { realArchives } from '../support/real-archives.ts'
import { type ReplayService, type ReplayServiceOptions, replayService } from '../support/replay.ts'
import { type Answer, answerAt, expectNothingLater, expectSame, expectText, inTurn } from '../support/same-answer.ts'

// The proofs that nothing of the past shows what came later, for everything that is made of prints.

const flow = endpoints.filter(({ replay, needs }) => replay && readsTapes(needs))

/** Values for the parameters that reach for other rows: those of the session before, too. */
const further: Further = {
  minutes: ['390', '3000'],
  windowMinutes: ['30', '3000'],
  resolution: ['1s', '5m'],
  bar: ['1m'],
  minSize: ['1'],
  limit: ['500'],
  minScore: ['0'],
  minTrades: ['1'],
  metric: ['oi'],
  mode: ['delta'],
  expiry: [flowDate]
}
const questions = flow.flatMap((endpoint) =>
  questionsOf(endpoint, { symbol: 'KO', level: 'VIX', required: { resolution: '1m' } }, further)
)
const moments = flowHours.map((hour) => flowDate + hour)

/** Every answer is made anew. */
const unkept = { endpoints, cacheBytes: 1 }
const services: ReplayService[] = []
function serviceOver(history: ReplayServiceOptions['history'], more: Partial<ReplayServiceOptions> = {}) {
  const service = replayService({ history, ...unkept, ...more })
  services.push(service)
  return service
}
const answersAt = (service: ReplayService, moment: string, asked = questions): Promise<readonly Answer[]> =>
  inTurn(asked, ({ address }) => answerAt(service, address, moment))

let day: FlowDay
let store: MemoryStore
let service: ReplayService
/** Answers of the live service, by moment. */
const live = new Map<Instant, readonly (string | undefined)[]>()
/** Answers about the same moments, made from everything that was recorded. */
const answers = new Map<string, readonly Answer[]>()

beforeAll(async () => {
  day = await recordFlowDay(async (at, tapes, rows) => {
    live.set(at, await inTurn(questions, liveOver(rows, at, endpoints, tapes)))
  })
  store = memoryStore(day.rows, day.tapes)
  service = serviceOver(store)
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

test('what is made of prints alone prices no chain, and has the score of none', async () => {
  const fresh = serviceOver(store)
  const alone = flow.filter(({ needs }) => needs.includes('tapeSubject'))
  expect(alone).toHaveLength(13)
  const asked = questions.filter(({ endpoint, symbol }) => alone.includes(endpoint) && symbol === 'KO')
  const [moment] = moments
  for (const { status, headers } of await answersAt(fresh, moment, asked)) {
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('x-data-quality')
    expect(headers['x-replay-as-of']).toBe(answers.get(moment)![0].headers['x-replay-as-of'])
  }
  expect(fresh.made).toEqual([])
})

test('every route of flow that is replayed has answers at every moment', () => {
  expect(flow).toHaveLength(33)
  for (const moment of moments) {
    for (const { id, path } of flow) {
      const its = questions.flatMap(({ endpoint, symbol }, k) =>
        endpoint.id === id && (symbol === 'KO' || !path.includes('{')) ? [answers.get(moment)![k]] : []
      )
      expect(
        its.map(({ status }) => status),
        `${path} at ${moment}`
      ).not.toContain(404)
      for (const { headers } of its) expect(headers['x-flow-source'], path).toBe('synthetic')
    }
  }
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

  test('is what the live service answered then', () => {
    for (const [k, { address }] of questions.entries()) {
      const { status, body } = answers.get(moment)![k]
      // Live, a tape without prints is an answer.
      if (status === 200) expectText(live.get(at)![k], body, `live at ${moment}: ${address}`)
    }
  })
})

describe('the order of the questions changes nothing', () => {
  const asked = moments.flatMap((moment) => questions.map(({ address }, k) => ({ moment, address, k })))
  const again = async (from: ReplayService, order: typeof asked) => {
    for (const { moment, address, k } of order) {
      expectSame(await answerAt(from, address, moment), answers.get(moment)![k], `again at ${moment}: ${address}`)
    }
  }

  test('backwards', () => again(service, asked.toReversed()))

  test('by chance', async () => {
    const chance = new Chance(13)
    const drawn = asked.map((question) => ({ question, at: chance.next() })).sort((a, b) => a.at - b.at)
    await again(
      serviceOver(store),
      drawn.map(({ question }) => question)
    )
  })
})

test('a date alone is its close', async () => {
  expectAll(await answersAt(service, flowDate), `${flowDate}T16:00:00`, 'the date')
})

describe('around a moment', () => {
  const paths = { options: '/v1/flow/options/KO/recent?limit=500', stocks: '/v1/flow/stocks/KO/recent?limit=500' }
  /** The sizes of what printed around noon, as they are shown so many seconds after it. */
  const sizesAt = async (path: string, field: string, after: number) => {
    const { body } = await answerAt(service, path, `${flowDate}T12:00:0${after}`)
    const rows = JSON.parse(body)[field] as readonly { readonly ts: string; readonly size: number }[]
    const noon = parseMoment(`${flowDate}T12:00:00`)!
    return rows.filter(({ ts }) => Math.abs(Date.parse(ts) - noon) < 10_000).map(({ size }) => size)
  }

  describe.each(Object.entries(paths))('the prints of %s', (_, path) => {
    const trades = async (after: number, ...named: readonly number[]) => {
      const found = await sizesAt(path, 'trades', after)
      return named.map((size) => found.includes(size))
    }

    test('have one that arrives late once it has come', async () => {
      expect(await trades(0, sizes.late)).toEqual([false])
      expect(await trades(2, sizes.late)).toEqual([true])
    })

    test('have one that is cancelled until it is', async () => {
      expect(await trades(0, sizes.cancelled)).toEqual([true])
      expect(await trades(1, sizes.cancelled)).toEqual([false])
    })

    test('have one that is corrected as it was, then as it is right', async () => {
      expect(await trades(1, sizes.wrong, sizes.right)).toEqual([true, false])
      expect(await trades(2, sizes.wrong, sizes.right)).toEqual([false, true])
    })

    test('go on after a gap', async () => {
      expect(await trades(3, sizes.gap)).toEqual([false])
      expect(await trades(4, sizes.gap)).toEqual([true])
    })
  })

  test('a sweep shows the prints that had come, and none while it goes on', async () => {
    const path = '/v1/flow/signals/KO?minScore=0&limit=500'
    const before = 2 * sizes.sweep
    const whole = before + sizes.extension
    const signals = async (after: number) => {
      const found = await sizesAt(path, 'signals', after)
      return [before, whole].map((size) => found.filter((one) => one === size).length)
    }
    expect(await signals(0)).toEqual([1, 0]) // that which a late print joins
    expect(await signals(1)).toEqual([1, 1])
    expect(await signals(3)).toEqual([0, 2])
  })
})

test('a sweep is there once no print can join it, though nothing prints, in whichever order it is asked for', async () => {
  const count = async (from: ReplayService, hour: string) => {
    const { body } = await answerAt(from, '/v1/flow/signals/KO?windowMinutes=1', flowDate + hour)
    return JSON.parse(body)['count'] as number
  }
  const other = serviceOver(store)
  expect(await count(service, stillHour)).toBe(0)
  expect(await count(service, 'T11:00:01')).toBe(1)
  expect(await count(other, 'T11:00:01')).toBe(1)
  expect(await count(other, stillHour)).toBe(0)
})

test('a day of which neither prints nor volumes were recorded is answered without flow, or not at all', async () => {
  const snapshots = day.rows.snapshots.map(({ chain, ...row }) => ({
    ...row,
    chain: { ...chain, volume: chain.volume.map(() => UNKNOWN) }
  }))
  const untaped = await answersAt(serviceOver(memoryStore({ ...day.rows, snapshots })), moments[1])
  for (const [k, { address, endpoint, symbol }] of questions.entries()) {
    const { status, body, headers } = untaped[k]
    const isOfOpenInterest = symbol === 'KO' && endpoint.needs[0] === 'chain'
    if (isOfOpenInterest) expect([status, headers['x-flow-source']], address).toEqual([200, 'none'])
    else expect([status, JSON.parse(body)['error']], address).toEqual([404, 'no_data'])
  }
})

describe.skipIf(!hasEngine)('the real archive', () => {
  const { open, restore } = realArchives()

  test('gives the same answers', async () => {
    const history = await open()
    await writeRows(history, day.rows)
    for (const text of day.written) await history.writeTapes(text)
    const real = serviceOver(history, { restore })
    // Every question is many queries here: each route is asked plainly, and about the sessions before.
    const asked = questions.filter(({ query, symbol }) => {
      return symbol !== 'VIX' && query.every(([name, value]) => name === 'resolution' || value === '3000')
    })
    const found = await answersAt(real, moments[1], asked)
    for (const [k, question] of asked.entries()) {
      expectSame(found[k], answers.get(moments[1])![questions.indexOf(question)], `the database: ${question.address}`)
    }
    await history.close()
  })
})
