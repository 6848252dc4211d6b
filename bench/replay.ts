import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openHistory } from '../src/archive/open.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { session } from '../src/market/calendar.ts'
import { easternDateTime } from '../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { RECORD_VERSION } from '../src/signals/daily-record-measures.ts'
import { type Figure, report } from './support/figure.ts'
import { quietServe } from './support/quiet-serve.ts'

// Waiting time of a researcher: answers over HTTP about moments that were not requested before, and a whole day of
// them.
const symbol = 'SPY' as Ticker
const day = '2026-07-29' as IsoDate
const cold = [
  { path: '/v1/exposure/summary/SPY', p50: 30, p99: 60 },
  { path: '/v1/adv_volatility/SPY', p50: 30, p99: 60 },
  { path: '/v1/flow/options/SPY/summary', p50: 15, p99: 40 }
]
const samples = 60
/** A session goes into a file only once nothing has been written into it for a minute, as in any older archive; milliseconds. */
const SETTLED = 65_000
/** A moment after the only session of the archive. */
const afterwards = session(day)!.close + 3_600_000

async function prepare(data: string): Promise<void> {
  const { store, reason } = await openHistory({ data, history: 'embedded', recordVersion: RECORD_VERSION })
  if (store === undefined) throw new Error(reason)
  const context = { store, seed: 1, assumptions: defaultAssumptions, now: afterwards }
  const listener = { onNote: () => {}, signal: new AbortController().signal }
  await runJob({ work: 'backfill', days: 1, symbols: [symbol], every: 60_000, tapes: [symbol] }, context, listener)
  await store.close()
}

async function serviceProcess(data: string): Promise<void> {
  const flags = { data, port: '0', 'as-of': easternDateTime(afterwards).slice(0, 16), universe: 'KO', record: 'off' }
  const { replay } = await quietServe(flags)
  process.send!(replay)
}

function start(data: string): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const child = fork(fileURLToPath(import.meta.url), ['service', data], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  return new Promise((resolve, reject) => {
    child.once('message', (address) => resolve({ child, address: String(address) }))
    child.once('exit', (code) => reject(new Error(`the service stopped with exit code ${code}`)))
  })
}

export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  try {
    await prepare(folder)
    await pause(SETTLED)
    const { child, address } = await start(folder)
    const { alpha } = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as Record<string, string>
    const { open, close } = session(day)!
    const minutes = (close - open) / 60_000
    const ask = async (path: string, minute: number, second = 0) => {
      const at = easternDateTime(open + minute * 60_000 + second * 1000)
      const response = await fetch(`${address}${path}?at=${at}`, { headers: { 'x-api-key': alpha } })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path} at ${at}: ${response.status} ${text.slice(0, 200)}`)
    }
    const figures: Figure[] = []
    // Each moment is asked about once. The first answers warm the code up and are not timed.
    const moments = Array.from({ length: minutes }, (_, k) => 1 + ((k * 97) % (minutes - 1)))
    const share = Math.floor(moments.length / cold.length)
    for (const [which, { path, p50, p99 }] of cold.entries()) {
      const times: number[] = []
      for (const minute of moments.slice(which * share, (which + 1) * share)) {
        const startedAt = performance.now()
        await ask(path, minute)
        times.push(performance.now() - startedAt)
      }
      const sorted = times.slice(-samples).sort((a, b) => a - b)
      figures.push(
        { name: `cold replay of ${path}, p50`, value: sorted[sorted.length >> 1], unit: 'ms', atMost: p50 },
        {
          name: `cold replay of ${path}, p99`,
          value: sorted[Math.floor(sorted.length * 0.99)],
          unit: 'ms',
          atMost: p99
        }
      )
    }
    child.kill('SIGKILL')
    const fresh = await start(folder)
    const again = (path: string, minute: number) =>
      fetch(`${fresh.address}${path}?at=${easternDateTime(open + minute * 60_000)}`, {
        headers: { 'x-api-key': alpha }
      })
    const startedAt = performance.now()
    let next = 0
    const worker = async () => {
      for (let minute = next++; minute <= minutes; minute = next++) {
        const response = await again('/v1/exposure/summary/SPY', minute)
        await response.arrayBuffer()
        if (response.status !== 200) throw new Error(`minute ${minute}: ${response.status}`)
      }
    }
    await Promise.all(Array.from({ length: 4 }, worker))
    const seconds = (performance.now() - startedAt) / 1000
    figures.push({ name: 'a day of SPY by the minute, exposure summary', value: seconds, unit: 's', atMost: 20 })
    fresh.child.kill('SIGKILL')
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const [role, argument] = process.argv.slice(2)
if (role === 'service') await serviceProcess(argument)
else await report(import.meta.url, run)
