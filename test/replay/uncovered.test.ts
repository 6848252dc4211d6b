import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { writeRows } from '../support/archive-rows.ts'
import { memoryStore } from '../support/memory-store.ts'
import { recordedDay } from '../support/recorded-days.ts'
import { replayService } from '../support/replay.ts'

// The day is recorded around some hours: at 11:00 its newest snapshot is of 09:32, and the days before have a close alone.

const signals = endpoints.filter(({ tag }) => tag === 'strategies')
let service: ReturnType<typeof replayService>
beforeAll(async () => {
  const history = memoryStore()
  await writeRows(history, await recordedDay('2026-07-29'))
  service = replayService({ history, from: '2026-01-01' })
  return () => service.close()
})

const ask = async (path: string, moment: string, symbol = 'KO') => {
  const { statusCode, json } = await service.past(`${path.replace('{symbol}', symbol)}?at=${moment}`)
  return { status: statusCode, body: json() }
}

test.each(signals.map(({ path }) => path))('%s says so, at the price that was last known', async (path) => {
  const stale = await ask(path, '2026-07-29T11:00:00')
  expect(stale).toMatchObject({
    status: 200,
    body: {
      timestamp: '2026-07-29T15:00:00.000Z',
      decision: 'insufficient_data',
      regime: 'symbol_not_covered_historically',
      score: 0,
      confidence: 0,
      best_structures: [],
      avoid_if: []
    }
  })
  const recorded = await service.past('/v1/exposure/levels/KO?at=2026-07-29T09:32:00')
  expect(stale.body.metrics.underlying_price).toBe(recorded.json().underlying_price)
  const another = await ask(path, '2026-07-27T11:00:00')
  expect(another.body.regime).toBe('symbol_not_covered_historically')
})

test('other routes refuse such a moment, and signals one that is no session time or a symbol never recorded', async () => {
  const [{ path }] = signals
  expect((await ask('/v1/exposure/levels/{symbol}', '2026-07-29T11:00:00')).status).toBe(404)
  expect(await ask(path, '2026-07-29T08:00:00')).toMatchObject({ status: 404, body: { error: 'no_data' } })
  expect(await ask(path, '2026-07-26T12:00:00')).toMatchObject({ status: 404, body: { error: 'no_data' } })
  expect(await ask(path, '2026-07-29T12:00:00', 'NOPE')).toMatchObject({
    status: 404,
    body: { error: 'symbol_not_found' }
  })
  expect((await ask(path, '2026-07-29T12:00:00')).body.regime).not.toBe('symbol_not_covered_historically')
})
