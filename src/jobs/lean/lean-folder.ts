import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseStore } from '../../archive/clickhouse/database-store.ts'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import { MAX_BARS } from '../../market/bar.ts'
import type { Instant } from '../../market/units.ts'
import { JobError, type LeanFolderExport } from '../job.ts'
import { exportLean } from './export-lean.ts'

export interface LeanFolderOptions {
  readonly store: Pick<DatabaseStore, 'moments' | 'snapshot' | 'bars'>
  /** Writes the figures over time as CSV. */
  readonly writeFigures: (path: string) => Promise<void>
  readonly onSize: (bytes: number) => void
  readonly signal: AbortSignal
}

/**
 * Writes a folder for LEAN, which gets its name once it is complete: market data in that engine's layout, and the figures
 * over time as a file of custom data. Resolves to its size in bytes, or 0 if stopped.
 */
export async function writeLeanFolder(
  { symbol, from, to, path }: LeanFolderExport,
  end: Instant,
  { store, writeFigures, onSize, signal }: LeanFolderOptions
): Promise<number> {
  const partial = `${path}.part`
  await mkdir(partial, { mode: 0o700 })
  try {
    const sessions = await exportLean({ symbol, from, to }, partial, {
      moments: async (since, until) => (await store.moments(symbol, since, until)).map(({ asOf }) => asOf),
      chainAt: async (at) => {
        const snapshot = await store.snapshot(symbol, at)
        return snapshot && decodeSnapshot(snapshot)
      },
      bars: () => store.bars(symbol, end, MAX_BARS),
      onDay: async () => onSize(await sizeOf(partial)),
      signal
    })
    if (signal.aborted) return 0
    if (sessions === 0) throw new JobError(`nothing of ${symbol} was recorded within these sessions`)
    const custom = join(partial, 'alternative', 'gammawall')
    await mkdir(custom, { recursive: true, mode: 0o700 })
    await writeFigures(join(custom, `${symbol.toLowerCase()}.csv`))
    const size = await sizeOf(partial)
    await rename(partial, path)
    return size
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function sizeOf(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
