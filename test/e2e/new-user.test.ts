import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { planIds } from '../../src/api/plan.ts'
import { openEmbedded } from '../../src/archive/clickhouse/embedded.ts'
import { rowsOf } from '../../src/archive/codec/native-rows.ts'
import { enginePath } from '../../src/archive/open.ts'
import { addDays, completedSession } from '../../src/market/calendar.ts'
import { hasEngine } from '../support/engine.ts'
import {
  ask,
  demoKeysOf,
  eventually,
  gammawall,
  launch,
  type Service,
  startService,
  temporaryFolder
} from '../support/started-service.ts'

// One data folder from its first minute on; each test continues where the one before stopped.

const data = join(temporaryFolder(), 'made', 'at the first start')
const settings = ['--universe', 'SPY,AAPL']
let service: Service
let ownKey: string

beforeAll(async () => {
  // As a newcomer starts it: the whole universe, the default workers; one day of past for the usual five.
  service = await startService(data, [], { GAMMAWALL_SEED_HISTORY: '1d' })
})

/** A change made beside the service owes to be seen within a second. */
function refused(key: string | undefined): Promise<true> {
  return eventually(
    'the key to be refused',
    async () => (await service.ask('/v1/account', key)).status === 401 || undefined,
    1
  )
}

/** The line that the terminal offers for pasting. */
function offered({ stdout }: Service): string {
  const lines = stdout()
    .split('\n')
    .filter((line) => line.trimStart().startsWith('curl '))
  expect(lines).toHaveLength(1)
  return lines[0].trim()
}

describe('the first start in an empty place', () => {
  test('prints where everything is, what it serves, and a key for each plan', () => {
    const printed = service.stdout()
    expect(printed).toMatch(/^ {2}REST +http:\/\/127\.0\.0\.1:\d+$/m)
    expect(printed).toContain(`  documentation  ${service.base}/swagger\n`)
    expect(printed).toMatch(/^ {2}metrics +http:\/\/127\.0\.0\.1:\d+\/metrics$/m)
    expect(printed).toMatch(/^ {2}data source +synthetic \(made-up figures, labelled so in every answer\)$/m)
    expect(printed).toMatch(/^ {2}market moment +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/m)
    expect(printed).toContain(`  data folder    ${data}\n`)
    expect(Object.keys(service.keys)).toEqual(planIds)
    expect(printed).not.toContain('{')
  })

  test('prints one line to paste, and it works', async () => {
    const line = offered(service)
    const shell = launch('sh', ['-c', `command -v curl >/dev/null || exit 127; ${line}`])
    const { code, stdout, stderr } = await shell.ended
    if (code === 127) {
      console.log('skipped: there is no curl here, so the offered line is read and not run')
      const [, name, key, address] = /^curl -H '([\w-]+): (\w+)' (http\S+)$/.exec(line) ?? []
      const response = await fetch(address, { headers: { [name]: key } })
      expect(await response.json()).toMatchObject({ symbol: 'SPY' })
      return
    }
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ symbol: 'SPY', levels: expect.anything() })
  })

  test('keeps the keys where only their owner reads them', () => {
    expect(demoKeysOf(data)).toEqual(service.keys)
    for (const name of ['demo-keys.json', 'accounts.db']) expect(statSync(join(data, name)).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o777).toBe(0o700)
  })
})

describe('a key made at the command line while the service runs', () => {
  test('is printed as JSON and nothing else, and works at once', async () => {
    const words = 'run --silent gammawall -- keys create --plan basic --email a@b.c --json --data'.split(' ')
    const { code, stdout } = await launch('npm', [...words, data]).ended
    expect(code).toBe(0)
    const made: Record<string, unknown> = JSON.parse(stdout)
    expect(made).toMatchObject({ email: 'a@b.c', plan: 'basic', revoked_at: null })
    ownKey = String(made['key'])
    const { status, json } = await service.ask('/v1/account', ownKey)
    expect(status).toBe(200)
    expect(json).toMatchObject({ plan: 'basic' })
  })

  test('ends within a second of its revocation', async () => {
    const made = JSON.parse((await gammawall('keys', 'create', '--email', 'a@b.c', '--json', '--data', data)).stdout)
    expect((await service.ask('/v1/account', made.key)).status).toBe(200)
    expect((await gammawall('keys', 'revoke', made.id, '--data', data)).code).toBe(0)
    await refused(made.key)
    expect((await service.ask('/v1/account', ownKey)).status).toBe(200)
  })
})

describe('the past of a new folder', () => {
  /** Seconds for the past to be made: it gives way to everything else that a machine does. */
  const SEEDING = 500
  const last = completedSession(Date.now())

  test.runIf(hasEngine)(
    'is made by the service itself: closes of a month and a day of quarters of an hour',
    async () => {
      const path = `/v1/recorded/SPY?from=${addDays(last.date, -30)}&to=${last.date}`
      const madePast = async () => {
        const { json } = await ask(service.replay + path, service.keys.alpha)
        const found = (json?.['sessions'] ?? []) as readonly {
          readonly date: string
          readonly moments: readonly string[]
        }[]
        // Half hours come first, then closes, then quarters.
        return found.at(-1)?.moments.includes('09:45:00') && found.length > 18 ? found : undefined
      }
      const sessions = await eventually('the past to be made', madePast, SEEDING)
      const closed = sessions.slice(0, -1).map(({ moments }) => moments.at(-1)! >= '13:00:00')
      expect(closed).toEqual(closed.map(() => true))
      const { moments } = sessions.at(-1)!
      expect(moments.slice(0, 3)).toEqual(['09:30:00', '09:45:00', '10:00:00'])
    },
    1000 * SEEDING + 60_000
  )

  test.runIf(hasEngine)('is read as Parquet by address, whole and in parts, and costs once', async () => {
    // The five newest sessions have more than their close, so the file is of a session before them.
    const { date } = Array.from({ length: 6 }).reduce<typeof last>(({ open }) => completedSession(open), last)
    const key = service.keys.enterprise!
    const path = `/v1/files/SPY/${date}/quotes.parquet`
    const head = await ask(service.replay + path, key, { method: 'HEAD' })
    expect([head.status, head.headers.get('accept-ranges'), head.headers.get('content-type')]).toEqual([
      200,
      'bytes',
      'application/vnd.apache.parquet'
    ])
    const tail = await fetch(service.replay + path, { headers: { 'x-api-key': key, range: 'bytes=-4' } })
    expect([tail.status, await tail.text()]).toEqual([206, 'PAR1'])
    expect(tail.headers.get('content-range')).toMatch(new RegExp(`/${head.headers.get('content-length')}$`))
    expect([head, tail].map(({ headers }) => Number(headers.get('x-bulk-cost')) > 0)).toEqual([true, false])
    const engine = await openEmbedded(temporaryFolder(), enginePath)
    try {
      const source = `url('${service.replay}${path}', Parquet, 'auto', headers('X-Api-Key'='${key}'))`
      const query = `SELECT countIf(expiration > '${date}') AS rows, uniqExact(ts) AS moments FROM ${source}`
      const [row] = rowsOf(await engine.read(query))
      const { json } = await ask(`${service.replay}/v1/optionquote/SPY?at=${date}`, key)
      expect([row['rows'], row['moments']]).toEqual([(json as unknown as readonly unknown[]).length, 1])
    } finally {
      await engine.close()
    }
    const missing = await ask(`${service.replay}/v1/files/SPY/2020-01-02/quotes.parquet`, key)
    expect([missing.status, missing.json?.['error']]).toEqual([404, 'no_data'])
    const refused = await ask(service.replay + path, service.keys.growth)
    expect(refused.status).toBe(403)
  })

  test('has candles of every session before anything is recorded', async () => {
    const { json } = await service.ask(`/v1/bars/XOM?every=15m&from=${last.date}&to=${last.date}`, service.keys.alpha)
    expect((json?.['o'] as unknown[]).length).toBe((last.close - last.open) / 900_000)
    expect(json?.['made_of']).toEqual([[last.open / 1000, last.close / 1000, 'generated']])
  })
})

describe('the quota of the free plan', () => {
  const path = '/v1/exposure/levels/AAPL'

  test('is five requests, and the sixth says when it can go on and which plan has more', async () => {
    for (const left of ['4', '3', '2', '1', '0']) {
      const { status, headers } = await service.ask(path, service.keys.free)
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, left])
    }
    const { status, headers, json } = await service.ask(path, service.keys.free)
    expect(status).toBe(429)
    const midnight = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000
    expect(json).toEqual({
      status: 'ERROR',
      error: 'Quota exceeded',
      message: expect.stringMatching(/all 5 requests .* Basic plan/),
      current_plan: 'Free',
      limit: 5,
      upgrade_to: 'Basic',
      reset_at: new Date(midnight).toISOString()
    })
    const wait = Number(headers.get('retry-after'))
    expect(Math.abs(wait - (midnight - Date.now()) / 1000)).toBeLessThan(5)
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
  })

  test('outlives a restart, like the keys', async () => {
    const before = service
    const used = (await service.ask('/v1/account', ownKey)).json?.['usage_today']
    expect(await service.stop()).toMatchObject({ code: 0, signal: null })
    service = await startService(data, settings)
    expect(service.keys).toEqual(before.keys)
    expect(service.stdout()).toContain(join(data, 'demo-keys.json'))
    expect(service.stdout()).not.toContain('gw_live_')
    expect(demoKeysOf(data)).toEqual(before.keys)
    expect((await service.ask(path, service.keys.free)).status).toBe(429)
    const { json } = await service.ask('/v1/account', ownKey)
    expect(json).toMatchObject({ usage_today: Number(used) + 1 })
  })
})

describe('once the demo users are removed', () => {
  test('their keys end within a second', async () => {
    const removals = planIds.map((plan) =>
      gammawall('users', 'remove', `demo-${plan}@gammawall.local`, '--yes', '--data', data)
    )
    for (const { code, stderr } of await Promise.all(removals)) expect(code, stderr).toBe(0)
    for (const plan of planIds) await refused(service.keys[plan])
  })

  test('no keys are made again, whether their file is there or not', async () => {
    for (const keepFile of [true, false]) {
      if (!keepFile) rmSync(join(data, 'demo-keys.json'))
      await service.stop()
      service = await startService(data, settings)
      expect(service.keys).toEqual({})
      expect(service.stdout()).toContain('no demo keys; make one with: npm run --silent gammawall -- keys create')
      expect(offered(service)).toContain('X-Api-Key: YOUR_KEY')
      expect((await service.ask('/v1/account', ownKey)).status).toBe(200)
    }
  })

  test('a stop leaves one whole file, ready to be copied', async () => {
    expect((await service.stop()).code).toBe(0)
    expect(readdirSync(data)).toEqual([
      'accounts.db',
      'accounts.revision.json',
      ...(hasEngine ? ['history'] : []),
      'service.lock'
    ])
  })
})
