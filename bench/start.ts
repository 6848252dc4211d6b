import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Figure, median, report } from './support/figure.ts'

// Waiting time of a new user after `npm start` with default settings: until the first figure of SPY arrives, and until
// all symbols of the synthetic market are warm; also the memory that the service then uses. Medians of fresh processes.
const starts = 5
const MAX_SECONDS = 120
const program = fileURLToPath(new URL('../scripts/gammawall.mjs', import.meta.url))
/** The market stands still within a session: once everything is loaded, nothing more is. */
const flags = ['--port', '0', '--as-of', '2026-07-29T12:00', '--drain', '0', '--log-level', 'error']

interface Start {
  readonly banner: number
  readonly first: number
  readonly warm: number
  readonly megabytes: number
  /**
   * Memory without the pages of files, which are mostly the history engine's program. Only Linux reports it; NaN
   * elsewhere.
   */
  readonly anonymous: number
}

/** The addresses and the key that a start prints. */
async function printed(service: ChildProcess): Promise<{ rest: string; metrics: string; key: string }> {
  let text = ''
  for await (const part of service.stdout!) {
    text += part
    const found = ['REST', 'metrics', 'alpha'].map((name) => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(text)?.[1])
    if (found.every((each) => each !== undefined)) {
      service.stdout!.resume()
      return { rest: found[0]!, metrics: found[1]!, key: found[2]! }
    }
  }
  throw new Error(`the service ended at its start: ${text}`)
}

/** MB. */
function anonymousMemory(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 2 ** 10
}

async function startOnce(): Promise<Start> {
  const data = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const service = spawn(process.execPath, [program, 'serve', '--data', data, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    const { rest, metrics, key } = await printed(service)
    const banner = seconds()
    const ask = (path: string) => fetch(rest + path, { headers: { 'x-api-key': key } })
    while ((await ask('/v1/exposure/levels/SPY')).status !== 200) await pause(5)
    const first = seconds()
    const isWarm = async () => {
      const { symbols } = (await (await ask('/v1/universe?limit=1000')).json()) as {
        symbols: readonly { readonly is_pre_warmed: boolean }[]
      }
      return symbols.every((listed) => listed.is_pre_warmed)
    }
    while (!(await isWarm())) {
      if (seconds() > MAX_SECONDS) throw new Error(`not every symbol is warm after ${MAX_SECONDS} s`)
      await pause(50)
    }
    const warm = seconds()
    const exposition = await (await fetch(metrics)).text()
    const resident = Number(/^process_resident_memory_bytes (\S+)$/m.exec(exposition)![1])
    return { banner, first, warm, megabytes: resident / 2 ** 20, anonymous: anonymousMemory(service.pid!) }
  } finally {
    service.kill('SIGKILL')
    await once(service, 'exit')
    rmSync(data, { recursive: true, force: true })
  }
}

export async function run(): Promise<readonly Figure[]> {
  const measured: Start[] = []
  for (let k = 0; k < starts; k++) measured.push(await startOnce())
  const of = (figure: (start: Start) => number) => median(measured.map(figure))
  return [
    { name: 'from the start to what it prints', value: of(({ banner }) => banner), unit: 's' },
    { name: 'to the first answer about SPY', value: of(({ first }) => first), unit: 's', atMost: 1 },
    { name: 'until every symbol is warm', value: of(({ warm }) => warm), unit: 's', atMost: 6 },
    { name: 'resident memory then', value: of(({ megabytes }) => megabytes), unit: 'MB', atMost: 400 },
    { name: 'of it no pages of files', value: of(({ anonymous }) => anonymous), unit: 'MB' }
  ]
}

await report(import.meta.url, run)
