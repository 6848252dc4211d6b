import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseStore } from '../src/archive/clickhouse/database-store.ts'
import { decodeSnapshot } from '../src/archive/codec/decode-snapshot.ts'
import { openHistory } from '../src/archive/open.ts'
import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import { session, tradingDays } from '../src/market/calendar.ts'
import type { Instant, IsoDate, Ticker } from '../src/market/units.ts'
import { type Figure, report } from './support/figure.ts'

// The embedded archive: disk space, speed of writing, and the cost of reading one snapshot as days accumulate. The
// snapshots of a day are consecutive minutes, since neighbours share blocks: 60 on the first day and 4 on each of 59
// more. `--full` makes 390 a day, which takes some ten minutes.
const full = process.argv.includes('--full')
const minutesOn = (day: number) => (full ? 390 : day === 0 ? 60 : 4)
const dates = tradingDays('2026-05-01' as IsoDate, '2026-07-31' as IsoDate).slice(0, 60)
const MINUTE = 60_000
const BATCH = 40
const READS = 300

interface Written {
  readonly moments: readonly Instant[]
  readonly contracts: number
  readonly seconds: number
}

/** Writes days of one symbol. Making the chains is not timed. */
async function write(store: DatabaseStore, symbol: Ticker, from: number, to: number): Promise<Written> {
  const market = createSynthetic({ seed: 1 })
  const moments = dates.slice(from, to).flatMap((date, k) => {
    const { open } = session(date)!
    return Array.from({ length: minutesOn(from + k) }, (_, minute) => open + (1 + minute) * MINUTE)
  })
  let contracts = 0
  let seconds = 0
  for (let start = 0; start < moments.length; start += BATCH) {
    const batch = moments.slice(start, start + BATCH)
    const chains = await Promise.all(batch.map((at) => market.chain(symbol, at, AbortSignal.timeout(60_000))))
    const startedAt = performance.now()
    await store.writeSnapshots(chains.map((chain) => ({ chain: chain!, fidelity: 'recorded', missing: [] })))
    seconds += (performance.now() - startedAt) / 1000
    contracts += chains.reduce((sum, chain) => sum + chain!.size, 0)
  }
  return { moments, contracts, seconds }
}

/** Times of reading and decoding snapshots from all days, milliseconds, ascending. */
async function readings(store: DatabaseStore, symbol: Ticker, moments: readonly Instant[]): Promise<readonly number[]> {
  const times: number[] = []
  for (let k = -20; k < READS; k++) {
    const at = moments[((k + 20) * 7919) % moments.length]
    const startedAt = performance.now()
    const snapshot = await store.snapshot(symbol, at + MINUTE / 2)
    decodeSnapshot(snapshot!)
    if (k >= 0) times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)
}

async function bytesOf(store: DatabaseStore, table: string): Promise<number> {
  return (await store.size()).find((one) => one.table === table)?.bytes ?? 0
}

async function figuresOf(store: DatabaseStore, symbol: Ticker, size: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  const before = await bytesOf(store, 'option_images')
  const moments: Instant[] = []
  let contracts = 0
  for (const [from, to] of [
    [0, 1],
    [1, dates.length]
  ]) {
    const written = await write(store, symbol, from, to)
    moments.push(...written.moments)
    contracts += written.contracts
    const times = await readings(store, symbol, moments)
    const name = `${size}, ${to} days, ${moments.length} snapshots:`
    const bytes = (await bytesOf(store, 'option_images')) - before
    figures.push(
      { name: `${name} room for a contract and minute`, value: bytes / contracts, unit: 'bytes', atMost: 5 },
      { name: `${name} written`, value: written.contracts / written.seconds, unit: 'contracts/s', atLeast: 300_000 },
      { name: `${name} one snapshot read and decoded, p50`, value: times[times.length >> 1], unit: 'ms' },
      { name: `${name} one snapshot read and decoded, p99`, value: times[Math.floor(0.99 * times.length)], unit: 'ms' }
    )
  }
  return figures
}

export async function run(): Promise<readonly Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const { store, reason } = await openHistory({ data, history: 'embedded', recordVersion: 1 })
  if (store === undefined) {
    console.log(reason)
    return []
  }
  try {
    const medium = await figuresOf(store, 'IWM' as Ticker, '4,500 contracts')
    const large = await figuresOf(store, 'SPY' as Ticker, '12,000 contracts')
    const lists = { name: 'lists of contracts and open interest, 120 days', unit: 'MB' }
    return [
      ...medium.map((figure) => (figure.name.endsWith('p50') ? { ...figure, atMost: 6 } : figure)),
      ...large,
      { ...lists, value: (await bytesOf(store, 'option_series')) / 1e6 },
      { name: 'resident memory with the archive open', value: process.memoryUsage().rss / 2 ** 20, unit: 'MB' }
    ]
  } finally {
    await store.close()
    rmSync(data, { recursive: true, force: true })
  }
}

await report(import.meta.url, run)
