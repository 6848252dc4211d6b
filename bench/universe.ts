import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { serve } from '../src/app/serve.ts'
import { readConfig } from '../src/config/config.ts'
import { createSynthetic } from '../src/connectors/synthetic/connector.ts'
import { parseEasternDateTime } from '../src/market/eastern.ts'
import type { Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/carry.ts'
import { priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile.ts'
import { type Figure, median, report } from './figure.ts'

// A whole universe on one small machine: how long a million contracts take on all cores, and how much memory the
// service holds once every symbol of the synthetic market is loaded.
const million = 1_000_000
const noon = parseEasternDateTime('2026-07-29T12:00:00')!

/** Prices about `share` contracts each time it is told to, over the chains of a few symbols of every size. */
async function pricingThread(): Promise<void> {
  const synthetic = createSynthetic({ seed: 1 })
  const symbols = ['SPX', 'SPY', 'QQQ', 'AAPL', 'NVDA', 'KO', 'F'] as Ticker[]
  const chains = await Promise.all(symbols.map((symbol) => synthetic.chain(symbol, noon, AbortSignal.timeout(30_000))))
  parentPort!.on('message', (share: number) => {
    let priced = 0
    for (let k = 0; priced < share; k++)
      priced += priceChain(chains[k % chains.length]!, defaultAssumptions, fittedSmile).size
    parentPort!.postMessage(priced)
  })
  parentPort!.postMessage(0)
}

async function millionOnAllCores(): Promise<number> {
  const cores = availableParallelism()
  const threads = Array.from({ length: cores }, () => new Worker(new URL(import.meta.url)))
  const next = (thread: Worker) => new Promise((resolve) => thread.once('message', resolve))
  await Promise.all(threads.map(next))
  const seconds: number[] = []
  for (let k = -1; k < 5; k++) {
    const startedAt = performance.now()
    const done = threads.map(next)
    for (const thread of threads) thread.postMessage(million / cores)
    await Promise.all(done)
    if (k >= 0) seconds.push((performance.now() - startedAt) / 1000)
  }
  await Promise.all(threads.map((thread) => thread.terminate()))
  return median(seconds)
}

/** The service with everything warm, in a process of its own: reports its memory once nothing is left to load. */
async function servicePrints(data: string): Promise<void> {
  const print = process.stdout.write
  process.stdout.write = (() => true) as typeof print
  await serve(readConfig({ data, port: '0', 'as-of': '2026-07-29T12:00', 'log-level': 'silent' }, {}))
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
  return [
    {
      name: `${million.toLocaleString('en-US')} contracts priced on ${cores} cores`,
      value: await millionOnAllCores(),
      unit: 's'
    },
    {
      name: 'resident memory, whole synthetic universe loaded',
      value: (await memoryOfUniverse()) / 2 ** 20,
      unit: 'MB'
    }
  ]
}

if (!isMainThread) await pricingThread()
else if (process.argv[2] === 'service') await servicePrints(process.argv[3])
else await report(import.meta.url, run)
