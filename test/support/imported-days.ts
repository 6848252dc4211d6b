import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { importCboe } from '../../src/imports/import-cboe.ts'
import type { ImportWriter } from '../../src/imports/import-writer.ts'
import { importLean } from '../../src/imports/lean/import-lean.ts'
import { nextTradingDay } from '../../src/market/calendar.ts'
import { buildChain } from '../../src/market/chain.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { take } from '../imports/take.ts'
import { walk } from '../volatility/made-up-bars.ts'
import type { ArchiveRows } from './archive-rows.ts'
import { madeUpRecords, sessionsBefore } from './made-up-records.ts'

/** Indices whose level answers show, with the approximate level. */
const levels = [
  ['VIX', 16],
  ['SPX', 2060]
] as const
/** Bars and records of each symbol: enough for every measure. */
const sessions = 300

/** The snapshots that an import makes of recorded payloads, all or those of a symbol, or of minute data. */
export function importedPayloads(folder: string, symbol = ''): Promise<readonly ChainSnapshot[]> {
  const names = readdirSync(folder).filter((name) => name.startsWith(symbol && `${symbol}-`))
  const paths = names.map((name) => join(folder, name))
  return imported((writer) => importCboe(paths, writer))
}
export const importedMinutes = (folder: string) => imported((writer) => importLean([folder], writer))

async function imported(run: (writer: ImportWriter) => Promise<void>): Promise<readonly ChainSnapshot[]> {
  return (await take(run)).snapshots
}

/**
 * Real snapshots, and around a date what their recording lacks and every route needs to have an answer: index levels at the
 * times of the snapshots, bars and records up to the session after. What those say is made up and not looked at.
 */
export function accompanied(snapshots: readonly ChainSnapshot[], date: IsoDate): ArchiveRows {
  const moments = [...new Set(snapshots.map(({ chain }) => chain.asOf))]
  const there = new Set(snapshots.map(({ chain: { symbol, asOf } }) => `${symbol} ${asOf}`))
  const beside = moments.flatMap((asOf) =>
    levels.filter(([symbol]) => !there.has(`${symbol} ${asOf}`)).map((level) => levelAt(level, asOf))
  )
  const dates = sessionsBefore(nextTradingDay(nextTradingDay(date)), sessions)
  const symbols = [...new Set([...snapshots, ...beside].map(({ chain }) => chain.symbol))]
  return {
    snapshots: [...snapshots, ...beside].sort((a, b) => a.chain.asOf - b.chain.asOf),
    bars: symbols.flatMap((symbol, k) =>
      walk(k + 1, sessions).map((bar, i) => ({
        symbol,
        bar: { ...bar, date: dates[i] },
        fidelity: 'imported' as const
      }))
    ),
    records: symbols.flatMap((symbol, k) =>
      madeUpRecords(nextTradingDay(dates[sessions - 1]), sessions, k + 1).map((record) => ({ symbol, record }))
    )
  }
}

function levelAt([symbol, about]: (typeof levels)[number], asOf: Instant): ChainSnapshot {
  const spot = about * (1 + (asOf % 7_919_000) / 1e9) // another at each moment
  const quote = { bid: spot - 0.1, ask: spot + 0.1, last: spot, time: asOf }
  const chain = buildChain({ symbol: symbol as string as Ticker, asOf, delay: 0, spot, quote }, [])
  return { chain, fidelity: 'imported', missing: [] }
}
