import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { features } from '../../../src/api/feature.ts'
import { endpointsWith } from '../../../src/endpoints/index.ts'
import type { Ticker } from '../../../src/market/units.ts'
import { listen } from '../../../src/server/http/listen.ts'
import type { ArchiveRows } from '../../support/archive-rows.ts'
import { flowDate, recordFlowDay } from '../../support/flow-day.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { ownEndpoints } from '../../support/own-endpoints.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, replayService } from '../../support/replay.ts'

const root = resolve(import.meta.dirname, '../../..')
const check = resolve(root, '../shared/contract/check.mjs')
const present = existsSync(check)
if (!present) console.log('skipped: the contract is not beside the project, so the replay host is not checked with it')

const endpoints = endpointsWith(features)
let service: ReplayService
const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))

/** The check asks some routes about symbols of its own: they get what others have. */
const doubles: Readonly<Record<string, string>> = { AAPL: 'KO', MSFT: 'T', NVDA: 'KO', SPX: 'XLE' }

function withDoubles({ snapshots, bars, records, figures = [] }: ArchiveRows): ArchiveRows {
  const renamed = <Row>(
    rows: readonly Row[],
    symbolOf: (row: Row) => string,
    rename: (row: Row, to: Ticker) => Row
  ) => {
    const others = rows.filter((row) => !Object.hasOwn(doubles, symbolOf(row)))
    const added = Object.entries(doubles).flatMap(([name, of]) =>
      rows.filter((row) => symbolOf(row) === of).map((row) => rename(row, name as Ticker))
    )
    return [...others, ...added]
  }
  return {
    snapshots: renamed(
      snapshots,
      ({ chain }) => chain.symbol,
      (snapshot, symbol) => ({ ...snapshot, chain: { ...snapshot.chain, symbol } })
    ),
    bars: renamed(
      bars,
      ({ symbol }) => symbol,
      (row, symbol) => ({ ...row, symbol })
    ),
    records,
    figures: renamed(
      figures,
      ({ symbol }) => symbol,
      (row, symbol) => ({ ...row, symbol })
    )
  }
}

beforeAll(async () => {
  const { rows, tapes } = await recordFlowDay(async () => {})
  const history = memoryStore({ ...withDoubles(await recordedDay(flowDate)), zeroDte: rows.zeroDte ?? [] }, tapes)
  service = replayService({ history, endpoints })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

test.runIf(present)('the replay host keeps the contract on every route whose endpoint exists', async () => {
  const [base, replay] = [await listen(service.app, '127.0.0.1', 0), await listen(service.replay, '127.0.0.1', 0)]
  const keys = join(folder, 'keys.json')
  const plans = ['free', 'basic', 'growth', 'alpha'] as const
  writeFileSync(keys, JSON.stringify(Object.fromEntries(plans.map((plan) => [plan, service.keyOn(plan)]))))
  const flags = ['--base', base, '--replay', replay, '--at', `${flowDate}T12:00:00`, '--keys', keys, '--only', 'replay']
  const output = await new Promise<string>((answer) => {
    const asked = [check, ...flags, '--symbol', 'KO', '--free-symbol', 'KO', '--verbose']
    execFile(process.execPath, asked, { cwd: root }, (_error, stdout, stderr) => answer(stdout + stderr))
  })
  const routes = (verdict: string) =>
    [...output.matchAll(new RegExp(`^${verdict} +replay GET (.+)$`, 'gm'))].map(([, path]) => path)
  // Tape and scan routes and those of insight.yaml the check asks of the live host alone. They are compared with it:
  // flow-answers.test.ts, look-ahead.test.ts and series.test.ts.
  const insight = parse(readFileSync(join(check, '../insight.yaml'), 'utf8')).paths as object
  const isExtension = (path: string) => /^\/v1\/flow\/(options|stocks|zero-dte)\//.test(path) || path in insight
  const checked = endpoints.filter(({ id, replay, path }) => replay && !isExtension(path) && !ownEndpoints.has(id))
  const served = checked.map(({ path }) => path)
  expect(served.filter((path) => path.startsWith('/v1/flow/'))).toHaveLength(10)
  expect(new Set(routes('pass')), output).toEqual(new Set([...served, '/v1/tickers']))
})
