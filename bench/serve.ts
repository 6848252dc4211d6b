import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { defaultPlans } from '../src/api/plan.ts'
import { serve } from '../src/app/serve.ts'
import { readConfig } from '../src/config/config.ts'
import { type Figure, median, report } from './figure.ts'
import { load } from './load.ts'

// What a cached answer costs to serve: key, plan, quota, headers, metrics and access log on, beside a bare Fastify route
// that returns the same bytes. If this grows, a machine serves fewer clients. Each server runs in a process of its own
// while this one makes the load, so on two cores neither takes the other's. It is measured with a few of
// them: which functions a process compiles, and how, is decided once and may cost it a fifth of its speed.
const processes = 3
const rounds = 3
const secondsPerRound = 2
const connections = 40

interface Size {
  readonly name: string
  readonly endpoint: string
  readonly bytes: number
  readonly atLeast: number
}

const sizes: readonly Size[] = [
  { name: '2 KB', endpoint: '/v1/exposure/gex/SPY', bytes: 2048, atLeast: 0.7 },
  { name: '100 KB', endpoint: '/v1/exposure/sheet/SPY', bytes: 102_400, atLeast: 0.9 }
]

interface Server {
  readonly child: ChildProcess
  readonly address: string
}

interface Round {
  readonly perSecond: number
  readonly p99: number
  readonly cpuMicroseconds: number
}

/** The service on a standing synthetic market, with a limit nobody reaches so that the quota is really counted. */
async function serviceProcess(data: string): Promise<void> {
  const plans = defaultPlans.all.map((plan) => ({
    ...plan,
    dailyLimit: plan.dailyLimit === undefined ? 'unlimited' : 1e12
  }))
  writeFileSync(join(data, 'plans.json'), JSON.stringify(plans))
  const flags = { data, port: '0', 'as-of': '2026-07-29T12:00', universe: 'SPY' }
  const write = process.stdout.write
  let printed = ''
  process.stdout.write = ((text: string) => {
    printed += text
    return true
  }) as typeof write
  await serve(readConfig(flags, {}))
  process.stdout.write = write
  answerUsage()
  process.send!({ address: /REST\s+(\S+)/.exec(printed)![1] })
}

/** A Fastify route that returns bytes and does nothing else. */
async function bareProcess(file: string): Promise<void> {
  const body = readFileSync(file)
  const app = Fastify({ logger: false })
  app.get('/', (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body))
  await app.listen({ host: '127.0.0.1', port: 0 })
  answerUsage()
  process.send!({ address: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` })
}

function answerUsage(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!({ cpu: user + system, memory: process.memoryUsage().rss })
  })
}

function start(role: string, argument: string): Promise<Server> {
  // As `npm start` starts it: what the benchmarks give their kernels makes a server's memory too large for the caches.
  const options: ForkOptions = { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] }
  const child = fork(fileURLToPath(import.meta.url), [role, argument], options)
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve({ child, address: (message as { address: string }).address }))
    child.once('exit', (code) => reject(new Error(`${role} stopped with exit code ${code}`)))
  })
}

async function stop({ child }: Server): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

function usage({ child }: Server): Promise<{ cpu: number; memory: number }> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(message as { cpu: number; memory: number }))
    child.send('usage')
  })
}

async function round(server: Server, path: string, headers: Record<string, string>): Promise<Round> {
  const before = await usage(server)
  const { perSecond, p99 } = await load(new URL(path, server.address), headers, connections, secondsPerRound)
  const after = await usage(server)
  return { perSecond, p99, cpuMicroseconds: (after.cpu - before.cpu) / (perSecond * secondsPerRound) }
}

/** The path whose answer comes nearest to a size, by dropping strikes with little open interest. */
async function pathOfSize(
  base: string,
  endpoint: string,
  headers: Record<string, string>,
  bytes: number
): Promise<string> {
  let low = 0
  let high = 2 ** 24
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const body = await (await fetch(`${base}${endpoint}?min_oi=${middle}`, { headers })).arrayBuffer()
    if (body.byteLength > bytes) low = middle
    else high = middle
  }
  return `${endpoint}?min_oi=${high}`
}

interface Pair {
  readonly size: number
  readonly ours: Round
  readonly theirs: Round
}

/** Both servers in turn; the first round, in which they still compile, is not counted. */
async function compare(service: Server, { name, endpoint, bytes }: Size, folder: string): Promise<readonly Pair[]> {
  const { growth } = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as Record<string, string>
  const headers = { 'x-api-key': growth }
  const path = await pathOfSize(service.address, endpoint, headers, bytes)
  const body = Buffer.from(await (await fetch(service.address + path, { headers })).arrayBuffer())
  const file = join(folder, `${name}.json`)
  writeFileSync(file, body)
  const bare = await start('bare', file)
  try {
    const pairs: Pair[] = []
    for (let k = -1; k < rounds; k++) {
      const pair = {
        size: body.length,
        ours: await round(service, path, headers),
        theirs: await round(bare, '/', {})
      }
      if (k >= 0) pairs.push(pair)
    }
    return pairs
  } finally {
    await stop(bare)
  }
}

function figuresOf({ name, atLeast }: Size, pairs: readonly Pair[]): readonly Figure[] {
  const of = (figure: (pair: Pair) => number) => median(pairs.map(figure))
  const what = `${name} answer (${pairs[0].size} bytes)`
  const perSecond = of(({ theirs }) => theirs.perSecond).toFixed(0)
  const cpu = of(({ theirs }) => theirs.cpuMicroseconds).toFixed(1)
  const p99 = of(({ theirs }) => theirs.p99).toFixed(2)
  const ratio = of(({ ours, theirs }) => ours.perSecond / theirs.perSecond)
  return [
    { name: `${what}: throughput beside a bare route`, value: ratio, unit: 'of it', atLeast },
    { name: `${what}: requests per second`, value: of(({ ours }) => ours.perSecond), unit: `(bare ${perSecond})` },
    {
      name: `${what}: server CPU per request`,
      value: of(({ ours }) => ours.cpuMicroseconds),
      unit: `µs (bare ${cpu})`
    },
    { name: `${what}: p99 at ${connections} connections`, value: of(({ ours }) => ours.p99), unit: `ms (bare ${p99})` }
  ]
}

export async function run(): Promise<readonly Figure[]> {
  const pairs = sizes.map((): Pair[] => [])
  for (let k = 0; k < processes; k++) {
    const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
    const service = await start('service', folder)
    try {
      for (const [at, size] of sizes.entries()) pairs[at].push(...(await compare(service, size, folder)))
    } finally {
      await stop(service)
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return sizes.flatMap((size, at) => figuresOf(size, pairs[at]))
}

const [, , role, argument] = process.argv
if (role === 'service') await serviceProcess(argument)
else if (role === 'bare') await bareProcess(argument)
else await report(import.meta.url, run)
