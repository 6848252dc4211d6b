import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatabaseStore } from '../src/archive/clickhouse/database-store.ts'
import { decodeSnapshot } from '../src/archive/codec/decode-snapshot.ts'
import { openHistory } from '../src/archive/open.ts'
import { withSessionFiles } from '../src/archive/session-files/with-session-files.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { session } from '../src/market/calendar.ts'
import { easternDateTime } from '../src/market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { RECORD_VERSION } from '../src/signals/daily-record-measures.ts'
import { type Figure, median, report } from './support/figure.ts'
import { quietServe } from './support/quiet-serve.ts'

// An archive with session files and one without (`--replay-files 0`), compared in one run: a snapshot read and decoded,
// the key levels at a new moment, and a step of the dashboard's time slider, which asks for ten answers about a new
// moment at once. The archive holds one session of SPY and SPX, a snapshot every two minutes.
const day = '2026-07-29' as IsoDate
const [SPY, SPX] = ['SPY', 'SPX'] as unknown as readonly [Ticker, Ticker]
const EVERY = 120_000
const afterwards = session(day)!.close + 3_600_000
const moments = Array.from({ length: 190 }, (_, k) => session(day)!.open + (1 + ((k * 97) % 190)) * EVERY)

/** Requests of the dashboard's overview for one moment. */
const overview = [
  'exposure/summary',
  'exposure/gex',
  'exposure/levels',
  'exposure/term-structure',
  'exposure/narrative',
  'exposure/oi-diff',
  'exposure/zero-dte',
  'exposure/matrix',
  'market/session',
  'volatility/skew-term'
]
const ASKED = 40
const STEPS = 20

async function open(data: string): Promise<DatabaseStore> {
  const { store, reason } = await openHistory({ data, history: 'embedded', recordVersion: RECORD_VERSION })
  if (store === undefined) throw new Error(reason)
  return store
}

async function prepare(data: string): Promise<void> {
  const store = await open(data)
  const context = { store, seed: 1, assumptions: defaultAssumptions, now: afterwards }
  const listener = { onNote: () => {}, signal: new AbortController().signal }
  await runJob({ work: 'backfill', days: 1, symbols: [SPY, SPX], every: EVERY, tapes: [] }, context, listener)
  await store.close()
}

/** Times one snapshot read and decoded, alternately from the database and from a file. */
async function snapshots(data: string): Promise<readonly Figure[]> {
  const plain = await open(data)
  const options = {
    folder: join(data, 'bench-images'),
    maxBytes: 2 ** 34,
    shared: false,
    now: () => Date.now() + 3_600_000
  }
  const onError = (error: unknown) => {
    throw error
  }
  const { store, files } = withSessionFiles(plain, { ...options, onError })
  const figures: Figure[] = []
  for (const [symbol, atMost] of [
    [SPY, 1.5],
    [SPX, 3]
  ] as const) {
    const held = files.bytes
    const fillStart = performance.now()
    for (const at of moments.slice(0, 2)) await store.snapshot(symbol, at)
    await files.settled()
    const filled = performance.now() - fillStart
    const bytes = files.bytes - held
    const times: [number[], number[]] = [[], []]
    for (const at of moments) {
      for (const [k, from] of [plain, store].entries()) {
        const startedAt = performance.now()
        decodeSnapshot((await from.snapshot(symbol, at))!)
        times[k].push(performance.now() - startedAt)
      }
    }
    const [before, after] = times.map(median)
    figures.push(
      { name: `${symbol}: one snapshot read and decoded, database`, value: before, unit: 'ms' },
      { name: `${symbol}: one snapshot read and decoded, session file`, value: after, unit: 'ms', atMost },
      { name: `${symbol}: the file of a session is made in`, value: filled / 1000, unit: 's' },
      { name: `${symbol}: its bytes for a snapshot`, value: bytes / moments.length / 1000, unit: 'KB' }
    )
  }
  await store.close()
  return figures
}

async function serviceProcess(data: string, plain: string): Promise<void> {
  const moment = easternDateTime(afterwards).slice(0, 16)
  const { replay, metrics } = await quietServe({
    data,
    ...(plain === 'true' ? { 'replay-files': '0' } : {}),
    port: '0',
    'as-of': moment,
    universe: 'KO',
    record: 'off',
    'log-level': 'error'
  })
  process.send!({ replay, metrics })
}

interface Service {
  readonly child: ChildProcess
  readonly replay: string
  readonly metrics: string
}

function start(data: string, plain: boolean): Promise<Service> {
  const child = fork(fileURLToPath(import.meta.url), ['service', data, String(plain)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  return new Promise((resolve, reject) => {
    child.once('message', (found) => resolve({ child, ...(found as Omit<Service, 'child'>) }))
    child.once('exit', (code) => reject(new Error(`the service stopped with exit code ${code}`)))
  })
}

/** Times of one service by request, milliseconds, and the bodies of its answers by address. */
interface Asked {
  readonly times: Map<string, number[]>
  readonly bodies: Map<string, string>
}

async function ask(data: string, plain: boolean): Promise<Asked> {
  const { child, replay, metrics } = await start(data, plain)
  const { alpha } = JSON.parse(readFileSync(join(data, 'demo-keys.json'), 'utf8')) as Record<string, string>
  const times = new Map<string, number[]>()
  const bodies = new Map<string, string>()
  const get = async (path: string, symbol: Ticker, at: Instant) => {
    const address = `/v1/${path}/${symbol}?at=${easternDateTime(at)}`
    const response = await fetch(`${replay}${address}`, { headers: { 'x-api-key': alpha } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${address}: ${response.status} ${text.slice(0, 200)}`)
    bodies.set(address, text)
  }
  const hits = async () => {
    const text = await (await fetch(metrics)).text()
    return Number(/^gammawall_session_file_reads_total\{result="hit"\} (\S+)$/m.exec(text)?.[1])
  }
  /** Whether the snapshots of all these symbols come from files by now. */
  const areFiled = async (symbols: readonly Ticker[]) => {
    const before = await hits()
    for (const symbol of symbols) await get('exposure/levels', symbol, moments[0])
    return (await hits()) - before >= symbols.length
  }
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    times.set(name, [...(times.get(name) ?? []), performance.now() - startedAt])
  }
  try {
    const [warm, cold, steps] = [moments.slice(0, 20), moments.slice(20, 20 + ASKED), moments.slice(-STEPS)]
    for (const symbol of [SPY, SPX]) for (const at of warm) await get('exposure/levels', symbol, at)
    for (const symbol of [SPY, SPX]) for (const path of overview) await get(path, symbol, warm[0])
    while (!plain && !(await areFiled([SPY, SPX]))) await new Promise((resolve) => setTimeout(resolve, 1000))
    for (const symbol of [SPY, SPX]) {
      for (const at of cold) await timed(`${symbol}: levels, cold`, () => get('exposure/levels', symbol, at))
      for (const at of steps) {
        const step = () => Promise.all(overview.map((path) => get(path, symbol, at)))
        await timed(`${symbol}: a step of the time slider`, step)
      }
    }
  } finally {
    child.kill('SIGKILL')
  }
  return { times, bodies }
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]

const bounds: Readonly<Record<string, number>> = {
  'SPY: levels, cold': 16,
  'SPX: levels, cold': 25,
  'SPY: a step of the time slider': 150,
  'SPX: a step of the time slider': 150
}

export async function run(): Promise<readonly Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  try {
    await prepare(data)
    const figures: Figure[] = [...(await snapshots(data))]
    const rounds: { readonly plain: Asked; readonly quick: Asked }[] = []
    for (let round = 0; round < 2; round++) rounds.push({ plain: await ask(data, true), quick: await ask(data, false) })
    for (const { plain, quick } of rounds) {
      for (const [address, body] of quick.bodies) {
        if (plain.bodies.get(address) !== body) throw new Error(`${address} is answered otherwise`)
      }
    }
    for (const [name, atMost] of Object.entries(bounds)) {
      const all = (way: 'plain' | 'quick') => rounds.flatMap((round) => round[way].times.get(name)!)
      const [before, after] = [median(all('plain')), median(all('quick'))]
      figures.push(
        { name: `${name}, p50, plain`, value: before, unit: 'ms' },
        { name: `${name}, p50`, value: after, unit: 'ms', atMost },
        { name: `${name}, p90, plain`, value: quantile(all('plain'), 0.9), unit: 'ms' },
        { name: `${name}, p90`, value: quantile(all('quick'), 0.9), unit: 'ms' }
      )
      if (name.endsWith('cold')) {
        figures.push({ name: `${name}, of the plain way`, value: after / before, unit: 'times', atMost: 0.75 })
      }
    }
    return figures
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  }
}

const [role, data, plain] = process.argv.slice(2)
if (role === 'service') await serviceProcess(data, plain)
else await report(import.meta.url, run)
