import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '../../../src/api/feature.ts'
import { endpointsWith } from '../../../src/endpoints/index.ts'
import { runJob } from '../../../src/jobs/run-job.ts'
import { session } from '../../../src/market/calendar.ts'
import { type IsoDate, MILLISECONDS_PER_DAY, type Ticker } from '../../../src/market/units.ts'
import { listen } from '../../../src/server/http/listen.ts'
import type { ArchiveRows } from '../../support/archive-rows.ts'
import { jobStore } from '../../support/job-store.ts'
import { madeUpAssumptions } from '../../support/made-up.ts'
import { memoryStore } from '../../support/memory-store.ts'
import { recordedDay } from '../../support/recorded-days.ts'
import { type ReplayService, replayService } from '../../support/replay.ts'

const root = resolve(import.meta.dirname, '../../..')
const check = resolve(root, '../shared/contract/check.mjs')
const present = existsSync(check)
if (!present) console.log('skipped: the contract is not beside the project, so the replay host is not checked with it')

const endpoints = endpointsWith(features)
let service: ReplayService | undefined
const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))

/** The check asks some routes about symbols of its own: they get what others have. */
const doubles: Readonly<Record<string, string>> = { AAPL: 'KO', MSFT: 'T', NVDA: 'KO', SPX: 'XLE' }

function withDoubles({ snapshots, bars, records }: ArchiveRows): ArchiveRows {
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
    records
  }
}

/** A half day on which options of KO expire. */
const day = session('2026-11-27' as IsoDate)!

beforeAll(async () => {
  if (!present) return
  const history = memoryStore(withDoubles(await recordedDay(day.date)))
  // What is made of prints reads the tapes of a backfill, of the same market as the recorded day.
  await runJob(
    { work: 'backfill', days: 1, symbols: ['KO' as Ticker], every: MILLISECONDS_PER_DAY },
    { store: jobStore(history), seed: 7, assumptions: madeUpAssumptions, now: day.close },
    { onNote: () => {}, signal: new AbortController().signal }
  )
  service = replayService({ history, endpoints })
}, 60_000)
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.runIf(present)(
  'the replay host keeps the contract on every route whose endpoint exists',
  async () => {
    const { app, replay: past, keyOn } = service!
    const [base, replay] = [await listen(app, '127.0.0.1', 0), await listen(past, '127.0.0.1', 0)]
    const keys = join(folder, 'keys.json')
    const plans = ['free', 'basic', 'growth', 'alpha'] as const
    writeFileSync(keys, JSON.stringify(Object.fromEntries(plans.map((plan) => [plan, keyOn(plan)]))))
    const flags = [
      '--base',
      base,
      '--replay',
      replay,
      '--at',
      `${day.date}T12:00:00`,
      '--keys',
      keys,
      '--only',
      'replay'
    ]
    const told = await new Promise<string>((answer) => {
      const asked = [check, ...flags, '--symbol', 'KO', '--free-symbol', 'KO', '--verbose']
      execFile(process.execPath, asked, { cwd: root }, (_error, stdout, stderr) => answer(stdout + stderr))
    })
    const routes = (verdict: string) =>
      [...told.matchAll(new RegExp(`^${verdict} +replay GET (.+)$`, 'gm'))].map(([, path]) => path)
    const served = endpoints.filter(({ replay }) => replay).map(({ path }) => path)
    const [passed, failed] = [new Set(routes('pass')), new Set(routes('FAIL'))]
    expect(passed.size).toBeGreaterThan(40)
    expect(
      served.filter((path) => failed.has(path)),
      told
    ).toEqual([])
    // What the contract says of the past of these routes it says in words: they are asked below.
    expect(served.filter((path) => !passed.has(path) && !isToldInWords(path))).toEqual([])
  },
  60_000
)

const isToldInWords = (path: string) => /^\/v1\/flow\/(options|stocks|zero-dte)\//.test(path)
const inWords = endpoints.filter(({ replay, path }) => replay && isToldInWords(path))

test.runIf(present).each(inWords)('a backfilled day answers $path', async ({ path, response }) => {
  const { replay: past, keyOn } = service!
  const needed = path.endsWith('/bars') ? '&resolution=5m' : ''
  const url = `${path.replace(/\{\w+\}/, 'KO')}?at=${day.date}T12:00:00${needed}`
  const answer = await past.inject({ url, headers: { 'x-api-key': keyOn('alpha') } })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.headers['x-flow-source']).toBe('synthetic')
  expect([...Value.Errors(response, answer.json())]).toEqual([])
})
