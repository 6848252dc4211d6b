import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import { defaultPlans } from '../src/api/plan.ts'
import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import { latestSession } from '../src/market/calendar.ts'
import type { Ticker } from '../src/market/units.ts'
import { cboePayload } from './support/cboe-payload.ts'
import { type Figure, median, report } from './support/figure.ts'
import { type Load, load } from './support/load.ts'
import { quietServe } from './support/quiet-serve.ts'

// How long a client waits for a cached answer while 100,000 prints a second come over the stream of a vendor, are folded and
// recorded, by the thread of the tapes. This process asks at a steady pace, in stretches with prints and without them by
// turns, so that what else the machine does falls on both. Service, vendor and client share its cores.
const symbols = ['SPY', 'QQQ', 'IWM', 'AAPL', 'NVDA', 'TSLA', 'AMD', 'AMZN', 'META', 'MSFT', 'GOOGL', 'NFLX']
const PRINTS_PER_SECOND = 100_000
const ASKED_PER_SECOND = 300
/** While one waits, the others go on: the pace holds unless an answer takes as long as all of them rest. */
const CONNECTIONS = 32
const SECONDS = 4
const PAIRS = 7
/** Milliseconds between two checks whether a frame of the stream is due. */
const FRAME_EVERY = 10
const PRINTS_PER_FRAME = 1000

interface Ready {
  readonly rest: string
  readonly metrics: string
}

/** The service by the chains and prints of a vendor. */
async function serviceProcess(data: string, vendor: string): Promise<void> {
  const plans = defaultPlans.all.map((plan) => ({ ...plan, dailyLimit: 'unlimited' }))
  writeFileSync(join(data, 'plans.json'), JSON.stringify(plans))
  const key = join(data, 'vendor-key')
  writeFileSync(key, 'bench')
  const { rest, metrics } = await quietServe({
    data,
    port: '0',
    universe: symbols.join(),
    source: 'cboe',
    'cboe-url': `http://${vendor}/chains`,
    prints: 'massive',
    'massive-key-file': key,
    'massive-url': `http://${vendor}`,
    'massive-stream': `ws://${vendor}`,
    'log-level': 'silent'
  })
  process.send!({ rest, metrics })
}

/**
 * A vendor with made-up chains that never change and with prints but no past, whose stream sends prints at an even pace
 * when asked. If the market is closed, the prints are those of its last session.
 */
async function vendorProcess(): Promise<void> {
  process.once('disconnect', () => process.exit())
  setPriority(10) // it would be another machine: neither service nor client are to wait for it
  const { close } = latestSession(Date.now())
  const now = () => Math.min(Date.now(), close)
  const synthetic = createSynthetic({ seed: 1 })
  const payloads = new Map<string, Buffer>()
  for (const symbol of symbols) {
    const chain = await synthetic.chain(symbol as Ticker, now(), AbortSignal.timeout(30_000))
    payloads.set(`/chains/${symbol}.json`, cboePayload(chain!))
  }
  const server = createServer(({ url }, response) => {
    response.end(payloads.get(url!) ?? '{"status":"OK","results":[]}')
  })
  const nextFrame = frameMaker()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  const status = (name: string) => JSON.stringify([{ ev: 'status', status: name, message: '' }])
  sockets.on('connection', (socket) => {
    socket.send(status('connected'))
    socket.on('message', (frame) => socket.send(status(String(frame).includes('"auth"') ? 'auth_success' : 'success')))
  })
  let since: number | undefined
  let sent = 0
  setInterval(() => {
    if (since === undefined) return
    const due = Math.floor(((performance.now() - since) / 1000) * (PRINTS_PER_SECOND / PRINTS_PER_FRAME))
    for (; sent < due; sent++) for (const socket of sockets.clients) socket.send(nextFrame(now()), { binary: false })
  }, FRAME_EVERY)
  process.on('message', (isTelling) => {
    sent = 0
    since = isTelling === true ? performance.now() : undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.send!(`127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Expiration of the traded contracts; any date will do. */
const EXPIRATION = '301220'

/** Trades of many contracts of every symbol in the stream's format, without time and number. */
const trades = symbols.flatMap((symbol, which) =>
  Array.from({ length: 200 }, (_, k) => {
    const contract = `O:${symbol}${EXPIRATION}${k % 2 === 0 ? 'C' : 'P'}${String(1000 * (400 + k)).padStart(8, '0')}`
    const figures = `"x":${302 + (k % 16)},"p":${1 + which + k / 100},"s":${1 + (k % 20)},"c":[209]`
    return `{"ev":"T","sym":"${contract}",${figures},"t":`
  })
)

const DIGITS_OF_TIME = 13
/** First number of a print: all have the same count of digits. */
const FIRST_NUMBER = 1_000_000_000

/**
 * Makes the frames of the stream, each of other contracts than the one before. Their text is made once, and their times
 * and numbers are written over, since the vendor would be another machine: what it does here is taken from the service.
 */
function frameMaker(): (time: number) => Buffer {
  const made = Array.from({ length: 12 }, (_, which) => {
    const places: number[] = []
    let text = '['
    for (let k = 0; k < PRINTS_PER_FRAME; k++) {
      text += `${k === 0 ? '' : ','}${trades[(7919 * (which * PRINTS_PER_FRAME + k)) % trades.length]}`
      places.push(text.length)
      text += `${'0'.repeat(DIGITS_OF_TIME)},"q":${FIRST_NUMBER}}`
    }
    return { bytes: Buffer.from(`${text}]`), places }
  })
  let number = FIRST_NUMBER
  let frame = 0
  return (time) => {
    const { bytes, places } = made[frame++ % made.length]
    const digits = String(time)
    for (const place of places) bytes.write(`${digits},"q":${number++}`, place, 'latin1')
    return Buffer.from(bytes) // it may still be queued when the text is written over
  }
}

/** Starts a part of the benchmark in a separate process, and resolves with its first message. */
async function start<Message>(
  ...args: readonly string[]
): Promise<{ readonly child: ChildProcess; readonly message: Message }> {
  const child = fork(fileURLToPath(import.meta.url), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--import', './scripts/typescript.mjs']
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve({ child, message: message as Message }))
    child.once('exit', (code) => reject(new Error(`the ${args[0]} stopped with exit code ${code}`)))
  })
}

export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const vendor = await start<string>('vendor')
  const service = await start<Ready>('service', folder, vendor.message)
  const { rest, metrics } = service.message
  try {
    const { alpha } = JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')) as { readonly alpha: string }
    const headers = { 'x-api-key': alpha }
    const ask = (path: string) => fetch(rest + path, { headers }).then((answer) => answer.text())
    const rows = async () => {
      const text = await (await fetch(metrics)).text()
      const counts = text.matchAll(/^gammawall_tape_rows_total\{.*\} (\S+)$/gm)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }
    for (const symbol of symbols) {
      await ask(`/v1/exposure/summary/${symbol}`) // no chain is loaded while it is measured
      await ask(`/v1/flow/options/${symbol}/recent`) // its tape is begun
    }
    const waitsNow = () =>
      load({
        base: rest,
        headers,
        next: () => '/v1/exposure/summary/SPY',
        connections: CONNECTIONS,
        rest: (1000 * CONNECTIONS) / ASKED_PER_SECOND,
        seconds: SECONDS,
        awake: false
      })
    const stretch = async (isTelling: boolean) => {
      vendor.child.send(isTelling)
      await pause(500) // the thread of the tapes is at it, or has caught up
      const [before, startedAt] = [await rows(), performance.now()]
      const waited = await waitsNow()
      const seconds = (performance.now() - startedAt) / 1000
      return { ...waited, arrived: ((await rows()) - before) / seconds }
    }
    for (const isTelling of [false, true]) await stretch(isTelling) // what it is served with is compiled
    const quiet: Stretch[] = []
    const busy: Stretch[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      quiet.push(await stretch(false))
      busy.push(await stretch(true))
    }
    const medianOf = (stretches: readonly Stretch[], name: keyof Stretch) => median(stretches.map((its) => its[name]))
    return [
      { name: 'prints that arrived meanwhile', value: medianOf(busy, 'arrived') / 1000, unit: 'k/s', atLeast: 95 },
      { name: 'cached answer, p50 without prints', value: medianOf(quiet, 'p50'), unit: 'ms' },
      { name: 'cached answer, p50 while they arrive', value: medianOf(busy, 'p50'), unit: 'ms' },
      { name: 'cached answer, p99 without prints', value: medianOf(quiet, 'p99'), unit: 'ms' },
      { name: 'cached answer, p99 while they arrive', value: medianOf(busy, 'p99'), unit: 'ms' },
      {
        name: `p99, of that without prints, the median of ${PAIRS} pairs`,
        value: median(busy.map(({ p99 }, pair) => p99 / quiet[pair].p99)),
        unit: 'times',
        atMost: 1.5
      }
    ]
  } finally {
    for (const { child } of [service, vendor]) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Stretch extends Load {
  /** Prints a second. */
  readonly arrived: number
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

if (process.argv[2] === 'service') await serviceProcess(process.argv[3], process.argv[4])
else if (process.argv[2] === 'vendor') await vendorProcess()
else await report(import.meta.url, run)
