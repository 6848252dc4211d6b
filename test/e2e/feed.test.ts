import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalCdf, normalPdf } from '../../src/math/normal.ts'
import { cboeOption, cboePayload, recordedPayloads } from '../support/cboe-payload.ts'
import {
  absent,
  brokenOff,
  type Conduct,
  hangsUp,
  payload,
  type SourceServer,
  says,
  silent,
  startSource,
  trickle,
  validated
} from '../support/source-server.ts'
import {
  type Answer,
  ask,
  eventually,
  metric,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

// A service over a source that fails in every way it can. The tests are one story and run in order: all is well, the
// source goes wrong, it recovers. The least time between two requests for a symbol is 15 seconds, which the story
// spends once.

const firstClose = '2024-01-03T21:00:00.000Z'
const secondClose = '2024-01-04T21:00:00.000Z'
const notListed = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'

/** Price of a spot of 100.2 until the third Friday of January 2024, and how far it moves until then. */
const [spot, deviation] = [100.2, 4]

/** Mid price of a contract, where prices move by normal amounts (Bachelier). */
function midOf(strike: number, right: string): number {
  const moneyness = (right === 'C' ? spot - strike : strike - spot) / deviation
  return deviation * (moneyness * normalCdf(moneyness) + normalPdf(moneyness))
}

/** A chain of ten strikes around 100 after the close of a session, long past so that newer ones are always possible. */
function payloadOf(symbol: string, day = '2024-01-03'): string {
  const options = Array.from({ length: 10 }, (_, k) => 95 + k).flatMap((strike) =>
    ['C', 'P'].map((right) => {
      const mid = midOf(strike, right)
      const quote = { bid: mid - 0.05, ask: mid + 0.05, last_trade_time: `${day}T16:14:59`, last_trade_price: mid }
      return cboeOption(`${symbol}240119${right}${`${strike * 1000}`.padStart(8, '0')}`, quote)
    })
  )
  const underlying = { close: 100, current_price: spot, prev_day_close: 99, last_trade_time: `${day}T15:59:59` }
  return cboePayload({ symbol, timestamp: `${day} 22:30:00`, underlying, options })
}

const failures: Readonly<Record<string, { readonly conduct: Conduct; readonly reason: RegExp }>> = {
  SPY: { conduct: says(403, '<html>blocked</html>'), reason: /refuses with status 403/ },
  IWM: { conduct: says(403, notListed), reason: /refuses IWM, which it is known to list/ },
  QQQ: { conduct: absent, reason: /nothing at the address of QQQ/ },
  AAPL: { conduct: says(429, '', { 'retry-after': '3' }), reason: /asks for fewer requests/ },
  MSFT: {
    conduct: payload(payloadOf('MSFT').slice(0, 1500)),
    reason: /it is not JSON, or not all of it|lists no options/
  },
  NVDA: { conduct: brokenOff(payloadOf('NVDA')), reason: /broke off/ },
  TSLA: { conduct: says(500, 'oops'), reason: /answers with status 500/ },
  AMZN: { conduct: payload(payloadOf('SPY')), reason: /it is of SPY where AMZN was asked for/ },
  INTC: { conduct: hangsUp, reason: /cannot be reached/ },
  AMD: { conduct: silent, reason: /did not answer within 10 seconds/ }
}
const failing = Object.keys(failures)
const sound = ['META', 'F']

let source: SourceServer
let service: Service

beforeAll(async () => {
  source = await startSource()
  for (const symbol of failing) source.conducts.set(symbol, payload(payloadOf(symbol)))
  source.conducts.set('META', validated(payloadOf('META'), '"one"'))
  source.conducts.set('F', trickle(payloadOf('F'), 1500))
  source.conducts.set('GE', says(502))
  source.conducts.set('BA', hangsUp)
  source.conducts.set('XOM', says(403, notListed))
  const universe = [...failing, ...sound].join()
  const flags = ['--source', 'cboe', '--cboe-url', source.url, '--universe', universe, '--workers', '1']
  service = await startService(temporaryFolder(), flags)
})

afterAll(() => source.close())

const levels = (symbol: string) => service.ask(`/v1/exposure/levels/${symbol}`, service.keys.alpha)
/** Nobody waits longer than three seconds, which a machine that does much else takes for a large chain, or for many. */
const answered = (symbol: string) =>
  eventually(`the chain of ${symbol}`, async () => {
    const answer = await levels(symbol)
    return answer.status === 502 || answer.status === 503 ? undefined : answer
  })
/** The same for a symbol that cannot be loaded: an answer, or the refusal after the source has failed. */
const decided = (symbol: string, key: string | undefined) =>
  eventually(`the source to fail for ${symbol}`, async () => {
    const answer = await service.ask(`/v1/exposure/levels/${symbol}`, key)
    return answer.json?.['error'] === 'data_loading' ? undefined : answer
  })
const health = () => ask(`${service.base}/health`)

/** An answer from a close of 2024. Whatever the source does, it is stale by its age. */
function expectAsOf({ status, headers, json }: Answer, close: string): void {
  expect([status, headers.get('x-data-stale')]).toEqual([200, 'true'])
  expect([json?.['as_of'], headers.get('x-data-source')]).toEqual([close, 'cboe'])
  const age = (Date.now() - Date.parse(close)) / 1000
  expect(Math.abs(Number(headers.get('x-data-age')) - age)).toBeLessThan(30)
}

describe('while the source is well', () => {
  test('every symbol is served, one that arrives in drops too', async () => {
    for (const answer of await Promise.all([...failing, ...sound].map(answered))) expectAsOf(answer, firstClose)
    for (const symbol of [...failing, ...sound]) expect(source.asked(symbol), symbol).toHaveLength(1)
    expect((await health()).json).toMatchObject({ status: 'Degraded' })
    expect((await ask(`${service.base}/readyz`)).status).toBe(200)
  })

  test('a symbol it does not know is 404, in the two ways a source says so, and is not asked for twice', async () => {
    for (const symbol of ['ZZZZQX', 'XOM', 'ZZZZQX', 'XOM']) {
      const { status, json } = await decided(symbol, service.keys.alpha)
      expect([symbol, status, json?.['error']]).toEqual([symbol, 404, 'symbol_not_found'])
    }
    for (const symbol of ['ZZZZQX', 'XOM']) expect(source.asked(symbol)).toHaveLength(1)
  })

  test('a symbol that was never loaded and cannot be is 502 and is not counted', async () => {
    const used = async () => (await service.ask('/v1/account', service.keys.growth)).json?.['usage_today']
    const before = Number(await used())
    for (const symbol of ['GE', 'BA', 'GE', 'BA']) {
      const { status, headers, json } = await decided(symbol, service.keys.growth)
      expect([symbol, status, json?.['error']]).toEqual([symbol, 502, 'source_unavailable'])
      expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    }
    expect(await used()).toBe(before + 1) // the question itself
  })

  const recorded = recordedPayloads()
  test.runIf(recorded !== undefined)(
    'a recorded payload of 29,000 contracts is served at its index address',
    async () => {
      const text = gunzipSync(readFileSync(join(recorded!, '_SPX-2026-07-31.json.gz'))).toString()
      source.conducts.set('_SPX', payload(text))
      for (const symbol of ['SPX', 'SPXW']) {
        expectAsOf(await answered(symbol), '2026-07-31T20:00:00.000Z')
      }
      expect(source.asked('_SPX')).toHaveLength(1)
    }
  )
})

describe('when the source fails', () => {
  /** How often each symbol was asked for while all was well, which a slow machine does twice. */
  let well: ReadonlyMap<string, number>
  /** When a symbol was asked for since the source fails. */
  const askedSince = (symbol: string) => source.asked(symbol).slice(well.get(symbol))

  test('the last good chain is served with its age, whatever went wrong', async () => {
    well = new Map([...failing, 'META'].map((symbol) => [symbol, source.asked(symbol).length]))
    for (const symbol of failing) source.conducts.set(symbol, failures[symbol].conduct)
    await eventually('every symbol to be asked for again', () => {
      return [...well.keys()].every((symbol) => askedSince(symbol).length > 0) || undefined
    })
    for (const symbol of failing) expectAsOf(await levels(symbol), firstClose)
    const { status, json } = await health()
    expect(status).toBe(200)
    expect(json).toMatchObject({
      status: 'Degraded',
      checks: expect.arrayContaining([expect.objectContaining({ name: 'market_data', status: 'Degraded' })])
    })
  })

  test('it is left alone for longer each time, for as long as it asks, however many clients come', async () => {
    await eventually(
      'the third try',
      () => (askedSince('SPY').length >= 3 && askedSince('AAPL').length >= 2) || undefined
    )
    const tries = source.asked('SPY').length
    await Promise.all(Array.from({ length: 50 }, () => levels('SPY')))
    expect(source.asked('SPY').length - tries).toBeLessThanOrEqual(1)
    const lastWell = source.asked('SPY')[well.get('SPY')! - 1]
    const failed = askedSince('SPY')
    expect(failed[0] - lastWell).toBeGreaterThan(5000) // asked every 15 s, less what a loaded machine took for the last
    const pauses = failed.slice(1).map((at, k) => at - failed[k])
    for (const [k, pause] of pauses.entries()) expect(pause).toBeGreaterThan(950 * 2 ** k)
    const [limited, again] = askedSince('AAPL')
    expect(again - limited).toBeGreaterThan(2950) // Retry-After was 3
  })

  test('the log says of each symbol what went wrong, in words', async () => {
    const reasons = await eventually('a warning for each symbol', () => {
      const lines = service
        .stderr()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      const warnings = new Map(lines.filter(({ level }) => level === 40).map(({ symbol, reason }) => [symbol, reason]))
      return failing.every((symbol) => warnings.has(symbol)) ? warnings : undefined
    })
    for (const symbol of failing) expect(reasons.get(symbol), symbol).toMatch(failures[symbol].reason)
    expect(await metric(service, 'gammawall_source_loads_total{source="cboe",result="failed"}')).toBeGreaterThan(10)
    expect(service.stderr()).not.toContain('"level":50')
  })
})

describe('when the source is well again', () => {
  test('the new chains are served', async () => {
    for (const symbol of [...failing, 'GE', 'BA']) source.conducts.set(symbol, payload(payloadOf(symbol, '2024-01-04')))
    for (const symbol of [...failing, 'GE', 'BA']) {
      const answer = await eventually(`the new chain of ${symbol}`, async () => {
        const answer = await levels(symbol)
        return answer.json?.['as_of'] === secondClose ? answer : undefined
      })
      expectAsOf(answer, secondClose)
    }
    expect((await service.stop()).code).toBe(0)
  })
})
