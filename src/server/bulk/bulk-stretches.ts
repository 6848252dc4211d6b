import type { CoveredDay } from '../../archive/history-store.ts'
import { session } from '../../market/calendar.ts'
import { easternDate, instantOfEastern } from '../../market/eastern.ts'
import { readSymbol } from '../../market/security.ts'
import { MILLISECONDS_PER_DAY } from '../../market/units.ts'
import type { BulkArchive } from './bulk-archive.ts'
import type { BulkGroup } from './bulk-groups.ts'
import { type BulkRange, spanOf } from './bulk-moments.ts'
import { steps } from './bulk-shapes.ts'

/**
 * Most rows of a stretch, and most rows times columns, as many as one answer of /v1/series has: the thread that serves
 * reads and writes so many in a moment. A longer session is one stretch all the same.
 */
const MAX_ROWS = 10_000
const MAX_CELLS = 50_000

/**
 * Cuts a range into stretches of whole recorded days, for a table of so many columns. None reaches beyond what is served, so nothing is read that lies
 * after the present.
 */
export async function stretchesOf(
  symbol: string,
  range: BulkRange,
  archive: BulkArchive,
  columns: number
): Promise<readonly BulkGroup[]> {
  const { start, end } = spanOf(range)
  const { now, from: served } = archive.period()
  const [from, to] = [Math.max(start, instantOfEastern(served, 0)), Math.min(end, now)]
  const ticker = readSymbol(symbol)
  const days = ticker === undefined ? [] : ((await archive.coverage(ticker))?.days ?? [])
  const [first, last] = [easternDate(from), easternDate(to)]
  const most = Math.min(MAX_ROWS, Math.floor(MAX_CELLS / columns))
  const stretches: { at: number; to: number; rows: number }[] = []
  for (const day of days) {
    const rows = mostRows(day, range.every)
    if (from > to || day.date < first || day.date > last || rows === 0) continue
    const beginning = instantOfEastern(day.date, 0)
    const ends = Math.min(to, beginning + MILLISECONDS_PER_DAY - 1)
    const open = stretches.at(-1)
    if (open !== undefined && open.rows + rows <= most) {
      open.to = ends
      open.rows += rows
    } else stretches.push({ at: Math.max(from, beginning), to: ends, rows })
  }
  return stretches.map(({ at, ...stretch }) => ({ symbol, at, stretch }))
}

function mostRows({ date, snapshots }: CoveredDay, every: BulkRange['every']): number {
  const hours = session(date)
  if (hours === undefined) return 0
  const step = steps[every]
  return step === 'session' ? 1 : Math.min(snapshots, Math.floor((hours.close - hours.open) / step) + 1)
}
