import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { features } from '../../src/api/feature.ts'
import { readsTapes } from '../../src/api/inputs/inputs.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { previousTradingDay } from '../../src/market/calendar.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { type Checked, contractCheck, hasContract } from '../support/contract-check.ts'
import { hasEngine } from '../support/engine.ts'
import { filesInZip, recordedMinutes } from '../support/lean-files.ts'
import {
  type Answer,
  ask,
  gammawall,
  projectRoot,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

// Days that nobody saw live: made up by a backfill, or brought by an import. The built service answers for them.

/** Flags of a service that records nothing, because the days already exist, and that serves announced features. */
const everything = ['--record', 'off', '--enable', features.join(',')]

/** Endpoints that read no tapes. None of these days has a tape: what the others answer is inferred, or 404, as tested below. */
const replayed = endpoints.filter(({ replay, needs }) => replay && !readsTapes(needs))
const ofTapes = endpoints.filter(({ replay, needs }) => replay && readsTapes(needs))
const hostContract = join(projectRoot, '../shared/contract/replay.yaml')
/** Paths of the host in the contract. Announced ones cannot pass its check. */
const ofHost = hasContract ? Object.keys(parse(readFileSync(hostContract, 'utf8')).paths) : []
const inContract = (paths: readonly string[]) =>
  new Set(paths.filter((path) => ofHost.includes(path)).map((path) => `replay GET ${path}`))
const served = inContract(['/v1/tickers', ...replayed.map(({ path }) => path)])
const inferred = inContract(ofTapes.map(({ path }) => path))

/** The operations that fall short though they are served whatever was recorded; each that is served was checked. */
function shortcomings({ failures, passed }: Checked): readonly string[] {
  const short = failures.filter((name) => served.has(name))
  const without = failures.filter((name) => inferred.has(name))
  expect(passed + short.length + without.length).toBe(served.size + inferred.size)
  return short
}

const past = (service: Service, path: string, at: string): Promise<Answer> =>
  ask(`${service.replay}${path}${path.includes('?') ? '&' : '?'}at=${at}`, service.keys.alpha)

async function brought(data: string, ...args: readonly string[]): Promise<string> {
  const { code, stderr } = await gammawall(...args, '--data', data)
  expect(code, stderr).toBe(0)
  return stderr
}

if (!hasEngine) console.log('skipped: the engine of the archive is not installed, so nothing can be replayed')

describe.skipIf(!hasEngine || !hasContract)('a backfilled market', () => {
  let service: Service
  /** A session that is over at any hour at which this test may run. */
  let date = ''
  beforeAll(async () => {
    const data = temporaryFolder()
    // Three snapshots of each session, and sessions enough for a correlation of the three before the one that is asked about.
    const symbols = 'SPY,AAPL,MSFT,NVDA,SPX,VIX'
    await brought(
      data,
      'backfill',
      'synthetic',
      '--days',
      '5',
      '--symbols',
      symbols,
      '--every',
      '6h',
      '--tapes',
      'none'
    )
    service = await startService(data, [...everything, '--universe', 'SPY'])
    const { json } = await ask(`${service.replay}/v1/tickers?symbol=SPY`, service.keys.alpha)
    date = previousTradingDay((json!['coverage'] as { readonly last: IsoDate }).last)
  })

  test.each([
    ['of a fund at the first minutes', 'SPY', 'T09:31:00'],
    ['of an index at the close', 'SPX', ''],
    ['of a share in the evening', 'AAPL', 'T20:00:00']
  ])('keeps the whole contract %s', async (_, symbol, hour) => {
    const checked = await contractCheck(service, symbol, date + hour)
    expect(shortcomings(checked), checked.output).toEqual([])
  })

  test('was not there between two snapshots', async () => {
    const { status, json } = await past(service, '/v1/exposure/gex/SPY', `${date}T11:00:00`)
    expect([status, json?.['error']]).toEqual([404, 'no_data'])
  })
})

/** An answer without where its data come from: what was imported says so. */
const sourceless = (text: string) => text.replace(/"source":"(cboe-files|imported)"/, '"source":"…"')

const payloads = recordedPayloads()
const minutes = recordedMinutes()

/**
 * Endpoints that a recording cannot answer: it holds neither AAPL, MSFT and NVDA, which the check requests, nor a level
 * of the VIX, and its few days are fewer than some measures need.
 */
const lacking = [
  'basket',
  'volatility/realized/{symbol}',
  'volatility/forecast/{symbol}',
  'volatility/spot-vol-correlation/{symbol}',
  'dispersion',
  'macro/vix-state'
]
const isExcused = (name: string) => lacking.some((path) => name.endsWith(`/${path}`))
/** Endpoint that compares with the previous session, which was not recorded for these days. */
const comparing = '/v1/exposure/attribution/{symbol}'
const withoutBefore = ['2022-07-12', '2026-07-22', '2026-07-28', '2015-12-24']

describe.skipIf(!hasEngine || payloads === undefined || minutes === undefined)('recorded days', () => {
  let service: Service
  beforeAll(async () => {
    const data = temporaryFolder()
    expect(await brought(data, 'import', 'cboe', payloads!)).toContain('11 snapshots of 179,132 contracts')
    expect(await brought(data, 'import', 'lean', minutes!)).toContain('210 snapshots of 460,320 contracts')
    const source = ['--source', 'cboe', '--cboe-path', payloads!, '--as-of', '2026-07-31']
    service = await startService(data, [...everything, ...source, '--replay-from', '2015-12-24'])
  })

  test.skipIf(!hasContract).each([
    ['SPY', '2022-07-12'],
    ['SPX', '2026-07-31T16:00:00'],
    ['GOOG', '2015-12-24T10:30:00']
  ])('of %s on %s keep the contract, save where the recording holds too little', async (symbol, at) => {
    const checked = await contractCheck(service, symbol, at)
    expect(
      shortcomings(checked).filter(
        (name) => !isExcused(name) && !(name.endsWith(comparing) && withoutBefore.includes(at.slice(0, 10)))
      ),
      checked.output
    ).toEqual([])
    expect(checked.output).not.toMatch(/answered 5\d\d/)
  })

  test.each([
    '2022-07-12',
    '2026-07-22',
    '2026-07-28',
    '2026-07-29',
    '2026-07-30',
    '2026-07-31',
    '2026-08-03',
    '2026-08-04'
  ])('%s is answered from its closing snapshot, and from nothing before the close', async (date) => {
    for (const { path } of replayed.filter((endpoint) => endpoint.path.includes('{'))) {
      const address = path.replace(/\{\w+\}/, 'SPY')
      const { status, headers, json } = await past(service, address, date)
      const isFirst = path === comparing && withoutBefore.includes(date)
      if (isExcused(path)) expect([200, 404], address).toContain(status)
      else expect(status, address).toBe(isFirst ? 404 : 200)
      if (status === 404) expect(json?.['error'], address).toBe(isFirst ? 'no_snapshot' : 'insufficient_history')
      else expect(headers.get('x-replay-as-of'), address).toBe(`${date}T16:00:00`)
      expect(headers.get('x-replay-fidelity'), address).toBe(status === 200 ? 'imported' : null)
    }
    const before = await past(service, '/v1/exposure/summary/SPY', `${date}T15:59:59`)
    expect([before.status, before.json?.['error']]).toEqual([404, 'no_data'])
  })

  test('that were fetched again the next morning stay with the session they tell of', async () => {
    const { status, json } = await past(service, '/v1/exposure/summary/SPY', '2026-07-23')
    expect([status, json?.['error']]).toEqual([404, 'no_data'])
  })

  test('of one snapshot have no flow, and every route of flow says so', async () => {
    const official: string[] = []
    for (const { id, path } of ofTapes) {
      const address = `${path.replace(/\{\w+\}/, 'SPY')}${path.endsWith('/bars') ? '?resolution=1m' : ''}`
      const { status, headers, json } = await past(service, address, '2026-07-31')
      if (status === 200) official.push(id)
      const source = id === 'flow.options_summary' ? 'settled' : 'none'
      if (status === 200) expect(headers.get('x-flow-source'), address).toBe(source)
      else expect([status, json?.['error']], address).toEqual([404, 'no_data'])
      // The service stands at that moment with a source that gives no prints.
      const live = await service.ask(address, service.keys.alpha)
      expect([live.status, live.headers.get('x-flow-source')], address).toEqual([
        status,
        status === 200 ? source : null
      ])
    }
    expect(official.length).toBeGreaterThan(5)
    expect(official.length).toBeLessThan(ofTapes.length / 2)
  })

  test('count in measures of many days once there are enough of them', async () => {
    const path = '/v1/volatility/spot-vol-correlation/SPY'
    expect((await past(service, path, '2026-07-28')).status).toBe(404)
    expect((await past(service, path, '2026-08-04')).status).toBe(200)
  })

  test.each([
    'SPY',
    'SPX',
    'SPXW'
  ])('of %s are replayed with the bytes of the service that reads the same files live', async (symbol) => {
    // A chain that was loaded before the rates of its session were read is priced again with them.
    const summary = `/v1/exposure/summary/${symbol}`
    const answered = async (answer: Promise<Answer>) => {
      const { status, text } = await answer
      return `${status} ${sourceless(text)}`
    }
    await vi.waitFor(
      async () => {
        const live = await answered(service.ask(summary, service.keys.alpha))
        expect(live).toBe(await answered(past(service, summary, '2026-07-31')))
        expect(live).toMatch(/^200 /)
      },
      { timeout: 120_000, interval: 500 }
    )
    let compared = 0
    for (const { path } of replayed.filter((endpoint) => endpoint.path.includes('{'))) {
      const address = path.replace(/\{\w+\}/, symbol)
      const live = await service.ask(address, service.keys.alpha)
      const again = await past(service, address, '2026-07-31')
      expect(`${again.status} ${sourceless(again.text)}`, address).toBe(`${live.status} ${sourceless(live.text)}`)
      if (live.status === 200) compared++
    }
    expect(compared).toBeGreaterThanOrEqual(45)
  })

  describe('of GOOG, recomputed from the files by other means', () => {
    const at = '2015-12-24T10:30:00'
    /** The newest one-minute bar that was over at 10:30. */
    const newestBar = (bars: readonly (readonly string[])[]) =>
      bars.findLast(([start]) => Number(start) + 60_000 <= 10.5 * 3_600_000)!
    /** The midpoint of the closing bid and ask of a bar of quotes; prices are in 1/10000 USD. */
    const midpoint = (bar: readonly string[]) => (Number(bar[4]) + Number(bar[9])) / 2 / 10_000

    test('the spot is the midpoint of the quote of the shares', async () => {
      const [bars] = filesInZip(join(minutes!, 'equity/20151224_quote.zip')).values()
      const { json } = await past(service, '/stockquote/GOOG', at)
      expect(json).toMatchObject({ mid: midpoint(newestBar(bars)), lastUpdate: '2015-12-24T15:30:00.000Z' })
      const { json: levels } = await past(service, '/v1/exposure/levels/GOOG', at)
      expect(levels?.['underlying_price']).toBe(midpoint(newestBar(bars)))
    })

    test('the open interest of the calls of an expiration is the sum over its files', async () => {
      let calls = 0
      for (const [name, [[, count]]] of filesInZip(join(minutes!, 'option/20151224_openinterest_american.zip'))) {
        if (/_call_\d+_20160115\.csv$/.test(name)) calls += Number(count)
      }
      const { json } = await past(service, '/v1/exposure/gex/GOOG?expiration=2016-01-15', at)
      const strikes = json!['strikes'] as readonly { readonly call_oi: number | null }[]
      expect(strikes.reduce((sum, strike) => sum + (strike.call_oi ?? 0), 0)).toBe(calls)
      expect(calls).toBeGreaterThan(20_000)
    })

    test('the mid of an option is the midpoint of its newest quote', async () => {
      const quotes = filesInZip(join(minutes!, 'option/20151224_quote_american.zip'))
      const file = [...quotes.keys()].find((name) => /_call_7500000_20160115\.csv$/.test(name))!
      const { json } = await past(service, '/optionquote/GOOG?expiry=2016-01-15&strike=750&type=C', at)
      expect(json).toMatchObject({ mid: midpoint(newestBar(quotes.get(file)!)), open_interest: 889 })
    })
  })
})
