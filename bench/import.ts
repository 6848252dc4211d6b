import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { openHistory } from '../src/archive/open.ts'
import type { Note } from '../src/imports/import-writer.ts'
import { type ImportJob, readJob } from '../src/jobs/job.ts'
import { RECORDS_LABEL } from '../src/jobs/make-daily-records.ts'
import type { JobStore } from '../src/jobs/run-job.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { nextTradingDay } from '../src/market/calendar.ts'
import type { IsoDate } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { runJobOnThread } from '../src/workers/job-on-thread.ts'
import { type Figure, report } from './support/figure.ts'

// Speed of importing other people's recordings: contract rows a second, read alone and into the embedded archive.
// Reading has its own thread, as in the service and the command line. Years of chains are hundreds of millions of rows,
// so a slow import costs a night.
const folder = mkdtempSync(join(tmpdir(), 'gammawall-bench-import-'))
const asked = 300_000

/** A table of chains as vendors sell them: 26 columns, 10,000 contracts a day. */
async function chainTable(path: string, days: number): Promise<void> {
  const file = createWriteStream(path)
  file.write(
    'symbol,date,root,expiration,strike,right,open,high,low,close,volume,x1,x2,x3,x4,x5,x6,bid_size,bid,ask_size,ask,underlying_bid,underlying_ask,vwap,open_interest,adjusted\n'
  )
  for (let day = 0, date = '2024-01-02' as IsoDate; day < days; day++, date = nextTradingDay(date)) {
    const lines: string[] = []
    let expiration = date
    for (let listed = 0; listed < 20; listed++) {
      expiration = nextTradingDay(expiration)
      for (let strike = 400; strike < 650; strike++) {
        const worth = 2 + ((strike * 7 + listed * 13 + day) % 400) / 20
        for (const right of ['C', 'P']) {
          lines.push(
            `SPY,${date},SPY,${expiration},${strike}.000,${right},5.1,5.6,4.9,5.32,${strike % 90},120,5.30,130,5.34,472.61,472.62,${strike % 40},${worth.toFixed(2)},${listed + 3},${(worth + 0.05).toFixed(2)},472.65,472.66,5.2233,${strike * 3},`
          )
        }
      }
    }
    file.write(`${lines.join('\n')}\n`)
  }
  file.end()
  await finished(file)
}

/** A folder of payloads in the shape and order of the exchange's delayed quotes, 10,000 contracts each. */
function payloads(count: number): string {
  const path = join(folder, 'cboe')
  mkdirSync(path)
  const prices = { current_price: 731.88, close: 729.46, open: 739.97, high: 742.68, low: 729.1, volume: 69560498 }
  for (let k = 0; k < count; k++) {
    const symbol = `SP${String.fromCharCode(65 + (k % 26), 65 + Math.floor(k / 26))}`
    const options = Array.from({ length: 10_000 }, (_, i) => {
      const day = String(1 + Math.floor(i / 400)).padStart(2, '0')
      const strike = String(400_000 + 500 * ((i % 400) >> 1)).padStart(8, '0')
      return {
        option: `${symbol}2608${day}${i % 2 === 0 ? 'C' : 'P'}${strike}`,
        bid: 4.1,
        bid_size: 12,
        ask: 4.2,
        ask_size: 30,
        iv: 0.1812,
        open_interest: 1052,
        volume: 77,
        delta: 0.5012,
        gamma: 0.0312,
        theta: -0.1,
        vega: 0.1,
        rho: 0.1,
        theo: 4.15,
        tick: 'no_change',
        last_trade_price: 4.14,
        last_trade_time: '2026-07-29T16:14:59',
        prev_day_close: 6.02
      }
    })
    const data = { symbol, ...prices, last_trade_time: '2026-07-29T15:59:59', options }
    writeFileSync(join(path, `${symbol}.json`), JSON.stringify({ timestamp: '2026-07-29 22:37:29', symbol, data }))
  }
  return path
}

/** A store that writes nothing, which separates the cost of a format from the cost of writing. */
const nowhere: Omit<JobStore, 'exportQuotes' | 'exportPrints' | 'exportFigures' | 'writeTableText'> = {
  writeSnapshots: async () => {},
  writeBars: async () => {},
  writeRecords: async () => {},
  writeDividends: async () => {},
  writeSplits: async () => {},
  writeEarnings: async () => {},
  writeEventRecords: async () => {},
  deleteTape: async () => {},
  waitingFigures: async () => [],
  writeTapes: async () => {},
  writeZeroDte: async () => {},
  writePressure: async () => {},
  writeCustomers: async () => {},
  customers: async () => [],
  bars: async () => [],
  records: async () => [],
  bandErrors: async () => [],
  dividends: async () => [],
  splits: async () => [],
  earnings: async () => [],
  eventRecords: async () => [],
  closingSnapshot: async () => undefined,
  snapshot: async () => undefined,
  tape: async () => undefined,
  tapedSymbols: async () => [],
  tapedSessions: async () => [],
  coverage: async () => undefined,
  symbols: async () => [],
  moments: async () => []
}

interface Imported {
  /** Contract rows a second, until the last of them was written. */
  readonly rate: number
  /** Milliseconds for the daily record of each closing snapshot after that. */
  readonly record: number
}

async function imported(job: ImportJob, data: string | undefined): Promise<Imported> {
  const opened = data === undefined ? undefined : await openHistory({ data, history: 'embedded', recordVersion: 1 })
  const refuse = () => Promise.reject(new Error('the database alone can do this'))
  const refused = {
    exportQuotes: refuse,
    exportPrints: refuse,
    exportFigures: refuse,
    writeTableText: refuse
  }
  const store = opened?.store ?? { ...nowhere, ...refused }
  const context = { store, seed: 1, assumptions: defaultAssumptions, now: Date.now() }
  const startedAt = performance.now()
  const doJob = opened === undefined ? runJob : runJobOnThread
  let writtenAt = Number.NaN
  let records = 0
  const onNote = (note: Note) => {
    if (note.kind !== 'progress' || !note.what.startsWith(RECORDS_LABEL)) return
    if (note.done === 0) writtenAt = performance.now()
    records = note.total
  }
  const { tally } = await doJob(job, context, { onNote, signal: new AbortController().signal })
  const endedAt = performance.now()
  await opened?.store?.close()
  const rows = (1000 * tally.rows) / ((records === 0 ? endedAt : writtenAt) - startedAt)
  return { rate: rows, record: records === 0 ? 0 : (endedAt - writtenAt) / records }
}

export async function figures(): Promise<readonly Figure[]> {
  const measured: Figure[] = []
  const table = join(folder, 'chains.csv')
  await chainTable(table, 50)
  const minutes = new URL('../../shared/data/minute', import.meta.url).pathname
  const jobs: (readonly [name: string, job: ImportJob])[] = [
    ['table of chains', { work: 'import', format: 'csv', paths: [table] }],
    ['Cboe payloads', readJob({ work: 'import', format: 'cboe', paths: [payloads(50)] }) as ImportJob]
  ]
  if (existsSync(minutes)) jobs.push(['LEAN minutes', { work: 'import', format: 'lean', paths: [minutes] }])
  else console.log('LEAN minutes: skipped, they need ../shared/data beside the project')
  const { store, reason } = await openHistory({ data: join(folder, 'try'), history: 'embedded', recordVersion: 1 })
  await store?.close()
  if (store === undefined) console.log(`into the archive: skipped, ${reason}`)
  for (const [name, job] of jobs) {
    await imported(job, undefined) // warm
    const read = await imported(job, undefined)
    measured.push({ name: `${name}, read`, value: read.rate, unit: 'rows/s', atLeast: asked })
    if (store === undefined) continue
    const data = mkdtempSync(join(folder, 'data-'))
    const { rate, record } = await imported(job, data)
    measured.push({ name: `${name}, read and written`, value: rate, unit: 'rows/s', atLeast: asked })
    measured.push({ name: `${name}, a daily record thereafter`, value: record, unit: 'ms' })
  }
  rmSync(folder, { recursive: true, force: true })
  return measured
}

await report(import.meta.url, figures)
