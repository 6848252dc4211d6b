import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsedCsv } from '../../support/csv.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, replayService } from '../../support/replay.ts'

const gex = '/v1/exposure/gex/KO'
const noon = 'at=2026-07-29T12:00:00'

describe('a past answer as a table', () => {
  let running: ReplayService
  beforeAll(async () => {
    running = replayService({ history: memoryStore(await recordedDay('2026-07-29')) })
  })
  afterAll(() => running.close())

  test('has the cells of the JSON answer and says which moment it is about', async () => {
    for (const zone of ['utc', 'et']) {
      const url = `${gex}?${noon}&tz=${zone}`
      const [json, csv] = [await running.past(url), await running.past(`${url}&format=csv`)]
      expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(csv.headers['x-replay-as-of']).toBe(json.headers['x-replay-as-of'])
      expect(csv.headers['x-ignored-parameters']).toBeUndefined()
      const { strikes, as_of } = json.json()
      const [heading, ...lines] = parsedCsv(csv.body)
      expect(lines).toHaveLength(strikes.length)
      expect(lines[0].slice(0, 2)).toEqual(['KO', as_of])
      const at = heading.indexOf('net_gex')
      expect(lines.map((cells) => Number(cells[at]))).toEqual(
        strikes.map(({ net_gex }: { net_gex: number }) => net_gex)
      )
    }
  })

  test('is validated and kept apart from JSON', async () => {
    const first = await running.past(`${gex}?${noon}&format=csv`)
    const headers = { 'if-none-match': `${first.headers['etag']}` }
    expect((await running.past(`${gex}?${noon}&format=csv`, { headers })).statusCode).toBe(304)
    expect((await running.past(`${gex}?${noon}`, { headers })).statusCode).toBe(200)
    expect((await running.past(`${gex}?${noon}`, { headers: { accept: 'text/csv' } })).body).toBe(first.body)
  })

  test('is refused as JSON', async () => {
    expect((await running.past(`${gex}?format=csv`)).json().error).toBe('invalid_at')
    expect((await running.past(`${gex}?${noon}&rows=none`)).json().error).toBe('invalid_rows')
  })
})
