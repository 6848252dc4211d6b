import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openHistory } from '../src/archive/open.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { session } from '../src/market/calendar.ts'
import { easternDateTime } from '../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { HeldChain } from '../src/pricing/held-chain.ts'
import { RECORD_VERSION } from '../src/signals/daily-record-measures.ts'
import { createPool } from '../src/workers/pool.ts'
import { type Figure, report } from './support/figure.ts'
import { quietServe } from './support/quiet-serve.ts'

// Resident memory of a service after hours of work: 2,000 answers of the historical host that each price a chain of
// SPX, and as many polls of a live symbol. `node --import ./scripts/typescript.mjs bench/soak.ts --answers 400` is shorter.
const symbol = 'SPX' as Ticker
const day = '2026-07-29' as IsoDate
const afterwards = session(day)!.close + 3_600_000
/** Twice as many snapshots as the historical host can hold as chains, so that every round prices each of them again. */
const EVERY = 4 * 60_000
const given = process.argv.indexOf('--answers')
const ANSWERS = given < 0 ? 2000 : Number(process.argv[given + 1])
/** The first tenth of the answers fills caches and warms the code up; later memory is compared with that after it. */
const WARM = Math.max(1, Math.round(ANSWERS / 10))

async function prepare(data: string): Promise<void> {
  const { store, reason } = await openHistory({ data, history: 'embedded', recordVersion: RECORD_VERSION })
  if (store === undefined) throw new Error(reason)
  const context = { store, seed: 1, assumptions: defaultAssumptions, now: afterwards }
  const listener = { onNote: () => {}, signal: new AbortController().signal }
  await runJob({ work: 'backfill', days: 1, symbols: [symbol], every: EVERY, tapes: [] }, context, listener)
  await store.close()
}

const sendResident = () => void process.send!(process.memoryUsage.rss())

async function serviceProcess(data: string): Promise<void> {
  process.on('message', sendResident)
  const flags = {
    data,
    port: '0',
    'as-of': easternDateTime(afterwards).slice(0, 16),
    universe: 'KO',
    record: 'off',
    'log-level': 'error'
  }
  const { replay } = await quietServe(flags)
  process.send!(replay)
}

function start(...role: readonly string[]): ChildProcess {
  return fork(fileURLToPath(import.meta.url), role, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

function next(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stopped = (code: number | null) => reject(new Error(`the service stopped with exit code ${code}`))
    child.once('exit', stopped)
    child.once('message', (message) => {
      child.off('exit', stopped)
      resolve(message)
    })
  })
}

async function residentOf(child: ChildProcess): Promise<number> {
  const answer = next(child)
  child.send('resident')
  return Number(await answer) / 2 ** 20
}

/** Megabytes after each tenth of the answers. */
async function soak(child: ChildProcess, answer: (k: number) => Promise<void>): Promise<readonly number[]> {
  const resident: number[] = []
  for (let k = 1; k <= ANSWERS; k++) {
    await answer(k)
    if (k % WARM === 0) resident.push(await residentOf(child))
  }
  return resident
}

function figuresOf(what: string, resident: readonly number[]): readonly Figure[] {
  const [warm] = resident
  const last = resident[resident.length - 1]
  return [
    { name: `${what}: resident memory after ${WARM}`, value: warm, unit: 'MB' },
    { name: `${what}: resident memory after ${ANSWERS}`, value: last, unit: 'MB' },
    { name: `${what}: the second to the first`, value: last / warm, unit: 'times', atMost: 1.3 }
  ]
}

async function coldAnswers(folder: string): Promise<readonly Figure[]> {
  await prepare(folder)
  const child = start('service', folder)
  try {
    const address = await next(child)
    const { alpha } = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as Record<string, string>
    const { open, close } = session(day)!
    const moments: number[] = []
    for (let at = open + EVERY; at < close; at += EVERY) moments.push(at)
    const resident = await soak(child, async (k) => {
      const at = easternDateTime(moments[k % moments.length])
      const url = `${address}/v1/exposure/summary/${symbol}?at=${at}`
      const response = await fetch(url, { headers: { 'x-api-key': alpha } })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${at}: ${response.status} ${text.slice(0, 200)}`)
    })
    return figuresOf('cold answers of the historical host', resident)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Polls one live symbol: each chain replaces the one before. */
async function livePolls(): Promise<readonly Figure[]> {
  const child = start('live')
  try {
    await next(child)
    const resident = await soak(child, async (k) => {
      const answer = next(child)
      child.send(k)
      await answer
    })
    return figuresOf('polls of a live symbol', resident)
  } finally {
    child.kill('SIGKILL')
  }
}

async function liveProcess(): Promise<void> {
  const engine = await createPool({
    workers: 1,
    source: {
      sources: { chains: 'synthetic', bars: 'synthetic', prints: 'synthetic' },
      values: { seed: 1 },
      asOf: undefined
    },
    assumptions: defaultAssumptions,
    features: [],
    program: new URL('../src/workers/engine-thread.js', import.meta.url),
    onCrash: (error) => {
      throw error
    }
  })
  const held = new HeldChain((chain) => engine.forget(chain))
  const poll = async (k: number) => {
    const chain = (await engine.run('loadChain', { symbol, now: session(day)!.open + k * 10_000 }))!
    held.replace(chain)
    const asked = { params: { symbol, expiration: undefined }, inputs: { chain }, body: undefined, caller: [] }
    await engine.run('answerEndpoint', { endpoint: 'exposure.levels', ...asked })
    process.send!('polled')
  }
  process.on('message', (message) => (typeof message === 'number' ? poll(message) : sendResident()))
  process.send!('ready')
}

export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  try {
    return [...(await coldAnswers(folder)), ...(await livePolls())]
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const [role, argument] = process.argv.slice(2)
if (role === 'service') await serviceProcess(argument)
else if (role === 'live') await liveProcess()
else await report(import.meta.url, run)
