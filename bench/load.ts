import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, median, report } from './support/figure.ts'
import { type Load, load } from './support/load.ts'
import { quietServe } from './support/quiet-serve.ts'

// Waiting time of a client while others send requests: fifty clients, each asking one question after another about
// twenty symbols whose chains are reloaded meanwhile. Users notice rare delays, so the slowest hundredth and the
// slowest request are reported, for clients that pause to read an answer and for clients that ask as fast as they can,
// where two cores are the bottleneck. Everything shares the machine, the clients too.
const processes = 3
const connections = 50
const seconds = 15
/** Before that, unmeasured: what was asked for slowly so far is all due at once when the clients come. */
const leadSeconds = 5
/** Milliseconds between an answer and the next request: some thousand requests a second in all, or all that can be. */
const rests = [50, 0]
const symbols = 'SPY,SPX,QQQ,IWM,AAPL,MSFT,NVDA,AMZN,GOOGL,META,TSLA,AMD,NFLX,JPM,XOM,KO,DIS,BA,INTC,GLD'.split(',')
const endpoints = [
  '/v1/exposure/levels',
  '/v1/exposure/summary',
  '/v1/exposure/gex',
  '/v1/exposure/dex',
  '/v1/exposure/narrative',
  '/v1/maxpain',
  '/v1/volatility',
  '/v1/vrp'
]
const paths = symbols.flatMap((symbol) => endpoints.map((endpoint) => `${endpoint}/${symbol}`))

async function serviceProcess(data: string): Promise<void> {
  const { rest } = await quietServe({ data, port: '0', clock: 'demo', universe: symbols.join() })
  process.send!(rest)
}

/** Clients of a service in a separate process, started as `npm start` does, after it has answered every path. */
async function waits(): Promise<readonly Load[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const child = fork(fileURLToPath(import.meta.url), ['service', folder], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--import', './scripts/typescript.mjs']
  })
  try {
    const [base] = (await once(child, 'message')) as [string]
    const { alpha } = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as { readonly alpha: string }
    const headers = { 'x-api-key': alpha }
    for (const path of paths) {
      while ((await fetch(base + path, { headers })).status === 503)
        await new Promise((again) => setTimeout(again, 100))
    }
    let asked = 0
    // A step that shares no divisor with their number: neighbours ask about different symbols.
    const next = () => paths[(37 * asked++) % paths.length]
    const asking = { base, headers, next, connections, awake: false }
    await load({ ...asking, seconds: leadSeconds, rest: rests[0] })
    const loads: Load[] = []
    for (const rest of rests) loads.push(await load({ ...asking, seconds, rest }))
    return loads
  } finally {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function run(): Promise<readonly Figure[]> {
  const rounds: (readonly Load[])[] = []
  for (let k = 0; k < processes; k++) rounds.push(await waits())
  return rests.flatMap((rest, at) => {
    const of = (figure: (load: Load) => number) => median(rounds.map((loads) => figure(loads[at])))
    const what = `${connections} clients, ${symbols.length} symbols, ${rest === 0 ? 'without rest' : `${rest} ms of rest`}`
    const [p99, longest] = rest === 0 ? [{}, {}] : [{ atMost: 20 }, { atMost: 150 }]
    return [
      { name: `${what}: answers a second`, value: of(({ perSecond }) => perSecond), unit: '' },
      { name: `${what}: p50`, value: of(({ p50 }) => p50), unit: 'ms' },
      { name: `${what}: p99`, value: of((load) => load.p99), unit: 'ms', ...p99 },
      { name: `${what}: longest`, value: of((load) => load.longest), unit: 'ms', ...longest }
    ]
  })
}

const [, , role, folder] = process.argv
if (role === 'service') await serviceProcess(folder)
else await report(import.meta.url, run)
