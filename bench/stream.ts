import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Registry } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Account } from '../src/accounts/accounts.ts'
import type { MarketSource } from '../src/api/market-source.ts'
import { defaultPlans } from '../src/api/plan.ts'
import { gex } from '../src/endpoints/exposure/gex.ts'
import { afterTimeout } from '../src/facts/bounded-wait.ts'
import type { Ticker } from '../src/market/units.ts'
import type { Access } from '../src/server/http/access.ts'
import { createStream } from '../src/server/stream/stream-host.ts'
import { type Figure, median, report } from './support/figure.ts'
import { type Listening, listen } from './support/stream-load.ts'

// Cost of sending changes to many clients. If a frame grows dearer a machine carries fewer of them; if the way
// from a new chain to its frames grows longer, clients act on old figures. The server runs in a process of its own while
// this one reads, so on two cores neither takes the other's.
const rounds = 3
const secondsPerRound = 3
/** Shortest interval at which the stream requests the same answer, milliseconds. */
const publishEvery = 50
const strikesPerSymbol = 50
const noon = Date.parse('2026-07-29T16:00:00Z')

interface Usage {
  readonly cpu: number
  readonly heap: number
  readonly frames: number
}

/** The answer of a symbol now: it carries the moment it was made, so that a reader knows how long it was under way. */
function answerOf(symbol: string, made: number): Uint8Array {
  const strikes = Array.from({ length: strikesPerSymbol }, (_, k) => ({ strike: 500 + k, net_gex: made + k + 0.25 }))
  return Buffer.from(JSON.stringify({ symbol, underlying_price: 525, as_of: new Date(made).toISOString(), strikes }))
}

/** The stream as it is, over answers that change as often as it asks, for anybody. */
function streamProcess(): void {
  const server = createServer()
  const plan = defaultPlans.byId('free')
  const accountOfHeaders: Access['accountOfHeaders'] = ({ 'x-api-key': key }) =>
    ({ userId: key, keyId: key, plan }) as unknown as Account
  let version = 0
  let frames = 0
  const registry = new Registry()
  const stream = createStream({
    endpoints: [gex],
    answers: {
      load: () => Promise.reject(new Error('every answer is ready')),
      ready: (_endpoint, params) => ({
        answer: { version: `${version}`, body: answerOf(params['symbol'] as string, Date.now()) },
        chains: []
      })
    },
    source: { now: () => noon, chain: () => undefined } as unknown as MarketSource,
    access: { accountOfHeaders } as Access,
    bundles: { of: ({ userId }) => ({ id: userId, blocks: 5, endsAt: undefined }) },
    tickets: { issue: () => ({ ticket: '', expiresAt: 0 }), redeem: () => undefined },
    isReady: () => true,
    requestDeadline: 30_000,
    after: afterTimeout,
    keyRefusals: { limited: (refusal) => refusal },
    registry,
    onRequest: () => {},
    onError: (error) => {
      throw error
    }
  })
  stream.attach({ server, get: () => {} } as never, { alone: false })
  const symbols = Array.from({ length: 10 }, (_, k) => `S${k}` as Ticker)
  const publish = () => {
    version++
    for (const symbol of symbols) stream.changed(symbol)
  }
  let timer: NodeJS.Timeout | undefined
  const sent = async () => (await registry.getSingleMetric('gammawall_stream_frames_total')!.get()).values[0].value
  answerParent(server, async (order) => {
    clearInterval(timer)
    if (order.every !== undefined) timer = setInterval(publish, order.every)
    frames = await sent()
    return frames
  })
}

/** The package ws at its best: the same bytes to everybody, and all that is due on a connection in one write. */
function bareProcess(): void {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  const clients = new Map<WebSocket, Duplex>()
  let frames = 0
  sockets.on('connection', (socket, request) => {
    clients.set(socket, request.socket)
    socket.on('close', () => clients.delete(socket))
    socket.on('error', () => {})
  })
  let timer: NodeJS.Timeout | undefined
  answerParent(server, async ({ every, perConnection = 1 }) => {
    clearInterval(timer)
    const send = () => {
      const made = Date.now()
      for (const [socket, raw] of clients) {
        raw.cork()
        for (let k = 0; k < perConnection; k++) {
          socket.send(`{"type":"update","sub_id":"s_0${k}","seq":${frames},"ts":${made},"value":${made + k + 0.25}}`)
          frames++
        }
        raw.uncork()
      }
    }
    if (every !== undefined) timer = setInterval(send, every)
    return frames
  })
}

interface Order {
  readonly every?: number
  readonly perConnection?: number
}

/** Carries out the parent's orders and reports the resources used. */
function answerParent(server: ReturnType<typeof createServer>, obey: (order: Order) => Promise<number>): void {
  setFlagsFromString('--expose-gc')
  process.on('message', async (order: Order & { readonly collect?: boolean }) => {
    const frames = await obey(order)
    if (order.collect) runInNewContext('gc')()
    const { user, system } = process.cpuUsage()
    process.send!({ cpu: user + system, heap: process.memoryUsage().heapUsed, frames } satisfies Usage)
  })
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
}

interface Server {
  readonly child: ChildProcess
  readonly port: number
}

function start(role: 'stream' | 'bare'): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.url), [role], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve({ child, port: (message as { port: number }).port }))
    child.once('exit', (code) => reject(new Error(`${role} stopped with exit code ${code}`)))
  })
}

function order({ child }: Server, what: Order & { readonly collect?: boolean }): Promise<Usage> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(message as Usage))
    child.send(what)
  })
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const strikeOf = (k: number) => 500 + (k % strikesPerSymbol)
const items = (count: number, cadence_ms: number) =>
  Array.from({ length: count }, (_, k) => ({
    symbol: `S${Math.floor(k / strikesPerSymbol) % 10}`,
    metric: `exposure.gex.strikes[${strikeOf(k)}].net_gex`,
    cadence_ms,
    snapshot: false
  }))

/** Frames for each second of the server's processor. */
async function perCpuSecond(server: Server, what: Order): Promise<number> {
  const before = await order(server, what)
  await pause(1000 * secondsPerRound)
  const after = await order(server, {})
  await pause(300)
  return (1e6 * (after.frames - before.frames)) / (after.cpu - before.cpu)
}

async function throughput(connections: number, perConnection: number): Promise<Figure[]> {
  const ratios: number[] = []
  const ours: number[] = []
  const theirs: number[] = []
  const [stream, bare] = [await start('stream'), await start('bare')]
  const listening: Listening[] = []
  try {
    listening.push(await listen(stream.port, connections, items(perConnection, 0)))
    listening.push(await listen(bare.port, connections, []))
    for (let k = -1; k < rounds; k++) {
      const mine = await perCpuSecond(stream, { every: publishEvery })
      const other = await perCpuSecond(bare, { every: publishEvery, perConnection })
      if (k < 0) continue
      ours.push(mine)
      theirs.push(other)
      ratios.push(mine / other)
    }
  } finally {
    for (const each of listening) each.close()
    stream.child.kill()
    bare.child.kill()
  }
  const what = `${connections} connections, ${perConnection} due on each`
  return [
    {
      name: `${what}: frames beside ws alone`,
      value: median(ratios),
      unit: 'of it',
      atLeast: perConnection === 1 ? 0.8 : 2
    },
    {
      name: `${what}: frames per second of processor`,
      value: median(ours),
      unit: `(ws ${median(theirs).toFixed(0)})`
    }
  ]
}

/** Fifty thousand subscriptions: 500 on each of 100 connections, all at 100 ms. */
async function wide(): Promise<Figure[]> {
  const stream = await start('stream')
  const [connections, each] = [100, 500]
  let listening: Listening | undefined
  try {
    listening = await listen(stream.port, connections, [])
    const before = await order(stream, { collect: true })
    await listening.subscribe(items(each, 100))
    await pause(2000)
    const after = await order(stream, { collect: true })
    const begun = await order(stream, { every: 97 }) // out of step with the windows, as a market is
    await pause(2000)
    listening.forgetTimes()
    const from = await order(stream, { every: 97 })
    await pause(8000)
    const to = await order(stream, {})
    const times = listening.times().sort((a, b) => a - b)
    return [
      {
        name: '50,000 subscriptions at 100 ms: from snapshot to frame, p99',
        value: times[Math.floor(times.length * 0.99)],
        unit: `ms (median ${times[times.length >> 1]}, ${times.length} looked at)`,
        atMost: 150
      },
      {
        name: '50,000 subscriptions at 100 ms: frames per second',
        value: (to.frames - from.frames) / 8,
        unit: `(processor ${((to.cpu - from.cpu) / 8e4).toFixed(0)} %, ${begun.frames} before)`
      },
      {
        name: 'memory of a subscription',
        value: (after.heap - before.heap) / (connections * each),
        unit: 'bytes',
        atMost: 600
      }
    ]
  } finally {
    listening?.close()
    stream.child.kill()
  }
}

/** Measures the heap of a connection without subscriptions, and of a connection of the package ws alone. */
async function idle(): Promise<Figure[]> {
  const connections = 1000
  const bytes: number[] = []
  for (const role of ['stream', 'bare'] as const) {
    const server = await start(role)
    const listening = [await listen(server.port, 50, [])]
    try {
      const before = await settled(server)
      listening.push(await listen(server.port, connections, [], 50))
      bytes.push(((await settled(server)).heap - before.heap) / connections)
    } finally {
      for (const each of listening) each.close()
      server.child.kill()
    }
  }
  const [ours, theirs] = bytes
  return [
    { name: 'memory of an idle connection', value: ours, unit: `bytes (ws ${theirs.toFixed(0)})`, atMost: 10_000 }
  ]
}

/** Measures memory after everything that a burst of connections left behind is collected. */
async function settled(server: Server): Promise<Usage> {
  await pause(500)
  await order(server, { collect: true })
  return order(server, { collect: true })
}

export async function run(): Promise<readonly Figure[]> {
  return [
    ...(await idle()),
    ...(await throughput(1000, 1)),
    ...(await throughput(1000, 8)),
    ...(await throughput(5000, 1)),
    ...(await throughput(5000, 8)),
    ...(await wide())
  ]
}

const [, , role] = process.argv
if (role === 'stream') streamProcess()
else if (role === 'bare') bareProcess()
else await report(import.meta.url, run)
