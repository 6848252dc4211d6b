import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { defaultPlans } from '../src/api/plan.ts'
import { serviceFlags } from '../test/support/started-service.ts'
import { type Figure, median, report } from './support/figure.ts'
import { load } from './support/load.ts'
import { quietServe } from './support/quiet-serve.ts'

// Cost of serving a cached answer: key, plan, quota, headers, metrics and access log on, beside a bare Fastify route
// and a bare node:http server that return the same bytes. If this grows, a machine serves fewer clients. Each server runs
// in a process of its own while this one makes the load, so on two cores neither takes the other's. It is measured with a
// few of them: which functions a process compiles, and how, is decided once and may cost it a fifth of its speed.
const processes = 3
const rounds = 3
const secondsPerRound = 1.5
const connections = 40

interface Size {
  readonly name: string
  readonly endpoint: string
  readonly bytes: number
  /** The ways of asking that are measured for an answer of this size. */
  readonly ways: readonly Way[]
}

/** One way of requesting the same answer, and the throughput it must reach. */
interface Way {
  readonly name: string
  /** Whether the service trusts a proxy. */
  readonly behindProxy?: true
  readonly request: (path: string, key: string, etag: string) => Request
  /** Required throughput as a share of that of the bare Fastify route and of the bare node:http server. */
  readonly ofFastify?: number
  readonly ofNode?: number
  /** Throughput, of the plain way's. */
  readonly ofPlain?: number
}

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const plainRequest = (path: string, key: string): Request => ({ path, headers: { 'x-api-key': key } })
const plainTo = (ofFastify: number, ofNode: number): Way => ({
  name: 'plain',
  request: plainRequest,
  ofFastify,
  ofNode
})
const withHeaders = (more: Readonly<Record<string, string>>) => (path: string, key: string) => ({
  path,
  headers: { 'x-api-key': key, ...more }
})

const otherWays: readonly Way[] = [
  {
    name: 'behind a proxy',
    behindProxy: true,
    request: withHeaders({ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }),
    ofPlain: 0.95
  },
  { name: 'gzip', request: withHeaders({ 'accept-encoding': 'gzip' }), ofPlain: 0.95 },
  {
    name: 'If-None-Match',
    request: (path, key, etag) => ({ path, headers: { 'x-api-key': key, 'if-none-match': etag } }),
    ofPlain: 0.95
  },
  {
    name: 'key in the query',
    request: (path, key) => ({ path: `${path}&apiKey=${key}`, headers: {} }),
    ofPlain: 0.95
  }
]

const sizes: readonly Size[] = [
  { name: '2 KB', endpoint: '/v1/exposure/gex/SPY', bytes: 2048, ways: [plainTo(0.7, 0.85), ...otherWays] },
  { name: '100 KB', endpoint: '/v1/exposure/sheet/SPY', bytes: 102_400, ways: [plainTo(0.9, 0.95)] }
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

/**
 * The service on a synthetic market that stands still, with a limit that is never reached, so that the quota is really
 * counted.
 */
async function serviceProcess(data: string, trustProxy: boolean): Promise<void> {
  const plans = defaultPlans.all.map((plan) => ({
    ...plan,
    dailyLimit: plan.dailyLimit === undefined ? 'unlimited' : 1e12
  }))
  writeFileSync(join(data, 'plans.json'), JSON.stringify(plans))
  const still = { 'as-of': '2026-07-29T12:00', universe: 'SPY', 'seed-history': 'off' }
  const flags = { data, port: '0', ...still, 'trust-proxy': `${trustProxy}` }
  const { rest } = await quietServe(flags)
  answerUsage()
  process.send!({ address: rest })
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

/** A server of Node alone that returns bytes and does nothing else. */
async function nodeProcess(file: string): Promise<void> {
  const body = readFileSync(file)
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', `${body.length}`]
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  answerUsage()
  process.send!({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

function answerUsage(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!({ cpu: user + system, memory: process.memoryUsage().rss })
  })
}

function start(role: string, argument: string): Promise<Server> {
  // As `npm start` starts it: what the benchmarks give their kernels makes a server's memory too large for the caches.
  const options: ForkOptions = {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [...serviceFlags, '--import', './scripts/typescript.mjs']
  }
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

async function round(server: Server, { path, headers }: Request): Promise<Round> {
  const before = await usage(server)
  const { perSecond, p99 } = await load({
    base: server.address,
    headers,
    next: () => path,
    connections,
    seconds: secondsPerRound,
    awake: true
  })
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

/** Starts the service in a separate process, and returns a key for it on the plan Growth. */
interface Service extends Server {
  readonly folder: string
  readonly key: string
}

async function startService(role: 'direct' | 'proxied'): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const server = await start(role, folder)
  const keys = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as { readonly growth: string }
  return { ...server, folder, key: keys.growth }
}

async function stopService(service: Service): Promise<void> {
  await stop(service)
  rmSync(service.folder, { recursive: true, force: true })
}

/** One round of everything that is asked for one size. */
interface Comparison {
  readonly size: number
  /** In the order of the ways of the size. */
  readonly ways: readonly Round[]
  readonly bareFastify: Round
  readonly bareNode: Round
}

/** All servers in turn; the first round, in which they still compile, is not counted. */
async function compare(direct: Service, proxied: Service, size: Size): Promise<readonly Comparison[]> {
  const headers = { 'x-api-key': direct.key }
  const path = await pathOfSize(direct.address, size.endpoint, headers, size.bytes)
  const answer = await fetch(direct.address + path, { headers })
  const body = Buffer.from(await answer.arrayBuffer())
  const etag = answer.headers.get('etag')!
  const file = join(direct.folder, `${size.name}.json`)
  writeFileSync(file, body)
  const bareFastify = await start('fastify', file)
  const bareNode = await start('node', file)
  const bare: Request = { path: '/', headers: {} }
  try {
    const comparisons: Comparison[] = []
    for (let k = -1; k < rounds; k++) {
      const ways: Round[] = []
      for (const { behindProxy, request } of size.ways) {
        const service = behindProxy ? proxied : direct
        ways.push(await round(service, request(path, service.key, etag)))
      }
      const comparison = {
        size: body.length,
        ways,
        bareFastify: await round(bareFastify, bare),
        bareNode: await round(bareNode, bare)
      }
      if (k >= 0) comparisons.push(comparison)
    }
    return comparisons
  } finally {
    await stop(bareFastify)
    await stop(bareNode)
  }
}

function figuresOf({ name, ways }: Size, comparisons: readonly Comparison[]): readonly Figure[] {
  const of = (figure: (comparison: Comparison) => number) => median(comparisons.map(figure))
  const answer = `${name} answer (${comparisons[0].size} bytes)`
  const beside = (figure: (round: Round) => number, digits: number) => {
    const fastify = of(({ bareFastify }) => figure(bareFastify)).toFixed(digits)
    const node = of(({ bareNode }) => figure(bareNode)).toFixed(digits)
    return `(bare Fastify ${fastify}, node:http ${node})`
  }
  return ways.flatMap(({ name: way, ofFastify, ofNode, ofPlain }, at) => {
    const what = `${answer}, ${way}`
    const ours = (figure: (round: Round) => number) => of((comparison) => figure(comparison.ways[at]))
    const perSecond = ({ perSecond }: Round) => perSecond
    const cpu = ({ cpuMicroseconds }: Round) => cpuMicroseconds
    const p99 = ({ p99 }: Round) => p99
    const throughputBeside = (
      other: string,
      roundOf: (comparison: Comparison) => Round,
      atLeast: number | undefined
    ): Figure => {
      const value = of((comparison) => comparison.ways[at].perSecond / roundOf(comparison).perSecond)
      const figure = { name: `${what}: throughput beside ${other}`, value, unit: 'of it' }
      return atLeast === undefined ? figure : { ...figure, atLeast }
    }
    return [
      throughputBeside('a bare route', ({ bareFastify }) => bareFastify, ofFastify),
      throughputBeside('bare node:http', ({ bareNode }) => bareNode, ofNode),
      ...(at === 0 ? [] : [throughputBeside('the plain way', ({ ways }) => ways[0], ofPlain)]),
      { name: `${what}: requests per second`, value: ours(perSecond), unit: beside(perSecond, 0) },
      { name: `${what}: server CPU per request`, value: ours(cpu), unit: `µs ${beside(cpu, 1)}` },
      { name: `${what}: p99 at ${connections} connections`, value: ours(p99), unit: `ms ${beside(p99, 2)}` }
    ]
  })
}

export async function run(): Promise<readonly Figure[]> {
  const comparisons = sizes.map((): Comparison[] => [])
  for (let k = 0; k < processes; k++) {
    const direct = await startService('direct')
    const proxied = await startService('proxied')
    try {
      for (const [at, size] of sizes.entries()) comparisons[at].push(...(await compare(direct, proxied, size)))
    } finally {
      await stopService(direct)
      await stopService(proxied)
    }
  }
  return sizes.flatMap((size, at) => figuresOf(size, comparisons[at]))
}

const [, , role, argument] = process.argv
if (role === 'direct' || role === 'proxied') await serviceProcess(argument, role === 'proxied')
else if (role === 'fastify') await bareProcess(argument)
else if (role === 'node') await nodeProcess(argument)
else await report(import.meta.url, run)
