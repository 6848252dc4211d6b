import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import {
  createImportWriter,
  type ImportWriter,
  type ImportWriterOptions,
  type Note,
  type Rejection,
  type Tally
} from '../../src/imports/import-writer.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import type { Chain } from '../../src/market/chain.ts'
import type { Dividend } from '../../src/market/dividend.ts'
import type { EarningsStatement } from '../../src/market/earnings.ts'
import type { Split } from '../../src/market/split.ts'
import { MemoryTapes } from '../support/memory-tapes.ts'

/** Everything an import handed over. */
export interface Taken {
  readonly snapshots: readonly ChainSnapshot[]
  readonly bars: readonly (readonly [symbol: string, bar: DailyBar])[]
  readonly dividends: readonly (readonly [symbol: string, dividend: Dividend])[]
  readonly splits: readonly (readonly [symbol: string, split: Split])[]
  readonly earnings: readonly EarningsStatement[]
  /** The tapes as an archive has them then. */
  readonly tapes: MemoryTapes
  readonly rejections: readonly Rejection[]
  /** Tables of the rows that were set aside, by heading. */
  readonly doubted: readonly string[]
  readonly notes: readonly Note[]
  readonly tally: Tally
}

/** Lets an import run to its end, or until `signal`, and returns what it handed to the archive. */
export async function take(
  run: (writer: ImportWriter) => Promise<void>,
  {
    signal = new AbortController().signal,
    onSnapshot = () => {},
    tapes = new MemoryTapes()
  }: { signal?: AbortSignal; onSnapshot?: () => void; tapes?: MemoryTapes } = {}
): Promise<Taken> {
  const snapshots: ChainSnapshot[] = []
  const bars: [string, DailyBar][] = []
  const dividends: [string, Dividend][] = []
  const splits: [string, Split][] = []
  const earnings: EarningsStatement[] = []
  const notes: Note[] = []
  const store: ImportWriterOptions['store'] = {
    writeTapes: async (text) => tapes.write(text),
    deleteTape: async (id) => tapes.forget(id),
    writeSnapshots: async (batch) => void snapshots.push(...batch),
    writeBars: async (symbol, batch) => {
      for (const bar of batch) bars.push([symbol, bar])
    },
    writeDividends: async (symbol, batch) => {
      for (const dividend of batch) dividends.push([symbol, dividend])
    },
    writeSplits: async (symbol, batch) => {
      for (const split of batch) splits.push([symbol, split])
    },
    writeEarnings: async (batch) => void earnings.push(...batch)
  }
  const writer = createImportWriter({ store, signal, onNote: (note) => void notes.push(note) })
  const watched: ImportWriter = {
    ...writer,
    async snapshot(snapshot) {
      await writer.snapshot(snapshot)
      onSnapshot()
    }
  }
  await run(watched)
  const tally = await writer.finish()
  const rejections = notes.flatMap((note) => (note.kind === 'rejected' ? note.rejections : []))
  const doubted = notes.flatMap((note) => (note.kind === 'doubted' ? [[note.heading, ...note.lines].join('\n')] : []))
  return { doubted, snapshots, bars, dividends, splits, earnings, tapes, rejections, notes, tally }
}

/** A folder with these files that goes with the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-imports-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

/** The slot of a contract in a chain. */
export function slotOf(chain: Chain, expiration: string, strike: number, right: number, root?: string): number {
  const listed = chain.expirations.find((each) => each.date === expiration && (root ?? each.root) === each.root)!
  for (let i = listed.start; i < listed.end; i++) if (chain.strike[i] === strike && chain.right[i] === right) return i
  throw new Error(`there is no ${strike} of ${expiration}`)
}

export const iso = (instant: number) => new Date(instant).toISOString()

/** An archive in whose place no Parquet is read. */
export const noParquet = () => Promise.reject(new Error('not asked for'))
