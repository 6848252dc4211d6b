import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ticker } from '../../../src/market/units.ts'
import { parseMoment } from '../../../src/replay/replay-moment.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, replayService } from '../../support/replay.ts'

let service: ReplayService
beforeAll(async () => {
  const rows = await recordedDay('2026-07-29')
  const [found] = rows.snapshots.filter(({ chain }) => chain.symbol === 'KO')
  const of = (symbol: string, moment: string, milliseconds: number, fidelity: 'recorded' | 'imported') => ({
    ...found!,
    fidelity,
    chain: { ...found!.chain, symbol: symbol as Ticker, asOf: parseMoment(moment)! + milliseconds }
  })
  const snapshots = [
    of('PEP', '2026-07-27T16:00:00', 0, 'imported'),
    of('PEP', '2026-07-29T10:30:00', 0, 'recorded'),
    of('PEP', '2026-07-29T11:30:00', 400, 'recorded'),
    of('PEP', '2026-07-29T16:04:00', 0, 'imported')
  ]
  service = replayService({ history: memoryStore({ ...rows, snapshots: [...rows.snapshots, ...snapshots] }) })
})
afterAll(() => service.close())

const recorded = async (query: string) => {
  const answer = await service.past(`/v1/recorded/${query}`)
  return { status: answer.statusCode, json: answer.json() }
}

test('each recorded moment of each session is named, and is answered with a snapshot of its own', async () => {
  const { status, json } = await recorded('PEP?from=2026-07-25&to=2026-07-30')
  expect([status, json]).toEqual([
    200,
    {
      symbol: 'PEP',
      sessions: [
        { date: '2026-07-27', level: 'imported', moments: ['16:00:00'] },
        { date: '2026-07-29', level: 'recorded', moments: ['10:30:00', '11:30:01', '16:04:00'] }
      ]
    }
  ])
  const seen = new Set<unknown>()
  for (const time of json.sessions[1].moments) {
    const answer = await service.past(`/v1/exposure/levels/PEP?at=2026-07-29T${time}`)
    expect(answer.statusCode).toBe(200)
    seen.add(answer.json().as_of)
  }
  expect(seen.size).toBe(3)
})

test('a weekly root has the moments of its index, and a day without any is none', async () => {
  const { sessions } = (await recorded('SPX?from=2026-07-29')).json
  expect(sessions[0].moments.length).toBeGreaterThan(5)
  expect((await recorded('SPXW?from=2026-07-29')).json).toEqual({ symbol: 'SPXW', sessions })
  expect((await recorded('PEP?from=2026-07-25')).json.sessions).toEqual([])
  expect((await recorded('PEP?from=2026-07-28')).json.sessions).toEqual([])
})

test.each([
  ['NOPE?from=2026-07-29', 404, 'no_coverage'],
  ['PEP', 400, 'invalid_parameter'],
  ['PEP?from=yesterday', 400, 'invalid_parameter'],
  ['PEP?from=2026-07-29&to=2026-07-28', 400, 'invalid_parameter'],
  ['PEP?from=2026-06-01&to=2026-07-29', 400, 'invalid_parameter']
])('%s is refused', async (query, status, code) => {
  const answer = await recorded(query)
  expect([answer.status, answer.json.error]).toEqual([status, code])
})
