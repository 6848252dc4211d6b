import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultPlans } from '../src/api/plan.ts'
import { type Figure, report } from './support/figure.ts'
import { quietServe } from './support/quiet-serve.ts'

// How long a client waits for a cached answer while prints pour in: the sessions of many symbols are read, folded and
// recorded at once, by the thread of the tapes, while this process asks at a steady pace. On two cores the three share.
const symbols = ['SPY', 'QQQ', 'IWM', 'AAPL', 'NVDA', 'TSLA', 'AMD', 'AMZN', 'META', 'MSFT', 'GOOGL', 'NFLX']
const PER_SECOND = 300
const SECONDS = 8

interface Ready {
  readonly rest: string
  readonly metrics: string
}

/** The service late in a standing session, of which no print was read so far. */
async function serviceProcess(data: string): Promise<void> {
  const plans = defaultPlans.all.map((plan) => ({ ...plan, dailyLimit: 'unlimited' }))
  writeFileSync(join(data, 'plans.json'), JSON.stringify(plans))
  const { rest, metrics } = await quietServe({
    data,
    port: '0',
    'as-of': '2026-07-29T15:30',
    universe: symbols.join(),
    'log-level': 'silent'
  })
  process.send!({ rest, metrics })
}

async function start(folder: string): Promise<{ readonly child: ChildProcess } & Ready> {
  const child = fork(fileURLToPath(import.meta.url), ['service', folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: []
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve({ child, ...(message as Ready) }))
    child.once('exit', (code) => reject(new Error(`the service stopped with exit code ${code}`)))
  })
}

export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const { child, rest, metrics } = await start(folder)
  try {
    const { alpha } = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as { readonly alpha: string }
    const headers = { 'x-api-key': alpha }
    const ask = (path: string) => fetch(rest + path, { headers }).then((answer) => answer.text())
    const rows = async () => {
      const text = await (await fetch(metrics)).text()
      const counts = text.matchAll(/^gammawall_tape_rows_total\{.*\} (\S+)$/gm)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }
    for (const symbol of symbols) await ask(`/v1/exposure/summary/${symbol}`) // no chain is loaded while it is measured
    const path = '/v1/exposure/summary/SPY'
    await waits(rest + path, headers) // what it is served with is compiled
    const quiet = await waits(rest + path, headers)
    for (const symbol of symbols) void ask(`/v1/flow/options/${symbol}/recent`).catch(() => {})
    await settled(rows)
    const [before, startedAt] = [await rows(), performance.now()]
    const busy = await waits(rest + path, headers)
    const arrived = ((await rows()) - before) / ((performance.now() - startedAt) / 1000)
    return [
      { name: 'prints that arrived meanwhile', value: arrived / 1000, unit: 'k/s', atLeast: 100 },
      { name: 'cached answer, p50 without prints', value: quiet.p50, unit: 'ms' },
      { name: 'cached answer, p50 while they arrive', value: busy.p50, unit: 'ms' },
      { name: 'cached answer, p99 without prints', value: quiet.p99, unit: 'ms' },
      { name: 'cached answer, p99 while they arrive', value: busy.p99, unit: 'ms' },
      { name: 'p99, of that without prints', value: busy.p99 / quiet.p99, unit: 'times', atMost: 1.5 }
    ]
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Waits until the first prints are in. */
async function settled(rows: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + 60_000
  while ((await rows()) === 0) {
    if (performance.now() > deadline) throw new Error('no print arrived')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** How long answers took that were asked for at a steady pace, whether or not those before had come, milliseconds. */
async function waits(
  url: string,
  headers: Readonly<Record<string, string>>
): Promise<{ readonly p50: number; readonly p99: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const times: number[] = []
  const answers: Promise<void>[] = []
  const startedAt = performance.now()
  for (let k = 0; k < PER_SECOND * SECONDS; k++) {
    const due = startedAt + (1000 * k) / PER_SECOND
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    const sentAt = performance.now()
    answers.push(
      new Promise((resolve, reject) => {
        const request = get(url, { agent, headers }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`the service answered ${response.statusCode}`))
          response.resume().on('end', () => {
            times.push(performance.now() - sentAt)
            resolve()
          })
        })
        request.on('error', reject)
      })
    )
  }
  await Promise.all(answers)
  agent.destroy()
  times.sort((a, b) => a - b)
  return { p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] }
}

if (process.argv[2] === 'service') await serviceProcess(process.argv[3])
else await report(import.meta.url, run)
