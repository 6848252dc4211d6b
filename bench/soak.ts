import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '../src/app/serve.ts'
import { openHistory } from '../src/archive/open.ts'
import { readConfig } from '../src/config/config.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { session } from '../src/market/calendar.ts'
import { easternDateTime } from '../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/carry.ts'
import { RECORD_VERSION } from '../src/signals/daily-record.ts'
import { type Figure, report } from './figure.ts'

// What a service holds after hours of work, in resident memory of its process: 2,000 answers of the historical host that
// each price a chain of SPX anew, and as many loads of the live market. `--answers 400` makes it shorter.
const symbol = 'SPX' as Ticker
const day = '2026-07-29' as IsoDate
const afterwards = session(day)!.close + 3_600_000
/** Twice as many snapshots as the historical host holds chains of this size: each of them is made anew on every round. */
const EVERY = 4 * 60_000
const given = process.argv.indexOf('--answers')
const ANSWERS = given < 0 ? 2000 : Number(process.argv[given + 1])
/** The first tenth fills caches and warms the code up: what is held after it is what everything later is compared with. */
const WARM = Math.max(1, Math.round(ANSWERS / 10))

async function prepare(data: string): Promise<void> {
  const { store, reason } = await openHistory({ data, history: 'embedded', recordVersion: RECORD_VERSION })
  if (store === undefined) throw new Error(reason)
  const context = { store, seed: 1, assumptions: defaultAssumptions, now: afterwards }
  const listener = { onNote: () => {}, signal: new AbortController().signal }
  await runJob({ work: 'backfill', days: 1, symbols: [symbol], every: EVERY }, context, listener)
  await store.close()
}

async function serviceProcess(data: string): Promise<void> {
  process.on('message', () => process.send!(process.memoryUsage.rss()))
  const flags = {
    data,
    port: '0',
    'as-of': easternDateTime(afterwards).slice(0, 16),
    universe: 'KO',
    record: 'off',
    'log-level': 'error'
  }
  const write = process.stdout.write
  let printed = ''
  process.stdout.write = ((text: string) => {
    printed += text
    return true
  }) as typeof write
  await serve(readConfig(flags, {}))
  process.stdout.write = write
  process.send!(/replay\s+(\S+)/.exec(printed)![1])
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

export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  let child: ChildProcess | undefined
  try {
    await prepare(folder)
    child = fork(fileURLToPath(import.meta.url), ['service', folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const address = await next(child)
    const { alpha } = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as Record<string, string>
    const { open, close } = session(day)!
    const moments: number[] = []
    for (let at = open + EVERY; at < close; at += EVERY) moments.push(at)
    const resident: number[] = []
    const startedAt = performance.now()
    for (let answered = 1; answered <= ANSWERS; answered++) {
      const at = easternDateTime(moments[answered % moments.length])
      const response = await fetch(`${address}/v1/exposure/summary/${symbol}?at=${at}`, {
        headers: { 'x-api-key': alpha }
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${at}: ${response.status} ${text.slice(0, 200)}`)
      if (answered % WARM === 0) {
        resident.push(await residentOf(child))
        if (process.env['TRACE'])
          console.log(answered, resident.at(-1)!.toFixed(0), ((performance.now() - startedAt) / answered).toFixed(1))
      }
    }
    const [warm] = resident
    const last = resident[resident.length - 1]
    return [
      { name: `replay: resident memory after ${WARM} cold answers`, value: warm, unit: 'MB' },
      { name: `replay: resident memory after ${ANSWERS} cold answers`, value: last, unit: 'MB' },
      { name: 'replay: the second to the first', value: last / warm, unit: 'times', atMost: 1.3 }
    ]
  } finally {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const [role, argument] = process.argv.slice(2)
if (role === 'service') await serviceProcess(argument)
else await report(import.meta.url, run)
