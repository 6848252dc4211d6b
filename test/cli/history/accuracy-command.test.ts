import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { customerSide, customerSums, noCustomers } from '../../../src/flow/open-interest/customer-side.ts'
import { noSettlements } from '../../../src/flow/open-interest/settlement.ts'
import type { JobOutcome } from '../../../src/jobs/run-job.ts'
import { writeServiceFile } from '../../../src/jobs/service-file.ts'
import type { SessionAccuracy } from '../../../src/jobs/settlement-accuracy.ts'
import { type CustomerGroup, type CustomerSums, customerGroups } from '../../../src/market/customer-sums.ts'
import type { IsoDate, Ticker } from '../../../src/market/units.ts'
import type { BandAccuracy } from '../../../src/signals/band-accuracy.ts'

let data: string
let server: Server
let accuracy: readonly SessionAccuracy[]
let bands: readonly BandAccuracy[]
/** The last job that the service of the data folder was asked to do. */
let order: Record<string, unknown>
beforeEach(async () => {
  bands = []
  data = mkdtempSync(join(tmpdir(), 'gammawall-'))
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    order = JSON.parse(text)
    const outcome: Omit<JobOutcome, 'tally'> = { complete: true, bytes: undefined, accuracy, bands }
    response.end(`${JSON.stringify({ kind: 'done', outcome: { ...outcome, tally: {} } })}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  writeServiceFile(data, { pid: process.pid, address: `http://127.0.0.1:${port}`, token: 'x' })
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(data, { recursive: true, force: true })
})

async function run(...flags: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  const terminal = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), env: {} }
  const code = await main(['history', 'accuracy', '--data', data, ...flags], terminal)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const session = (date: string, symbol = 'SPY') => ({ symbol: symbol as Ticker, session: date as IsoDate })
/** Two contracts: of one 10 were bought and 5 opened, of the other 10 were sold and none closed. */
const sums = {
  ...noSettlements,
  ...{ contracts: 2, changed: 1, volume: 40, sided: 20, absoluteChange: 5, absoluteError: 5 },
  ...{ change: 5, estimate: 0, changeSquared: 25, estimateSquared: 32, changeEstimate: 20 },
  ...{ netSquared: 200, netChange: 50, netSquaredChangeSquared: 2500, netCubedChange: 5000, netFourth: 20_000 }
}

type Groups = Readonly<Record<CustomerGroup, CustomerSums>>

/** Calls out of the money of which open interest rose by half of what customers bought; nothing else traded. */
const bought = [8, -6, 4, -2, 10].map((net, k) => ({ change: net / 2 + (k % 2), volume: 10 + k, net }))
const noGroups = Object.fromEntries(customerGroups.map((group) => [group, noCustomers])) as Groups
const groups: Groups = { ...noGroups, calls_out: customerSums(bought) }

test('a symbol has a row over its sessions, with the reasons of those that were left out', async () => {
  const compared = { source: 'synthetic', confidence: 0.43, sums, groups: noGroups } as const
  accuracy = [
    { ...session('2026-07-28'), ...compared },
    { ...session('2026-07-29'), ...compared },
    { ...session('2026-07-30'), reason: 'not_published' },
    { ...session('2026-07-30', 'QQQ'), reason: 'no_tape' }
  ]
  const { code, out } = await run('--sessions', '3')
  expect([code, order]).toEqual([0, { work: 'accuracy', sessions: 3 }])
  const [heading, ...rows] = out.split('\n').map((line) => line.split(/ {2,}/))
  expect(heading.slice(0, 2)).toEqual(['SYMBOL', 'SESSIONS'])
  expect(rows).toEqual([
    ['SPY', '2 of 3', '4', '2', '50.0 %', '0.0 %', '1.00', '0.250 ± 0.125', '0.43', '1 nothing published yet'],
    ['QQQ', '0 of 1', '-', '-', '-', '-', '-', '-', '-', '1 no prints']
  ])
})

test('JSON has each session as well', async () => {
  accuracy = [
    { ...session('2026-07-29'), source: 'recorded', confidence: 0.5, sums, groups },
    { ...session('2026-07-30'), reason: 'no_chain' }
  ]
  const { out } = await run('--symbols', 'SPY', '--json')
  expect(order).toMatchObject({ symbols: ['SPY'], sessions: 20 })
  const figures = { contracts: 2, changed: 1, sided: 0.5, explained: 0, best_confidence: 0.25 }
  expect(JSON.parse(out)).toMatchObject([
    {
      ...{ symbol: 'SPY', compared: 1, ...figures },
      sessions: [
        { session: '2026-07-29', source: 'recorded', confidence: 0.5, ...figures },
        { session: '2026-07-30', left_out: 'no_chain' }
      ]
    }
  ])
})

test('by group it says on which side customers stand, and whether the convention fits', async () => {
  const days = ['20', '21', '22', '23', '24', '27', '28', '29']
  accuracy = [
    ...days.map(
      (day) => ({ ...session(`2026-07-${day}`), source: 'recorded', confidence: 0.5, sums, groups }) as const
    ),
    { ...session('2026-07-30'), reason: 'no_chain' }
  ]
  const { out } = await run('--by', 'group')
  const [heading, ...rows] = out.split('\n').map((line) => line.split(/ {2,}/))
  expect(heading).toEqual(['SYMBOL', 'GROUP', 'SESSIONS', 'CONTRACTS', 'SLOPE', 'CUSTOMERS', 'CONVENTION'])
  const { slope, error } = customerSide(
    'calls_out',
    days.map(() => groups.calls_out)
  )
  const written = `${slope!.toFixed(3)} ± ${error!.toFixed(3)}`
  expect(rows).toEqual([
    ['SPY', 'calls out', '8 of 9', '40', written, 'long', 'contradicts'],
    ...['calls in', 'puts out', 'puts in'].map((group) => ['SPY', group, '8 of 9', '0', '-', '-', 'not shown'])
  ])
  const { out: json } = await run('--by', 'group', '--json')
  expect(JSON.parse(json)[0].customers).toMatchObject({
    calls_out: { slope, error, side: 'long' },
    puts_in: { slope: null }
  })
  expect(await run('--by', 'strike')).toMatchObject({ code: 1, err: expect.stringContaining('--by must be group') })
})

test('bands have a table of their own, and stand with their symbol in JSON', async () => {
  accuracy = [{ ...session('2026-07-30'), reason: 'no_chain' }]
  const held = { gex: 0.9, dex: 0.85, vex: undefined, chex: 1 }
  bands = [
    { symbol: 'KO' as Ticker, kind: 'equity', mornings: 7, basis: undefined, held },
    { symbol: 'SPY' as Ticker, kind: 'etf', mornings: 60, basis: 'symbol', held }
  ]
  const lines = (await run()).out.split('\n').map((line) => line.split(/ {2,}/))
  expect(lines.slice(2)).toEqual([
    [''],
    ['SYMBOL', 'CLASS', 'MORNINGS', 'BANDS', 'GEX HELD', 'DEX HELD', 'VEX HELD', 'CHEX HELD'],
    ['KO', 'equity', '7', 'prior', '90.0 %', '85.0 %', '-', '100.0 %'],
    ['SPY', 'etf', '60', 'symbol', '90.0 %', '85.0 %', '-', '100.0 %']
  ])
  const held_pct = { net_gex: 90, net_dex: 85, net_vex: null, net_chex: 100 }
  expect(JSON.parse((await run('--json')).out)).toEqual([
    {
      ...{ symbol: 'SPY', compared: 0, sessions: [{ session: '2026-07-30', left_out: 'no_chain' }] },
      bands: { class: 'etf', mornings: 60, calibration: 'symbol', held_pct }
    },
    { symbol: 'KO', bands: { class: 'equity', mornings: 7, calibration: 'prior', held_pct } }
  ])
  accuracy = []
  expect((await run()).out.split('\n')).toHaveLength(3)
})

test('nothing recorded is said, and what cannot be is refused', async () => {
  accuracy = []
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('no prints were recorded') })
  expect((await run('--sessions', '0')).err).toContain('sessions must be a whole number')
})
