import { beforeAll, describe, expect, test, vi } from 'vitest'
import { recordedPayloads } from '../support/cboe-payload.ts'
import { contractCheck, hasContract } from '../support/contract-check.ts'
import { type Ended, launch, program, type Service, startService, temporaryFolder } from '../support/started-service.ts'

const recorded = recordedPayloads()

const recording = ['--source', 'cboe', '--cboe-path', recorded ?? '', '--workers', '1']

interface Line {
  readonly symbol: string
  readonly as_of: string
  readonly expiration?: string
}

async function answered(service: Service, path: string): Promise<{ readonly age: string | null; readonly body: Line }> {
  const { status, headers, json } = await service.ask(path, service.keys.alpha)
  expect(status, path).toBe(200)
  expect(headers.get('x-data-source')).toBe('cboe-files')
  expect(headers.get('x-data-stale')).toBeNull()
  return { age: headers.get('x-data-age'), body: json as unknown as Line }
}

/** Warnings and errors of the log. */
function faultsOf({ stderr }: Ended): readonly unknown[] {
  const lines = stderr.trim().split('\n')
  return lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
}

describe.runIf(recorded !== undefined)('the newest session of a recording', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService(temporaryFolder(), recording)
  })

  test('is the moment the market stands at', () => {
    expect(service.stdout()).toMatch(/^ {2}data source +cboe-files$/m)
    expect(service.stdout()).toContain('  market moment  2026-08-04T20:00:00.000Z\n')
  })

  test('is what SPY is answered from', async () => {
    const { age, body } = await answered(service, '/v1/exposure/summary/SPY')
    expect([body.as_of, age]).toEqual(['2026-08-04T20:00:00.000Z', '0.0'])
  })

  test('is not there for SPX, which is answered from its newest day before and says how old that is', async () => {
    for (const symbol of ['SPX', 'SPXW']) {
      const { age, body } = await answered(service, `/v1/exposure/summary/${symbol}`)
      expect([body.symbol, body.as_of]).toEqual([symbol, '2026-07-31T20:00:00.000Z'])
      expect(age).toBe((4 * 86_400).toFixed(1))
    }
  })

  test('has no symbols but the recorded ones', async () => {
    expect((await service.ask('/v1/tickers', service.keys.free)).text).toMatch(/"SPX".*"SPY"/)
    const { status, json } = await service.ask('/v1/exposure/levels/AAPL', service.keys.alpha)
    expect([status, json?.['error']]).toEqual([404, 'symbol_not_found'])
  })
})

describe.runIf(recorded !== undefined)('a recorded session that is asked for', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService(temporaryFolder(), [...recording, '--as-of', '2026-07-29'])
  })

  test('is the moment the market stands at', async () => {
    expect(service.stdout()).toContain('  market moment  2026-07-29T20:00:00.000Z\n')
    const { age, body } = await answered(service, '/v1/exposure/levels/SPY')
    expect([body.as_of, age]).toEqual(['2026-07-29T20:00:00.000Z', '0.0'])
  })

  test('is the day from which time to expiry counts, and the one that 0dte means', async () => {
    const { json } = await service.ask('/v1/exposure/term-structure/SPY', service.keys.alpha)
    const expirations = json!['by_expiry'] as readonly { readonly expiration: string; readonly dte: number }[]
    expect(expirations.length).toBeGreaterThan(10)
    for (const { expiration, dte } of expirations) {
      expect(dte, expiration).toBe((Date.parse(expiration) - Date.parse('2026-07-29')) / 86_400_000)
    }
    const sameDay = await answered(service, '/v1/exposure/zero-dte/SPY')
    expect(sameDay.body).toMatchObject({ expiration: '2026-07-29', market_open: false })
    const gated = await service.ask('/v1/exposure/gex/SPY?expiration=2026-07-29', service.keys.basic)
    expect([gated.status, gated.json?.['required_plan']]).toEqual([403, 'Growth'])
  })

  test('shows nothing that was recorded later', async () => {
    // To find nothing all its payloads are looked at; a caller is told to try again where that takes over 3 s.
    const found = async () => {
      const { status, json } = await service.ask('/v1/exposure/levels/SPX', service.keys.alpha)
      expect([status, json?.['error']]).toEqual([404, 'symbol_not_found'])
    }
    await vi.waitFor(found, { timeout: 120_000, interval: 500 })
  })

  test.runIf(hasContract)('keeps the contract', async () => {
    const { failures, passed, output } = await contractCheck(service, 'SPY')
    expect(failures, output).toEqual(['exposure GET /v1/exposure/basket'])
    expect(output).toContain('none of the symbols has options data') // it asks for AAPL, MSFT and NVDA
    expect(passed).toBeGreaterThanOrEqual(20)
  })
})

describe.runIf(recorded !== undefined && hasContract)('a recorded session of SPX', () => {
  test('keeps the contract', async () => {
    const service = await startService(temporaryFolder(), [...recording, '--as-of', '2026-07-31'])
    const { failures, passed, output } = await contractCheck(service, 'SPX')
    expect(failures, output).toEqual(['exposure GET /v1/exposure/basket'])
    expect(output).toContain('none of the symbols has options data')
    expect(passed).toBeGreaterThanOrEqual(20)
    expect(faultsOf(await service.stop())).toEqual([])
  })
})

test.runIf(recorded !== undefined)('a session that was not recorded is refused with those that were', async () => {
  const flags = [
    program,
    'serve',
    '--data',
    temporaryFolder(),
    '--port',
    '0',
    '--drain',
    '0',
    ...recording,
    '--as-of',
    '2026-07-27'
  ]
  const { code, stdout, stderr } = await launch(process.execPath, flags).ended
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    'no payload of the session 2026-07-27 was recorded; there are 2022-07-12, 2026-07-22, 2026-07-28, 2026-07-29, ' +
      '2026-07-30, 2026-07-31, 2026-08-03, 2026-08-04\n'
  )
})

describe.runIf(hasContract)('the synthetic market', () => {
  test('keeps the contract for a fund, an index and a share', async () => {
    const service = await startService(temporaryFolder(), ['--workers', '1', '--universe', 'SPY'])
    for (const symbol of ['SPY', 'SPX', 'AAPL']) {
      const { code, failures, passed, output } = await contractCheck(service, symbol)
      expect([code, failures], `${symbol}: ${output}`).toEqual([0, []])
      expect(passed).toBeGreaterThanOrEqual(20)
    }
    expect(faultsOf(await service.stop())).toEqual([])
  })
})
