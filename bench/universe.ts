import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { readCboeChain } from '../src/connectors/cboe/cboe-chain.ts'
import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import { parseEasternDateTime } from '../src/market/eastern.ts'
import { MILLISECONDS_PER_MINUTE } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { cboePayload } from './support/cboe-payload.ts'
import { type Figure, report } from './support/figure.ts'
import { quietServe } from './support/quiet-serve.ts'

// A whole universe on one small machine: how long a million contracts take on all cores, from the bytes of their
// payloads, no two alike, to priced chains, and how much memory the service holds once every symbol of the synthetic
// market is loaded.
const MILLION = 1_000_000
const noon = parseEasternDateTime('2026-07-29T12:00:00')!

interface Share {
  readonly contracts: number
  /** Index of this thread and number of threads; each thread has its own symbols. */
  readonly thread: number
  readonly threads: number
}

interface Done {
  readonly contracts: number
  /** Milliseconds until every payload was a chain of columns; the rest went into pricing. */
  readonly reading: number
}

/** Holds the payloads of its share of symbols and converts all of them to priced chains whenever it is asked to. */
async function pricingThread(share: Share): Promise<void> {
  const payloads = await payloadsOf(share)
  parentPort!.on('message', () => {
    let contracts = 0
    let reading = 0
    for (const bytes of payloads) {
      const startedAt = performance.now()
      const { chain } = readCboeChain(bytes)
      reading += performance.now() - startedAt
      contracts += priceChain(chain, defaultAssumptions, fittedSmile).size
    }
    parentPort!.postMessage({ contracts, reading } satisfies Done)
  })
  parentPort!.postMessage('ready')
}

/** Payloads of every n-th symbol of the synthetic market, at one moment after another until there are enough contracts. */
async function payloadsOf({ contracts, thread, threads }: Share): Promise<readonly Buffer[]> {
  const synthetic = createSynthetic({ seed: 1 })
  const symbols = synthetic.tickers.filter((_, k) => k % threads === thread)
  const payloads: Buffer[] = []
  let made = 0
  for (let moment = noon; made < contracts; moment += MILLISECONDS_PER_MINUTE) {
    for (const symbol of symbols) {
      const chain = await synthetic.chain(symbol, moment, AbortSignal.timeout(30_000))
      if (made >= contracts || chain === undefined || chain.size === 0) continue
      payloads.push(cboePayload(chain))
      made += chain.size
    }
  }
  return payloads
}

interface Pass {
  readonly seconds: number
  readonly contracts: number
  readonly readingShare: number
}

async function millionOnAllCores(threads: number): Promise<Pass> {
  const workers = Array.from({ length: threads }, (_, thread) => {
    const share: Share = { contracts: MILLION / threads, thread, threads }
    return new Worker(new URL(import.meta.url), { workerData: share })
  })
  const next = (worker: Worker) => new Promise<Done>((resolve) => worker.once('message', resolve))
  await Promise.all(workers.map(next))
  const passes: Pass[] = []
  for (let k = -1; k < 3; k++) {
    const startedAt = performance.now()
    const doing = workers.map(next)
    for (const worker of workers) worker.postMessage('go')
    const done = await Promise.all(doing)
    const seconds = (performance.now() - startedAt) / 1000
    const sum = (figure: (part: Done) => number) => done.reduce((total, part) => total + figure(part), 0)
    const contracts = sum((part) => part.contracts)
    const readingShare = sum((part) => part.reading) / (1000 * seconds * threads)
    if (k >= 0) passes.push({ seconds: (seconds * MILLION) / contracts, contracts, readingShare })
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
  return passes.toSorted((a, b) => a.seconds - b.seconds)[passes.length >> 1]
}

/** Runs the service, fully warm, in a separate process, and reports its memory when nothing is left to load. */
async function servicePrints(data: string): Promise<void> {
  await quietServe({ data, port: '0', 'as-of': '2026-07-29T12:00', 'log-level': 'silent' })
  let settled = 0
  const timer = setInterval(() => {
    const { rss } = process.memoryUsage()
    if (Math.abs(rss - settled) < 2 ** 20) {
      clearInterval(timer)
      process.send!({ rss })
    }
    settled = rss
  }, 5000)
}

function memoryOfUniverse(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const child = fork(fileURLToPath(import.meta.url), ['service', folder], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  return new Promise<number>((resolve) =>
    child.once('message', (message) => resolve((message as { rss: number }).rss))
  ).finally(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
}

export async function run(): Promise<readonly Figure[]> {
  const cores = availableParallelism()
  const pass = await millionOnAllCores(cores)
  return [
    {
      name: `${MILLION.toLocaleString('en-US')} contracts from payloads to priced chains on ${cores} cores`,
      value: pass.seconds,
      unit: `s (${Math.round(100 * pass.readingShare)} % of it reading the payloads)`
    },
    {
      name: 'resident memory, whole synthetic universe loaded',
      value: (await memoryOfUniverse()) / 2 ** 20,
      unit: 'MB'
    }
  ]
}

if (!isMainThread) await pricingThread(workerData as Share)
else if (process.argv[2] === 'service') await servicePrints(process.argv[3])
else await report(import.meta.url, run)
