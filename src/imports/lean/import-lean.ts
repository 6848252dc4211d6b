import { basename } from 'node:path'
import type { Absence } from '../../archive/history-store.ts'
import { session } from '../../market/calendar.ts'
import { type FoundFile, filesAt } from '../import-files.ts'
import { type ImportWriter, reasonOf } from '../import-writer.ts'
import { logQuotes, logTrades, openInterestIn } from './lean-bars.ts'
import { chainsOf, emptyDay, type LeanDay, sessionBar, slotsOf } from './lean-day.ts'
import {
  type LeanKind,
  type LeanName,
  type LeanOption,
  leanOptionKey,
  leanSpanZip,
  leanZip,
  priceUnitsPerDollar
} from './lean-names.ts'
import { importLeanSpans, type LeanSpanOptions } from './lean-spans.ts'
import { bytesOfDay, type DayOfFiles, daysIn, type LeanZip, openLeanZip } from './lean-zips.ts'

/** Number of zip entries read between two progress reports. Rejections wait in memory until the next report. */
const FILES_AT_ONCE = 50

/**
 * Imports data in LEAN's format: quotes, trades and open interest of options, quotes and trades of stocks. Hours and
 * days are read by `importLeanSpans`. Of minutes, every
 * minute of a session becomes a snapshot that was known at the end of that minute. The stock's trades become the daily
 * bar. Only one day of one underlying is in memory.
 */
export async function importLean(
  paths: readonly string[],
  writer: ImportWriter,
  options: LeanSpanOptions = { archive: {} }
): Promise<void> {
  const files = await filesAt(paths, new RegExp(`${leanZip.source}|${leanSpanZip.source}`, 'i'))
  const isOfSpans = ({ path }: FoundFile) => !leanZip.test(basename(path)) && leanSpanZip.test(basename(path))
  const spans = files.filter(isOfSpans)
  const days = await daysIn(
    files.filter((file) => !isOfSpans(file)),
    writer
  )
  const bytesOfSpans = bytesOf(spans)
  const total = days.reduce((sum, day) => sum + bytesOfDay(day), bytesOfSpans)
  let done = 0
  for (const day of days) {
    if (writer.signal.aborted) return
    await importDay(day, writer, (share) =>
      writer.progress(`${day.symbol} ${day.date}`, done + share * bytesOfDay(day), total)
    )
    done += bytesOfDay(day)
  }
  if (spans.length === 0) return
  await importLeanSpans(spans, options, writer, (what, share) =>
    writer.progress(what, done + share * bytesOfSpans, total)
  )
}

const bytesOf = (files: readonly FoundFile[]) => files.reduce((sum, { size }) => sum + size, 0)

async function importDay(
  { symbol, date, files }: DayOfFiles,
  writer: ImportWriter,
  progress: (share: number) => Promise<void>
): Promise<void> {
  const hours = session(date)
  if (hours === undefined) return writer.reject(files[0].path, undefined, `there was no session on ${date}`)
  const zips: LeanZip[] = []
  const seen = new Set<string>()
  for (const { path } of files) {
    const opened = await openLeanZip(path, { symbol, date }, seen, writer)
    if (opened !== undefined) zips.push(opened)
  }
  const kinds = new Set(zips.flatMap(({ names }) => [...names.values()].filter(({ option }) => option).map(kindOf)))
  const series = new Map<string, LeanOption>()
  for (const { names } of zips) {
    for (const { option } of names.values()) if (option !== undefined) series.set(leanOptionKey(option), option)
  }
  const listed = [...series.values()].filter(({ root, expiration }) => !/\d$/.test(root) && expiration >= date)
  writer.leaveOut(series.size - listed.length)
  const day = emptyDay(symbol, hours, listed, kinds.has('trade'))
  const slots = slotsOf(day)
  for (const [i, opened] of zips.entries()) {
    await readZip(opened, day, slots, writer, (share) => progress((0.5 * (i + share)) / zips.length))
    if (writer.signal.aborted) return
  }
  await handOver(day, missingFrom(kinds), files[0].path, writer, progress)
}

function kindOf({ kind }: LeanName): LeanKind {
  return kind
}

function missingFrom(kinds: ReadonlySet<LeanKind>): readonly Absence[] {
  const missing: Absence[] = ['trade_tape', 'macro_intraday']
  if (!kinds.has('quote')) missing.push('quote_sizes')
  if (!kinds.has('trade')) missing.push('option_volume')
  if (!kinds.has('openinterest')) missing.push('open_interest')
  return missing
}

async function readZip(
  { path, zip, names }: LeanZip,
  day: LeanDay,
  slots: ReadonlyMap<string, number>,
  writer: ImportWriter,
  progress: (share: number) => Promise<void>
): Promise<void> {
  const bars = { span: day.span, perDollar: priceUnitsPerDollar(day.blank.symbol, path) }
  for (const [k, entry] of zip.entries.entries()) {
    if (k % FILES_AT_ONCE === 0) await progress(k / zip.entries.length)
    if (writer.signal.aborted) return
    const name = names.get(entry)
    const slot = name?.option === undefined ? 0 : slots.get(leanOptionKey(name.option))
    if (name === undefined || slot === undefined) continue
    const file = `${path}/${entry.fileName}`
    let bytes: Buffer
    try {
      bytes = await zip.read(entry)
    } catch (error) {
      writer.reject(file, undefined, reasonOf(error))
      continue
    }
    const reject = (line: number, reason: string) => writer.reject(file, line, reason)
    const { kind, option } = name
    if (kind === 'quote') logQuotes(bytes, slot, bars, option ? day.quotes : day.shareQuotes, reject)
    else if (kind === 'trade') logTrades(bytes, slot, bars, option ? day.trades : day.shareTrades, reject)
    else day.blank.openInterest[slot] = openInterestIn(bytes, day.span, reject) ?? day.blank.openInterest[slot]
  }
}

async function handOver(
  day: LeanDay,
  missing: readonly Absence[],
  file: string,
  writer: ImportWriter,
  progress: (share: number) => Promise<void>
): Promise<void> {
  const bar = sessionBar(day)
  if (bar !== undefined) await writer.bars(day.blank.symbol, [bar], 'imported')
  if (day.blank.size === 0) return
  const minutes = day.span.close - day.span.open
  let snapshots = 0
  for (const chain of chainsOf(day)) {
    if (writer.signal.aborted) return
    await writer.snapshot({ chain, fidelity: 'imported', missing })
    snapshots++
    if (snapshots % 30 === 0) await progress(0.5 + (0.5 * snapshots) / minutes)
  }
  await progress(1)
  if (snapshots < minutes) {
    const reason = `${minutes - snapshots} of ${minutes} minutes lie before the first price of the underlying`
    writer.reject(file, undefined, `${reason}: they have no snapshot`)
  }
}
