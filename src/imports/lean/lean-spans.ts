import type { Absence, HistoryStore } from '../../archive/history-store.ts'
import { session } from '../../market/calendar.ts'
import { dateOfEpochDay, epochDay, type Instant, type IsoDate, type Ticker } from '../../market/units.ts'
import { BarRows } from '../daily/bar-rows.ts'
import type { BarScale } from '../daily/bar-scale.ts'
import { type BarsArchive, writeSymbols } from '../daily/write-symbols.ts'
import type { FoundFile } from '../import-files.ts'
import { type ImportWriter, reasonOf } from '../import-writer.ts'
import { GroupedRows } from '../judged/grouped-rows.ts'
import { quoteFigures, tradeFigures } from './lean-bars.ts'
import { chainsOf, emptyDay, type LeanDay, sessionBar, slotsOf } from './lean-day.ts'
import { type LeanOption, leanOptionKey, parseSpanName, priceUnitsPerDollar } from './lean-names.ts'
import { eachSpanRow, spanKinds } from './lean-span-rows.ts'
import { logEntry } from './minute-log.ts'
import { firstNameIn, openZip } from './zip.ts'

export interface LeanSpanOptions {
  /** The archive. It supplies the close of days whose underlying no file holds, and the bars and splits beside ours. */
  readonly archive: BarsArchive & Partial<Pick<HistoryStore, 'bars'>>
  readonly scale?: BarScale | undefined
  readonly now?: Instant | undefined
}

/** Numbers of a row: zip, line, kind, series, start in minutes of the day, five figures. */
const WIDTH = 10
const CONTENT = 2
const MINUTES_OF_HOUR = 60

/** What the zips of one underlying hold, by date. */
interface Spans {
  readonly symbol: Ticker
  readonly rows: GroupedRows
  /** Group of each date, by its epoch day. */
  readonly groups: Map<number, number>
  readonly options: LeanOption[]
  readonly hasTrades: boolean
}

/**
 * Imports zips of hours and days in LEAN's format, each with many dates: quotes, trades and open interest of options,
 * trades of stocks and indexes. The end of each hour, or the close of each day, becomes a snapshot. The trades of the
 * stock become daily bars, which are judged as those of `import daily`. Rows that do not fit into memory go to a
 * temporary file.
 */
export async function importLeanSpans(
  files: readonly FoundFile[],
  options: LeanSpanOptions,
  writer: ImportWriter,
  progress: (what: string, share: number) => Promise<void>
): Promise<void> {
  const bars = { rows: new BarRows(), tables: files.map(({ path }) => ({ path, isUnended: false })) }
  try {
    let done = 0
    for (const [symbol, zips] of await bySymbol(files, writer)) {
      const spans = await spansOf(symbol, zips, writer)
      try {
        const dates = [...spans.groups.keys()].sort((a, b) => a - b)
        let unpriced: { readonly first: IsoDate; count: number } | undefined
        for (const [k, day] of dates.entries()) {
          if (writer.signal.aborted) return
          const date = dateOfEpochDay(day)
          await progress(`${symbol} ${date}`, (done + k / dates.length) / files.length)
          const isPriced = await importDate(date, spans, zips, bars.rows, options, writer)
          if (!isPriced) unpriced = { first: unpriced?.first ?? date, count: (unpriced?.count ?? 0) + 1 }
        }
        if (unpriced !== undefined) {
          const { first, count } = unpriced
          const days = count === 1 ? first : `${count} dates, the first ${first}`
          const what = `nothing tells the price of ${symbol} on ${days}`
          const remedy = 'name the zip of its own hours or days too, or import daily bars first'
          writer.reject(zips[0].path, undefined, `${what}: ${remedy}`)
        }
      } finally {
        spans.rows.close()
      }
      done += zips.length
    }
    await writeSymbols(bars, options, writer, async () => {})
  } finally {
    bars.rows.close()
  }
}

type NumberedFile = FoundFile & { readonly table: number }

async function bySymbol(
  files: readonly FoundFile[],
  writer: ImportWriter
): Promise<ReadonlyMap<Ticker, readonly NumberedFile[]>> {
  const found = new Map<Ticker, NumberedFile[]>()
  for (const [table, file] of files.entries()) {
    const name = await firstNameIn(file.path).catch((error) => {
      writer.reject(file.path, undefined, `it cannot be opened: ${reasonOf(error)}`)
    })
    if (name === undefined) continue
    const named = parseSpanName(name)
    if (named === undefined) {
      writer.reject(file.path, undefined, `it holds ${name}, which is not called as LEAN calls its files`)
    } else found.set(named.symbol, [...(found.get(named.symbol) ?? []), { ...file, table }])
  }
  return found
}

async function spansOf(symbol: Ticker, zips: readonly NumberedFile[], writer: ImportWriter): Promise<Spans> {
  const rows = new GroupedRows({ width: WIDTH, content: CONTENT })
  const groups = new Map<number, number>()
  const options: LeanOption[] = []
  const numbers = new Map<string, number>()
  const packed = new Float64Array(WIDTH)
  let hasTrades = false
  for (const { path, table } of zips) {
    if (writer.signal.aborted) break
    const perDollar = priceUnitsPerDollar(symbol, path)
    try {
      const zip = await openZip(path)
      for (const entry of zip.entries) {
        const file = `${path}/${entry.fileName}`
        const name = parseSpanName(entry.fileName)
        if (name === undefined) writer.reject(file, undefined, 'its name is not one of LEAN')
        else if (name.symbol !== symbol) writer.reject(file, undefined, `it is not of ${symbol}, as the zip is`)
        else if (name.option !== undefined && /\d$/.test(name.option.root)) writer.leaveOut(1)
        else {
          const { option, kind } = name
          const series = option === undefined ? -1 : numberOfOption(option)
          hasTrades ||= option !== undefined && kind === 'trade'
          const bytes = await zip.read(entry)
          const reject = (line: number, reason: string) => writer.reject(file, line, reason)
          eachSpanRow(bytes, kind, perDollar, reject, (day, start, figures, line) => {
            let group = groups.get(day)
            if (group === undefined) groups.set(day, (group = groups.size))
            packed.fill(Number.NaN)
            packed.set([table, line, spanKinds.indexOf(kind), series, start])
            packed.set(figures, 5)
            rows.add(group, packed)
          })
        }
      }
    } catch (error) {
      writer.reject(path, undefined, reasonOf(error))
    }
  }
  return { symbol, rows, groups, options, hasTrades }

  function numberOfOption(option: LeanOption): number {
    const key = leanOptionKey(option)
    let number = numbers.get(key)
    if (number === undefined) {
      numbers.set(key, (number = options.length))
      options.push(option)
    }
    return number
  }
}

interface SpanRow {
  readonly table: number
  readonly line: number
  readonly kind: (typeof spanKinds)[number]
  readonly series: number
  readonly start: number
  readonly figures: Float64Array
}

/** Writes the snapshots of a date and notes its bar. False if it has options, but no price of the underlying. */
async function importDate(
  date: IsoDate,
  spans: Spans,
  zips: readonly NumberedFile[],
  bars: BarRows,
  { archive }: LeanSpanOptions,
  writer: ImportWriter
): Promise<boolean> {
  const { symbol, options } = spans
  const rows = rowsOf(spans.rows.rowsOf(spans.groups.get(epochDay(date))!))
  const hours = session(date)
  const pathOf = ({ table }: SpanRow) => zips.find((zip) => zip.table === table)!.path
  if (hours === undefined) {
    writer.reject(pathOf(rows[0]), undefined, `there was no session on ${date}`)
    return true
  }
  const ofOptions = rows.filter(({ series }) => series >= 0)
  const listed = [...new Set(ofOptions.map(({ series }) => series))].map((series) => options[series])
  const live = listed.filter(({ expiration }) => expiration >= date)
  writer.leaveOut(listed.length - live.length)
  const day = emptyDay(symbol, hours, live, spans.hasTrades)
  const hasHours = fill(day, rows, options)
  const ofDay = rows.find(({ series, kind, start }) => series < 0 && kind === 'trade' && start === 0)
  const bar = ofDay === undefined ? sessionBar(day) : { date, ...barOf(ofDay.figures) }
  const first = ofDay ?? rows.find(({ series, kind }) => series < 0 && kind === 'trade')
  if (bar !== undefined && first !== undefined) bars.add(symbol, bar, first.table, first.line)
  if (day.blank.size === 0) return true
  const minutes = day.span.close - day.span.open
  if (day.shareTrades.size === 0 && day.shareQuotes.size === 0) {
    const [known] = (await archive.bars?.(symbol, hours.close, 1)) ?? []
    if (known?.date !== date) return false
    const at = logEntry(day.shareTrades, minutes, 0)
    day.shareTrades.figures[at + tradeFigures.close] = known.close
  }
  const missing = missingFrom(ofOptions)
  const isEnd = (minute: number) => minute === minutes || (hasHours && (day.span.open + minute) % MINUTES_OF_HOUR === 0)
  let written = 0
  for (const chain of chainsOf(day, isEnd)) {
    await writer.snapshot({ chain, fidelity: 'imported', missing })
    written++
  }
  return written > 0
}

function rowsOf(packed: Float64Array): readonly SpanRow[] {
  const rows: SpanRow[] = []
  for (let at = 0; at < packed.length; at += WIDTH) {
    const [table, line, kind, series, start] = packed.subarray(at, at + 5)
    rows.push({ table, line, kind: spanKinds[kind], series, start, figures: packed.subarray(at + 5, at + WIDTH) })
  }
  return rows
}

/**
 * Logs the rows of a date at the minute at which each was known. Rows of the whole day count at the close, unless the
 * date has hours of the same kind. Returns whether there are hours of options.
 */
function fill(day: LeanDay, rows: readonly SpanRow[], options: readonly LeanOption[]): boolean {
  const { open, close } = day.span
  const slots = slotsOf(day)
  const kindOf = ({ kind, series }: SpanRow) => `${kind} ${series < 0}`
  const withHours = new Set(rows.filter(({ start }) => start > 0).map(kindOf))
  let hasHours = false
  for (const row of rows) {
    const { kind, series, start, figures } = row
    const slot = series < 0 ? 0 : slots.get(leanOptionKey(options[series]))
    if (slot === undefined || start >= close || (start === 0 && withHours.has(kindOf(row)))) continue
    const end = start === 0 ? close : Math.min(close, start + MINUTES_OF_HOUR)
    const minute = Math.max(0, end - open)
    if (kind === 'openinterest') {
      if (series >= 0 && start <= open) day.blank.openInterest[slot] = figures[0]
      continue
    }
    hasHours ||= series >= 0 && start > 0
    const log =
      kind === 'quote' ? (series < 0 ? day.shareQuotes : day.quotes) : series < 0 ? day.shareTrades : day.trades
    const width = kind === 'quote' ? quoteFigures.width : tradeFigures.width
    log.figures.set(figures.subarray(0, width), logEntry(log, minute, slot))
  }
  return hasHours
}

function barOf(figures: Float64Array) {
  const figure = (name: Exclude<keyof typeof tradeFigures, 'width'>) => figures[tradeFigures[name]]
  return {
    open: figure('open'),
    high: figure('high'),
    low: figure('low'),
    close: figure('close'),
    volume: figure('volume')
  }
}

function missingFrom(rows: readonly SpanRow[]): readonly Absence[] {
  const kinds = new Set(rows.map(({ kind }) => kind))
  const missing: Absence[] = ['trade_tape', 'macro_intraday']
  if (!kinds.has('quote')) missing.push('quote_sizes')
  if (!kinds.has('trade')) missing.push('option_volume')
  if (!kinds.has('openinterest')) missing.push('open_interest')
  return missing
}
