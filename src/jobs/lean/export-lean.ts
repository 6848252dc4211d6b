import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatLeanName, type LeanKind, priceUnitsPerDollar } from '../../imports/lean/lean-names.ts'
import type { MinuteLog } from '../../imports/lean/minute-log.ts'
import type { DailyBar } from '../../market/bar.ts'
import { session, tradingDays } from '../../market/calendar.ts'
import type { Chain } from '../../market/chain.ts'
import { easternMinutes } from '../../market/eastern.ts'
import { securityKind } from '../../market/security.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { dailyLine, type LineWriter, lineWriter } from './lean-lines.ts'
import { byContract, type RecordedDay, recordedDay } from './recorded-day.ts'
import { zipWriter } from './zip-writer.ts'

export interface LeanExport {
  readonly symbol: Ticker
  readonly from: IsoDate
  readonly to: IsoDate
}

export interface LeanSource {
  /** Moments of snapshots in [from, to), ascending. */
  readonly moments: (from: Instant, to: Instant) => Promise<readonly Instant[]>
  readonly chainAt: (moment: Instant) => Promise<Chain | undefined>
  /** Daily bars of the sessions, ascending. */
  readonly bars: () => Promise<readonly DailyBar[]>
  /** Called when a session has been written. */
  readonly onDay: () => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Writes recorded snapshots below a folder in the layout of LEAN: minute quotes, trades and open interest of options,
 * minute quotes and prices of the underlying, and its daily bars. Of each minute the last snapshot counts. One day is in
 * memory at a time. Returns how many sessions had snapshots.
 */
export async function exportLean(asked: LeanExport, folder: string, source: LeanSource): Promise<number> {
  const { symbol, from, to } = asked
  let written = 0
  for (const date of tradingDays(from, to)) {
    if (source.signal.aborted) return written
    const day = await readDay(date, source)
    if (day === undefined) continue
    await writeDay(day, symbol, date, folder)
    written++
    await source.onDay()
  }
  const bars = (await source.bars()).filter(({ date }) => date >= from && date <= to)
  if (bars.length > 0) {
    const ticker = symbol.toLowerCase()
    const path = join(folder, shareFolder(symbol), 'daily', `${ticker}.zip`)
    const text = bars.map((bar) => dailyLine(bar, priceUnitsPerDollar(symbol, ''))).join('')
    await writeZip(path, [text], () => [`${ticker}.csv`, text])
  }
  return written
}

async function readDay(date: IsoDate, { moments, chainAt, signal }: LeanSource): Promise<RecordedDay | undefined> {
  const { open, close } = session(date)!
  const minuteOf = (at: Instant) => Math.ceil((at - open) / MILLISECONDS_PER_MINUTE)
  const held = (await moments(open, close + MILLISECONDS_PER_MINUTE)).filter((at) => at <= close)
  const last = held.filter((at, i) => i === held.length - 1 || minuteOf(held[i + 1]) !== minuteOf(at))
  const day = recordedDay()
  for (const at of last) {
    if (signal.aborted) return undefined
    const chain = await chainAt(at)
    if (chain !== undefined) day.take(chain, minuteOf(at))
  }
  return last.length === 0 ? undefined : day
}

async function writeDay(day: RecordedDay, symbol: Ticker, date: IsoDate, folder: string): Promise<void> {
  const lines = lineWriter(easternMinutes(session(date)!.open), priceUnitsPerDollar(symbol, ''))
  await writeShares(day, lines, { symbol, date }, folder)
  const entriesOf = (log: MinuteLog, line: LineWriter['quote']) => {
    const { order, first } = byContract(log, day.options.length)
    const of = (number: number) => order.subarray(first[number], first[number + 1])
    return {
      has: (number: number) => of(number).length > 0,
      text: (number: number) => Array.from(of(number), (entry) => line(log, entry)).join('')
    }
  }
  const kinds: Readonly<Record<LeanKind, ContractFiles>> = {
    quote: entriesOf(day.quotes, lines.quote),
    trade: entriesOf(day.trades, lines.trade),
    openinterest: {
      has: (number) => day.openInterest[number] >= 0,
      text: (number) => lines.openInterest(day.openInterest[number])
    }
  }
  for (const root of new Set(day.options.map((option) => option.root))) {
    const numbers = day.options.flatMap((option, number) => (option.root === root ? [number] : []))
    for (const [kind, { has, text }] of Object.entries(kinds) as [LeanKind, ContractFiles][]) {
      const known = numbers.filter(has)
      // A session without a trade has one empty file: without the zip, nobody would know its volumes.
      const held = known.length === 0 && kind === 'trade' && day.hasVolume ? numbers.slice(0, 1) : known
      const zip = `${compactDay(date)}_${kind}_${optionStyle(symbol)}.zip`
      await writeZip(join(folder, optionFolder(symbol), 'minute', root.toLowerCase(), zip), held, (number) => [
        formatLeanName({ date, kind, symbol, option: day.options[number] }, root),
        text(number)
      ])
    }
  }
}

interface ContractFiles {
  readonly has: (number: number) => boolean
  readonly text: (number: number) => string
}

async function writeShares(
  { shareQuotes, shareTrades }: RecordedDay,
  lines: LineWriter,
  { symbol, date }: { readonly symbol: Ticker; readonly date: IsoDate },
  folder: string
): Promise<void> {
  const logs = { quote: shareQuotes, trade: shareTrades } as const
  for (const [kind, log] of Object.entries(logs) as ['quote' | 'trade', MinuteLog][]) {
    const path = join(folder, shareFolder(symbol), 'minute', symbol.toLowerCase(), `${compactDay(date)}_${kind}.zip`)
    const text = Array.from({ length: log.size }, (_, entry) => lines[kind](log, entry)).join('')
    const name = formatLeanName({ date, kind, symbol, option: undefined }, symbol)
    await writeZip(path, text === '' ? [] : [text], () => [name, text])
  }
}

const compactDay = (date: IsoDate) => date.replaceAll('-', '')
const isIndex = (symbol: Ticker) => securityKind(symbol) === 'index'
const shareFolder = (symbol: Ticker) => join(isIndex(symbol) ? 'index' : 'equity', 'usa')
const optionFolder = (symbol: Ticker) => join(isIndex(symbol) ? 'indexoption' : 'option', 'usa')
const optionStyle = (symbol: Ticker) => (isIndex(symbol) ? 'european' : 'american')

/** Writes a zip with a file for each item; none if there are no items. */
async function writeZip<Item>(
  path: string,
  items: readonly Item[],
  fileOf: (item: Item) => readonly [name: string, text: string]
): Promise<void> {
  if (items.length === 0) return
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const zip = await zipWriter(path)
  for (const item of items) await zip.add(...fileOf(item))
  await zip.finish()
}
