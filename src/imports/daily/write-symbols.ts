import type { HistoryStore } from '../../archive/history-store.ts'
import { type DailyBar, MAX_BARS } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { macroSeriesOf } from '../../market/macro-series.ts'
import { securityKind } from '../../market/security.ts'
import type { Split } from '../../market/split.ts'
import { END_OF_TIME, type Instant, type Ticker } from '../../market/units.ts'
import type { ImportWriter } from '../import-writer.ts'
import { UNENDED } from '../judged/unended-file.ts'
import { ratioText } from '../split-ratio.ts'
import type { BarRows } from './bar-rows.ts'
import { adjustedBar, scaleOf } from './bar-scale.ts'
import { doubtOfCents, doubtOfSlips } from './bar-slips.ts'
import type { DailyTableOptions } from './import-daily.ts'
import {
  type BarDoubt,
  type BarRow,
  doubtOfPeriod,
  judgeDates,
  type SplitGap,
  splitGaps,
  volumeStep
} from './judge-bars.ts'

/** A table of bars that was read. */
export interface DailyTable {
  readonly path: string
  /** Whether its last line has no line break. */
  isUnended: boolean
}

export interface ReadBars {
  readonly rows: BarRows
  readonly tables: DailyTable[]
}

/** The bars, dividends and splits that are known of a symbol, if the archive can tell. */
export type BarsArchive = Partial<Pick<HistoryStore, 'bars' | 'dividends' | 'splits'>>

interface JudgedSymbol {
  readonly symbol: Ticker
  /** Splits for which the bars are not adjusted yet. They are when they are written; here they are as in the files. */
  readonly open: readonly Split[]
  readonly bars: readonly BarRow[]
  readonly repeated: number
  readonly doubts: readonly BarDoubt[]
  /** Doubt about bars that are written all the same. */
  readonly misfit: BarDoubt | undefined
}

export type BarOptions = Omit<DailyTableOptions, 'archive' | 'columns' | 'symbol' | 'forms'> & {
  readonly archive: BarsArchive
}

/** Most tables and symbols that are named before the writing; the rest is counted. */
const MAX_NAMED = 20
const FIRST_ROWS = 3

/**
 * Judges the bars of each symbol, tells what was understood, and writes those that are not doubted. The others are set
 * aside; with `accept` all are written, and with `dryRun` none.
 */
export async function writeSymbols(
  { rows, tables }: ReadBars,
  { archive, scale, now = END_OF_TIME, wallNow = END_OF_TIME, accept = false, dryRun = false }: BarOptions,
  writer: ImportWriter,
  progress: (what: string, share: number) => Promise<void>
): Promise<void> {
  const { symbols } = rows
  const lines = tables.slice(0, MAX_NAMED).flatMap(({ path, isUnended }) => (isUnended ? [`${path}: ${UNENDED}`] : []))
  const judged = new Map<Ticker, JudgedSymbol>()
  for (const symbol of symbols.slice(0, MAX_NAMED)) {
    const of = await judgeSymbol(symbol)
    judged.set(symbol, of)
    lines.push(...overviewOf(of))
  }
  if (symbols.length > MAX_NAMED) lines.push(`and ${symbols.length - MAX_NAMED} more symbols`)
  if (lines.length > 0) await writer.understood(lines.join('\n'))
  let done = 0
  for (const symbol of symbols) {
    if (writer.signal.aborted) return
    await write(judged.get(symbol) ?? (await judgeSymbol(symbol)))
    await progress(symbol, ++done / symbols.length)
  }

  async function judgeSymbol(symbol: Ticker): Promise<JudgedSymbol> {
    const { bars: dated, repeated, doubts: found } = judgeDates(rows.rowsOf(symbol), easternDate(wallNow))
    const period = macroSeriesOf(symbol) === undefined ? doubtOfPeriod(dated) : undefined
    const bars = period === undefined ? dated : []
    const doubts = period === undefined ? [...found] : [...found, period]
    if (securityKind(symbol) === 'index') return { symbol, open: [], bars, repeated, doubts, misfit: undefined }
    const cents = doubtOfCents(bars)
    if (cents !== undefined) {
      return { symbol, open: [], bars: [], repeated, doubts: [...doubts, cents], misfit: undefined }
    }
    const slips = doubtOfSlips(bars)
    if (slips !== undefined) doubts.push(slips)
    const level = slips === undefined ? bars : bars.filter((bar) => !slips.bars.includes(bar))
    const scaled = await judgeScale(symbol, level, { archive, scale, now })
    const step = volumeStep(scaled.bars.map((bar) => ({ ...bar, ...adjustedBar(bar, scaled.open) })))
    const text = step && `from ${step.date} on its volume is in another unit than before`
    const misfit = text === undefined ? undefined : { kind: 'volume unit', text, bars: [step!] }
    return { ...scaled, symbol, repeated, doubts: [...doubts, ...scaled.doubts], misfit }
  }

  async function write({ symbol, open, bars, repeated, doubts, misfit }: JudgedSymbol): Promise<void> {
    writer.leaveOut(repeated)
    const accepted = accept ? newestOfDates([...bars, ...doubts.flatMap((doubt) => doubt.bars)]) : bars
    if (!accept) {
      for (const doubt of doubts)
        await writer.setAside({ ...reported(symbol, doubt), ...doubtedTable(symbol, doubt.bars) })
      if (misfit !== undefined) {
        const { file, line, reason, kind } = reported(symbol, misfit)
        writer.mark(file, line, reason, kind)
      }
    }
    if (dryRun || accepted.length === 0) return
    const adjusted = accepted.map((bar) => adjustedBar(barOf(bar), open))
    await writer.bars(symbol, adjusted, 'imported')
  }

  function reported(symbol: Ticker, { kind, text, bars: [first] }: BarDoubt) {
    return { file: tables[first.table].path, line: first.line, kind, reason: `${symbol}: ${text}` }
  }
}

/** One bar for each date: of several the one whose row comes last, as for contracts of a chain. */
function newestOfDates(bars: readonly BarRow[]): readonly BarRow[] {
  const sorted = bars.toSorted((a, b) => a.table - b.table || a.line - b.line)
  const byDate = new Map(sorted.map((bar) => [bar.date, bar]))
  return [...byDate.keys()].sort().map((date) => byDate.get(date)!)
}

const barOf = ({ date, open, high, low, close, volume }: DailyBar): DailyBar => {
  return { date, open, high, low, close, volume }
}

/**
 * Tells for which splits the bars are not adjusted yet, and sets bars aside that are of another scale than the newest
 * ones: those of which nothing tells it, and those before the last gap of the size of a split that neither a known split
 * nor a dividend explains. Bars of the archive beside them count.
 */
async function judgeScale(
  symbol: Ticker,
  bars: readonly BarRow[],
  { archive, scale, now }: Pick<BarOptions, 'archive' | 'scale'> & { readonly now: Instant }
): Promise<Pick<JudgedSymbol, 'open' | 'bars' | 'doubts'>> {
  if (bars.length === 0) return { open: [], bars, doubts: [] }
  const [first, last] = [bars[0].date, bars[bars.length - 1].date]
  const today = easternDate(now)
  const splits = ((await archive.splits?.(symbol)) ?? []).filter(({ date }) => date <= today)
  const known = (await archive.bars?.(symbol, now, MAX_BARS)) ?? []
  const before = known.findLast(({ date }) => date < first)
  const after = known.find(({ date }) => date > last)
  const { open, unclear } = scaleOf(bars, splits, scale, after)
  const doubts: BarDoubt[] = []
  let kept = bars
  const setAside = (text: string, isOther: (bar: BarRow) => boolean) => {
    doubts.push({ kind: 'split', text, bars: kept.filter(isOther) })
    kept = kept.filter((bar) => !isOther(bar))
  }
  if (unclear !== undefined) setAside(unclear.text, ({ date }) => date < unclear.date)
  const earlier = kept.length === bars.length ? before : undefined
  const adjusted = kept.map((bar) => adjustedBar(bar, open))
  const gaps = splitGaps([...(earlier ? [earlier] : []), ...adjusted, ...(after ? [after] : [])])
  const gap = gaps.length === 0 ? undefined : (await withoutDividends(symbol, gaps, archive)).at(-1)
  if (gap === undefined) return { open, bars: kept, doubts }
  const isAll = gap.before === before
  setAside(gapText(gap, isAll || gap.after === after), ({ date }) => isAll || date < gap.after.date)
  return { open, bars: kept, doubts }
}

async function withoutDividends(
  symbol: Ticker,
  gaps: readonly SplitGap[],
  archive: BarsArchive
): Promise<readonly SplitGap[]> {
  const dividends = (await archive.dividends?.(symbol, END_OF_TIME)) ?? []
  return gaps.filter(({ before, after }) => {
    const paid = dividends.reduce((sum, { exDate, amount }) => sum + (exDate === after.date ? amount : 0), 0)
    return paid < (before.close - after.close) / 2 || paid === 0
  })
}

function gapText({ before, after, ratio }: SplitGap, isInArchive: boolean): string {
  const of = isInArchive ? ', one of them in the history' : ''
  const what = `its close goes from ${before.close} to ${after.close} on ${after.date}${of}, as after a split of ${ratioText(ratio)}`
  const remedy = 'state the split by `import splits`, or give bars that are adjusted for it'
  return `${what} (ratio ${ratio}): its bars before are of another scale, so ${remedy}`
}

function doubtedTable(symbol: Ticker, bars: readonly BarRow[]) {
  const cell = (value: number) => (Number.isNaN(value) ? '' : String(value))
  return {
    heading: 'symbol,date,open,high,low,close,volume',
    lines: bars.map(({ date, open, high, low, close, volume }) =>
      [symbol, date, ...[open, high, low, close, volume].map(cell)].join(',')
    )
  }
}

function overviewOf({ symbol, open, bars, doubts, misfit }: JudgedSymbol): readonly string[] {
  const told = [...doubts, ...(misfit === undefined ? [] : [misfit])].map(({ text, bars: { length } }) => {
    return `  doubted: ${length} ${length === 1 ? 'bar' : 'bars'}: ${text}`
  })
  if (bars.length === 0) return [`${symbol}: no daily bar that can be used`, ...told]
  const last = adjustedBar(bars[bars.length - 1], open)
  const shown = bars.slice(0, FIRST_ROWS).map((bar) => {
    const { date, open: first, high, low, close, volume } = adjustedBar(bar, open)
    return `  ${date}: open ${first}, high ${high}, low ${low}, close ${close}, volume ${volume}`
  })
  const adjusted = open.map(
    ({ date, ratio }) => `  bars before ${date} are adjusted for the split of ${ratioText(ratio)}`
  )
  return [
    `${symbol}: ${bars.length} daily bars, ${bars[0].date} to ${last.date}, last close ${last.close}`,
    ...adjusted,
    ...shown,
    ...told
  ]
}
