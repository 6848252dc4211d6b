import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { latestSession } from '../../src/market/calendar.ts'
import { KEY, snapshotRow, statusFrame, tradeEvent, tradeRow, Vendor } from '../connectors/massive/vendor.ts'
import { cboePayload } from '../support/cboe-payload.ts'
import { payload, type SourceServer, startSource } from '../support/source-server.ts'
import {
  eventually,
  gammawall,
  greeted,
  launch,
  program,
  projectRoot,
  type Service,
  temporaryFolder
} from '../support/started-service.ts'

// Chains of one source and prints of another: the built service between two servers with the manners of the vendors.

const folder = temporaryFolder()
let source: SourceServer
let vendor: Vendor
const { open, close, date } = latestSession(Date.now())
/** A moment of the session whose tape is served. */
const moment = Math.max(open, Math.min(close, Date.now()) - 60_000)
const contract = `SPY${date.slice(2).replaceAll('-', '')}C00600000`

beforeAll(async () => {
  source = await startSource()
  source.conducts.set('SPY', payload(cboePayload()))
  vendor = await new Vendor().listen()
  vendor.rest.set('/v3/snapshot/options/SPY', () => ({ body: { results: [snapshotRow(contract, moment)] } }))
  vendor.rest.set('/v3/trades', () => ({ body: { results: [tradeRow(moment, { size: 7, price: 1.25 })] } }))
  await gammawall('--version') // builds what is stale
})

afterAll(async () => {
  await source.close()
  await vendor.close()
})

const prints = () => ['--source', 'cboe', '--cboe-url', source.url, '--prints', 'massive', '--universe', 'SPY']
const flags = (data: string) => [
  program,
  'serve',
  '--data',
  data,
  '--port',
  '0',
  '--drain',
  '0',
  '--log-level',
  'debug'
]

async function started(name: string, key: string, more: readonly string[] = []): Promise<Service> {
  const data = join(folder, name)
  const addresses = ['--massive-stream', vendor.stream, '--massive-url', vendor.url]
  const args = [...flags(data), ...prints(), ...addresses, '--workers', '1', '--history', 'off', ...more]
  return greeted(launch(process.execPath, args, { env: { GAMMAWALL_MASSIVE_KEY: key }, cwd: projectRoot }), data)
}

test('flow is answered from the prints of the vendor, and says that they were recorded', async () => {
  const service = await started('one', KEY)
  const asked = (what: string) => service.ask(`/v1/flow/options/SPY/${what}`, service.keys.alpha)
  // The universe is kept from the start: nobody has asked for anything yet.
  await eventually('the stream to be subscribed', () => vendor.received[0]?.length === 2 || undefined)
  vendor.tell([tradeEvent({ sym: `O:${contract}`, t: moment, s: 3, c: [219] })])
  vendor.tell([tradeEvent({ sym: `O:${contract}`, t: moment + 1, s: 5, c: [232], q: 2 })])
  const recent = await eventually('both prints', async () => {
    const answer = await asked('recent')
    return (answer.json?.['trades'] as object[] | undefined)?.length === 3 ? answer : undefined
  })
  expect(recent.headers.get('x-flow-source')).toBe('recorded')
  expect(recent.headers.get('x-data-source')).toBe('cboe, prints massive')
  const trades = recent.json!['trades'] as { size: number; price: number; strike: number; expiry: string }[]
  expect(trades.map(({ size }) => size).toSorted()).toEqual([3, 5, 7])
  expect(trades.every(({ strike, expiry }) => strike === 600 && expiry === date)).toBe(true)
  const summary = await eventually('the sums', async () => {
    const answer = await asked('summary')
    return answer.json?.['totalTrades'] === 3 ? answer : undefined
  })
  expect(summary.headers.get('x-flow-source')).toBe('recorded')
  expect(summary.json).toMatchObject({ symbol: 'SPY', contractsWithTrades: 1, biggestSingleTrade: 7 })
  const { stdout, stderr, code } = await service.stop()
  expect(code).toBe(0)
  expect(stdout).toContain('cboe, prints massive')
  expect(stdout + stderr).not.toContain(KEY)
})

test('a key that is refused is told in the log, and flow waits for a better one', async () => {
  vendor.answer = ({ params }) => statusFrame('auth_failed', `authentication failed for ${params}`)
  vendor.rest.clear()
  vendor.rest.set('/v3', () => ({ status: 401, body: '' }))
  const service = await started('two', 'sk-wrong-8080')
  const line = await eventually('the refusal', () =>
    service
      .stdout()
      .concat(service.stderr())
      .split('\n')
      .find((text) => text.includes('feed_failed'))
  )
  expect(line).toMatch(/Massive refuses the key of GAMMAWALL_MASSIVE_KEY or its file/)
  const { stdout, stderr } = await service.stop()
  expect(stdout + stderr).not.toContain('sk-wrong-8080')
})

test('a start without a key, or with what does not go together, ends with one sentence', async () => {
  const sentence = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await launch(process.execPath, [...flags(join(folder, 'none')), ...args]).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^[^\n]+\n$/)
    return stderr.trimEnd()
  }
  expect(await sentence(...prints())).toBe(
    'massive needs a key: put it into GAMMAWALL_MASSIVE_KEY, or name its file with --massive-key-file. Keys are made on the dashboard of massive.com'
  )
  const file = join(folder, 'key')
  writeFileSync(file, `${KEY}\n`)
  const recorded = join(folder, 'SPY.json')
  writeFileSync(recorded, cboePayload())
  const fixed = ['--source', 'cboe', '--cboe-path', recorded, '--prints', 'massive', '--massive-key-file', file]
  expect(await sentence(...fixed)).toBe(
    'the chains of cboe-files stand at one moment, and the prints of massive go on with the clock: leave out --prints'
  )
  expect(await sentence(...fixed, '--as-of', '2026-07-29')).toBe(
    '--as-of needs recorded data: Massive goes on with the clock'
  )
})
