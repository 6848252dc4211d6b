import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Chain } from '../../src/market/chain.ts'
import { sketched } from '../support/hand-made.ts'
import { type Service, service } from '../support/service.ts'
import { series } from '../volatility/chains.ts'

const minute = 60_000
const moment = { date: '2026-07-29', time: '11:00', spot: 100 }
const fitting: Chain = sketched({ ...moment, series: [series('2026-08-28'), series('2026-09-18')] })
const single: Chain = sketched({ ...moment, series: [series('2026-08-28')] })

let at: Service
beforeEach(() => {
  at = service()
  at.source.listing = (symbol) => (symbol === 'NOBODY' ? undefined : fitting)
  return at.close
})
afterEach(() => at.source.faults.clear())

const grid = (symbol = 'SPY') => at.ask(`/v1/surface/${symbol}`)

/** Asks until the load that the first request begins is done. */
async function loaded(symbol = 'SPY') {
  expect((await grid(symbol)).statusCode).toBe(503)
  await expect.poll(() => [...at.live.loaded()].length).toBe(1)
}

describe('the surface of a symbol that is not held', () => {
  test('is loading: nobody waits, and asking is what begins it', async () => {
    const open = at.source.hold()
    const { statusCode, headers, body } = await grid()
    expect([statusCode, headers['retry-after']]).toEqual([503, '2'])
    expect(JSON.parse(body)).toEqual({ status: 'loading', error: 'loading', message: expect.any(String) })
    expect(at.source.count('SPY')).toBe(1)
    expect((await grid()).statusCode).toBe(503)
    open()
    await expect.poll(async () => (await grid()).statusCode).toBe(200)
    expect(at.source.count('SPY')).toBe(1)
    expect(at.computed).toEqual(['surface.current'])
  })

  test('is not found at once where nobody knows the symbol', async () => {
    const { statusCode, body } = await grid('NOBODY')
    expect([statusCode, JSON.parse(body).error]).toEqual([404, 'symbol_not_found'])
  })

  test('is not found where the catalogue does not list the symbol: a caller without a key starts no load of it', async () => {
    expect((await grid('XYZ')).statusCode).toBe(404)
    expect(at.source.count('XYZ')).toBe(0)
  })

  test('is there for everybody once a key has made the source look for it', async () => {
    await at.ask('/v1/exposure/levels/XYZ', at.keyOn('alpha'))
    expect((await grid('XYZ')).statusCode).toBe(200)
  })
})

test('too few fitted expirations read as loading too, in the words of what is missing', async () => {
  at.source.listing = () => single
  await loaded()
  const { statusCode, body } = await grid()
  expect(statusCode).toBe(503)
  expect(JSON.parse(body)).toMatchObject({
    status: 'loading',
    error: 'loading',
    message: expect.stringContaining('SPY')
  })
})

test('a symbol without options reads as loading', async () => {
  at.source.listing = () => sketched({ ...moment, series: [] })
  await loaded()
  expect((await grid()).statusCode).toBe(503)
})

describe('a grid that was made', () => {
  const asOf = async () => JSON.parse((await grid()).body).as_of as string

  test('stays for five minutes while newer data is held, and is made anew then', async () => {
    await loaded()
    const key = at.keyOn('alpha')
    const first = await asOf()
    const seen: string[] = []
    for (let passed = 1; passed <= 11; passed++) {
      at.source.listing = () => ({ ...fitting, volume: fitting.volume.map((volume) => volume + passed) })
      at.clock.pass(minute)
      await at.ask('/v1/exposure/levels/SPY', key) // keeps the chain at the present moment
      seen.push(await asOf())
    }
    const at5 = new Date(Date.parse(first) + 5 * minute).toISOString()
    const at10 = new Date(Date.parse(first) + 10 * minute).toISOString()
    expect(seen).toEqual([first, first, first, first, at5, at5, at5, at5, at5, at10, at10])
  })

  test('says how old it is', async () => {
    await loaded()
    await grid()
    at.clock.pass(3 * minute)
    const { headers } = await grid()
    expect([headers['x-data-age'], headers['cache-control']]).toEqual(['180.0', 'public, max-age=60'])
  })

  test("is renewed in the caller's own time once it is known, though its chain was dropped over night", async () => {
    await loaded()
    expect((await grid()).statusCode).toBe(200)
    at.clock.pass(22.5 * 60 * minute) // 09:30 of the next day
    at.live.poll()
    const { statusCode, body } = await grid()
    expect([statusCode, JSON.parse(body).as_of]).toEqual([200, '2026-07-30T13:30:00.000Z'])
  })
})

test('a key is neither looked at nor counted', async () => {
  await loaded()
  const free = at.keyOn('free')
  for (const key of [undefined, 'not-a-key', free]) {
    const { statusCode, headers } = await at.ask('/v1/surface/SPY', key)
    expect([statusCode, headers['x-ratelimit-remaining']]).toEqual([200, undefined])
  }
  const { headers } = await at.ask('/v1/account', free)
  expect(headers['x-ratelimit-remaining']).toBe('4')
})
