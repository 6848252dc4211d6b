import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { features } from '../../../src/api/feature.ts'
import { endpointsWith } from '../../../src/endpoints/index.ts'
import { flowDate, recordFlowDay } from '../../support/flow-day.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { questionsOf } from '../../support/questions.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, replayService } from '../../support/replay.ts'

const endpoints = endpointsWith(features)
const replayed = endpoints.filter(({ replay }) => replay)
const subjects = { symbol: 'KO', level: 'VIX', required: { symbols: 'KO,T', index: 'XLE', resolution: '1m' } }
const at = `at=${flowDate}T12:00:00`

let plain: ReplayService
let compatible: ReplayService
beforeAll(async () => {
  const { rows, tapes } = await recordFlowDay(async () => {})
  const history = memoryStore({ ...(await recordedDay(flowDate)), zeroDte: rows.zeroDte ?? [] }, tapes)
  plain = replayService({ history, endpoints })
  compatible = replayService({ history, endpoints, shape: 'compatible' })
})
afterAll(async () => {
  await plain.close()
  await compatible.close()
})

type Json = Readonly<Record<string, unknown>>

/** The differences that docs/replay.md lists, by the id of the endpoint. */
const inPayload = ({ symbol, underlying_price, as_of, ...payload }: Json) => ({
  symbol,
  underlying_price,
  as_of,
  payload
})
const differences: Readonly<Record<string, (answer: Json) => unknown>> = {
  'exposure.dex': inPayload,
  'exposure.vex': inPayload,
  'exposure.chex': inPayload,
  'exposure.summary': (answer) => {
    const { spot_down_1pct: down, spot_up_1pct: up } = answer['hedging_estimate'] as Record<
      string,
      { direction: string }
    >
    const small = <T extends { direction: string }>(hedge: T) => ({
      ...hedge,
      direction: hedge.direction.toLowerCase()
    })
    return { ...answer, hedging_estimate: { spot_down_1pct: small(down!), spot_up_1pct: small(up!) } }
  },
  'surface.current': (answer) => ({ ...answer, slices_used: expect.any(Array) })
}

test('endpoints say that they have a compatible shape exactly where one is listed', () => {
  const declared = replayed.filter((endpoint) => endpoint.compatible !== undefined).map(({ id }) => id)
  expect(declared.sort()).toEqual(Object.keys(differences).sort())
  expect(endpoints.filter(({ replay, compatible: reshape }) => !replay && reshape !== undefined)).toEqual([])
})

describe.each(replayed.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const [{ address }] = questionsOf(endpoint, subjects, {})
  const url = `${address}${address.endsWith('?') ? '' : '&'}${at}`

  test('differs in the compatible shape as listed and in the clock of its times alone', async () => {
    const eastern = await plain.past(`${url}&tz=et`)
    const asked = await plain.past(`${url}&shape=compatible`)
    expect([asked.statusCode, asked.headers['content-type']]).toEqual([
      eastern.statusCode,
      eastern.headers['content-type']
    ])
    const expected = eastern.statusCode === 200 ? (differences[id] ?? same)(eastern.json()) : eastern.json()
    expect(withoutId(asked.json())).toEqual(withoutId(expected))
    if (eastern.statusCode === 200) answered.push(id)
  })

  test('has that shape where the operator chose it, and the plain one on request', async () => {
    const [chosen, asked] = [await compatible.past(url), await plain.past(`${url}&shape=compatible`)]
    expect(withoutId(chosen.json())).toEqual(withoutId(asked.json()))
    const [back, usual] = [await compatible.past(`${url}&shape=plain`), await plain.past(url)]
    expect(withoutId(back.json())).toEqual(withoutId(usual.json()))
  })
})

const same = (answer: Json): unknown => answer
const answered: string[] = []
/** Refusals name the request in the log. */
const withoutId = (body: unknown) => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { request_id: _, ...rest } = body as Json
  return rest
}

test('nearly all of them were compared by an answer, those with a shape of their own all', () => {
  expect(answered.length).toBeGreaterThan(0.9 * replayed.length)
  expect(answered).toEqual(expect.arrayContaining(Object.keys(differences)))
})

describe('the compatible shape', () => {
  const ask = async (path: string) =>
    (await plain.past(`${path}${path.includes('?') ? '&' : '?'}${at}&shape=compatible`)).json()

  test('names the expirations behind a surface, of each fit', async () => {
    const { svi_parameters } = (await plain.past(`/v1/surface/KO/svi?${at}`)).json()
    const dates = svi_parameters.map(({ expiry }: { expiry: string }) => expiry)
    expect((await ask('/v1/surface/KO')).slices_used).toEqual(dates)
    const { density, slices_used } = await ask('/v1/surface/KO?fit=market')
    expect(slices_used).toEqual(density.map(({ expiry }: { expiry: string }) => expiry))
  })

  test('rounds as the plain one does', async () => {
    const { payload } = await ask('/v1/exposure/vex/KO')
    const usual = (await plain.past(`/v1/exposure/vex/KO?${at}`)).json()
    expect([payload.net_vex, payload.strikes]).toEqual([usual.net_vex, usual.strikes])
  })

  test('prints Eastern times without a zone unless tz says otherwise', async () => {
    expect((await ask('/v1/exposure/dex/KO')).as_of).toBe(`${flowDate}T12:00:00`)
    expect((await ask('/v1/exposure/dex/KO?tz=utc')).as_of).toBe(`${flowDate}T16:00:00.000Z`)
  })

  test('is one of two words', async () => {
    const answer = await plain.past(`/v1/exposure/dex/KO?${at}&shape=payload`)
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', parameter: 'shape' }])
  })

  test('is none of the live host', async () => {
    const key = plain.keyOn('alpha')
    const answer = await plain.ask('/v1/exposure/dex/KO?shape=compatible', key)
    expect(answer.headers['x-ignored-parameters']).toBe('shape')
  })

  test('is not kept for the other', async () => {
    const bodies = []
    for (const shape of ['plain', 'compatible', 'plain']) {
      bodies.push((await plain.past(`/v1/exposure/chex/KO?${at}&tz=et&shape=${shape}`)).body)
    }
    expect([bodies[0] === bodies[2], bodies[0] === bodies[1]]).toEqual([true, false])
  })

  test('is the default of the document where the operator chose it', async () => {
    const { paths } = (await compatible.past('/openapi.json', { with: null })).json()
    const { parameters } = paths['/v1/exposure/dex/{symbol}'].get
    const usual = (wanted: string) => parameters.find(({ name }: { name: string }) => name === wanted).schema.default
    expect([usual('shape'), usual('tz')]).toEqual(['compatible', 'et'])
  })
})
