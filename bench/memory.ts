import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../src/endpoints/index.ts'
import { session } from '../src/market/calendar.ts'
import { easternDateTime, parseEasternDateTime } from '../src/market/eastern.ts'
import { type IsoDate, MILLISECONDS_PER_MINUTE } from '../src/market/units.ts'
import { uniform } from '../src/math/random.ts'
import { allocatorSettings, serviceFlags } from '../test/support/started-service.ts'
import { type Figure, report } from './support/figure.ts'
import { memoryFigures, memoryOf, memoryProbe, processorSeconds } from './support/memory-of.ts'

// Memory of a service with default settings and all symbols of the synthetic market, by thread and kind: warm; after
// minutes of every endpoint about every symbol; after an hour of mixed use (pages of the dashboard, moments of the past,
// flow, screens), when it must no longer grow. Its clock is set to noon of a session, so that the market moves.
//
//   npm run bench -- memory                          the whole, an hour and a quarter
//   npm run bench -- memory --minutes 2 --mixed 10   shorter stretches
//   npm run bench -- memory --questions 3000 --mixed 0   to compare two versions on a machine that does other work too
//   npm run bench -- memory --memory small           another setting of the service
const options = new Map<string, string>()
for (let at = 2; at < process.argv.length; at += 2) options.set(process.argv[at], process.argv[at + 1])
const minutes = Number(options.get('--minutes') ?? 5)
const mixedMinutes = Number(options.get('--mixed') ?? 60)
/** Number of questions of every endpoint, whatever time they take; undefined for as many as the minutes allow. */
const questions = options.has('--questions') ? Number(options.get('--questions')) : undefined
const given = ['--memory', '--workers', '--flow-symbols'].flatMap((name) => {
  const value = options.get(name)
  return value === undefined ? [] : [name, value]
})

const program = fileURLToPath(new URL('../scripts/gammawall.mjs', import.meta.url))
const started = parseEasternDateTime('2026-07-29T12:00:00')!
/** The day of the moments that are replayed. */
const past = session('2026-07-28' as IsoDate)!
const recorded = ['SPY', 'SPX', 'QQQ', 'IWM', 'AAPL', 'NVDA'] as const
const MOMENTS = 2000
/** Clients that ask one question after the other. */
const CLIENTS = 8
const MAX_WARM_SECONDS = 900
/** Times between two questions of mixed use, milliseconds. */
const pauses = { page: 5000, flow: 1000, screen: 10_000 } as const
const PAGES = 3
const pageEndpoints = [
  '/v1/exposure/summary',
  '/v1/exposure/profile',
  '/v1/exposure/matrix',
  '/v1/exposure/narrative',
  '/v1/exposure/levels',
  '/v1/exposure/gex',
  '/v1/adv_volatility',
  '/v1/vrp',
  '/v1/maxpain',
  '/v1/volatility',
  '/v1/flow/options/{symbol}/recent',
  '/v1/flow/signals'
]
const screen = { universe: { type: 'all' }, where: [], limit: 50 }

interface Service {
  readonly child: ChildProcess
  readonly ask: (path: string, body?: unknown) => Promise<Response>
  readonly replay: (path: string) => Promise<Response>
}

/** Starts the built service as `npm start` does. */
async function start(data: string): Promise<Service> {
  const child = fork(program, ['serve', '--data', data, '--port', '0', '--log-level', 'error', ...given], {
    execArgv: [...serviceFlags, '--import', memoryProbe],
    env: { ...process.env, ...allocatorSettings, BENCH_CLOCK_SHIFT: String(started - Date.now()) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  let text = ''
  for await (const part of child.stdout!) {
    text += part
    const found = ['REST', 'replay', 'alpha'].map((name) => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(text)?.[1])
    if (found.some((each) => each === undefined)) continue
    child.stdout!.resume()
    const [rest, replay, key] = found as [string, string, string]
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    return {
      child,
      ask: (path, body) =>
        fetch(rest + path, body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }),
      replay: (path) => fetch(replay + path, { headers })
    }
  }
  throw new Error(`the service ended at its start: ${text}`)
}

async function warmSymbols({ ask }: Service): Promise<readonly string[]> {
  for (let seconds = 0; seconds < MAX_WARM_SECONDS; seconds++) {
    const { symbols } = (await (await ask('/v1/universe?limit=1000')).json()) as {
      readonly symbols: readonly { readonly symbol: string; readonly is_pre_warmed: boolean }[]
    }
    if (symbols.every((listed) => listed.is_pre_warmed)) return symbols.map(({ symbol }) => symbol)
    await pause(1000)
  }
  throw new Error(`not every symbol is warm after ${MAX_WARM_SECONDS} s`)
}

/** Paths of every endpoint that is asked with GET, about every symbol if it is about one. */
function everyPath(symbols: readonly string[]): readonly string[] {
  return endpoints.flatMap(({ path, params, body }) => {
    if (body !== undefined) return []
    const query = new URLSearchParams()
    let filled = path
    for (const [name, { in: place, example, required }] of Object.entries(params)) {
      if (place === 'query' && required) query.set(name, example)
      if (place === 'path' && name !== 'symbol') filled = filled.replace(`{${name}}`, encodeURIComponent(example))
    }
    const whole = query.size === 0 ? filled : `${filled}?${query}`
    return path.includes('{symbol}') ? symbols.map((symbol) => whole.replace('{symbol}', symbol)) : [whole]
  })
}

async function answered(response: Promise<Response>): Promise<void> {
  await (await response).arrayBuffer()
}

/** Asks for every path in turn, in an order that mixes endpoints and symbols, until the time or the questions are over. */
async function askEverything({ ask }: Service, paths: readonly string[]): Promise<number> {
  const mixed = paths.map((path, k) => ({ path, at: uniform(1, k) })).sort((a, b) => a.at - b.at)
  const endsAt = performance.now() + 60_000 * minutes
  let asked = 0
  const isOver = () => (questions === undefined ? performance.now() >= endsAt : asked >= questions)
  const client = async () => {
    while (!isOver()) await answered(ask(mixed[asked++ % mixed.length].path))
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return asked
}

/** Mixed use; `measured` is called after each tenth of it. */
async function useMixed(service: Service, symbols: readonly string[], measured: () => Promise<void>): Promise<void> {
  let drawn = 0
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(uniform(2, drawn++) * items.length)]
  const lasts = 60_000 * mixedMinutes
  const endsAt = performance.now() + lasts
  const repeat = async (every: number, question: (k: number) => Promise<unknown>) => {
    for (let k = 0; performance.now() < endsAt; k++) await Promise.all([question(k), pause(every)])
  }
  const pathAbout = (endpoint: string, symbol: string) =>
    endpoint.includes('{symbol}') ? endpoint.replace('{symbol}', symbol) : `${endpoint}/${symbol}`
  const flowPaths = everyPath(symbols).filter((path) => path.startsWith('/v1/flow/'))
  const page = async () => {
    const symbol = pick(symbols)
    await Promise.all(pageEndpoints.map((endpoint) => answered(service.ask(pathAbout(endpoint, symbol)))))
  }
  const moment = (k: number) => {
    const at = past.open + MILLISECONDS_PER_MINUTE * (1 + (Math.floor(k / recorded.length) % 389))
    const path = `/v1/exposure/summary/${recorded[k % recorded.length]}?at=${easternDateTime(at)}`
    return service.replay(path).then(async (response) => {
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
    })
  }
  await Promise.all([
    ...Array.from({ length: PAGES }, () => repeat(pauses.page, page)),
    repeat(lasts / MOMENTS, moment),
    repeat(pauses.flow, () => answered(service.ask(pick(flowPaths)))),
    repeat(pauses.screen, () => answered(service.ask('/v1/screener', screen))),
    repeat(lasts / 10, async (k) => void (k > 0 && (await measured())))
  ])
}

export async function run(): Promise<readonly Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const asOf = easternDateTime(past.close + 60 * MILLISECONDS_PER_MINUTE).slice(0, 16)
  const backfill = ['backfill', 'synthetic', '--data', data, '--days', '1', '--as-of', asOf, '--tapes', 'none']
  if (mixedMinutes > 0)
    spawnSync(process.execPath, [program, ...backfill, '--symbols', recorded.join(',')], { stdio: 'inherit' })
  const service = await start(data)
  try {
    const symbols = await warmSymbols(service)
    await pause(15_000)
    const figures = [...memoryFigures(`warm, ${symbols.length} symbols`, await memoryOf(service.child), 450)]
    const askedFrom = performance.now()
    const processorFrom = processorSeconds(service.child)
    const asked = await askEverything(service, everyPath(symbols))
    const seconds = Math.round((performance.now() - askedFrom) / 1000)
    figures.push({ name: `questions of every endpoint in ${seconds} s`, value: asked, unit: '' })
    figures.push({
      name: 'processor time meanwhile',
      value: processorSeconds(service.child) - processorFrom,
      unit: 's'
    })
    figures.push(...memoryFigures('after every endpoint', await memoryOf(service.child), 700))
    if (mixedMinutes === 0) return figures
    const tenths: number[] = []
    await useMixed(service, symbols, async () => void tenths.push((await memoryOf(service.child)).resident))
    const last = await memoryOf(service.child)
    tenths.push(last.resident)
    figures.push(...memoryFigures(`after ${mixedMinutes} minutes of mixed use`, last, 900))
    const middle = tenths[tenths.length >> 1]
    figures.push({ name: 'its end to its middle', value: last.resident / middle, unit: 'times', atMost: 1.1 })
    return figures
  } finally {
    const gone = once(service.child, 'exit')
    service.child.kill('SIGKILL')
    await gone
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  }
}

await report(import.meta.url, run)
