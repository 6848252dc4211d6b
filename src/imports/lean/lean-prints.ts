import { CALL } from '../../market/chain.ts'
import { formatOcc } from '../../market/occ.ts'
import type { FoundFile } from '../import-files.ts'
import { type ImportWriter, reasonOf } from '../import-writer.ts'
import type { OpenSessions } from '../prints/import-prints.ts'
import { onClock } from '../tables/table-times.ts'
import { type QuoteBar, quoteBarsIn, type Reject, tradeBarsIn } from './lean-bars.ts'
import { type LeanName, type LeanOption, priceUnitsPerDollar } from './lean-names.ts'
import { bytesOfDay, type DayOfFiles, daysIn, type LeanZip, openLeanZip } from './lean-zips.ts'

interface Entry {
  readonly zip: LeanZip
  readonly entry: LeanZip['zip']['entries'][number]
  readonly name: LeanName
}

/** Number of zip entries read between two progress reports. */
const FILES_AT_ONCE = 50

/**
 * Imports the trades of minute data. Each trade bar becomes one print at the start of its minute, with the bar's last
 * price and its volume. The print gets the quote of the newest quote bar that had ended by then, and the midpoint of
 * the stock's newest quote bar as its spot. Prints of a minute are sorted by expiration, strike and right.
 */
export async function importLeanPrints(
  files: readonly FoundFile[],
  sessions: OpenSessions,
  writer: ImportWriter,
  progress: (what: string, read: number) => Promise<void>
): Promise<void> {
  let done = 0
  for (const day of await daysIn(files, writer)) {
    const what = `${day.symbol} ${day.date}`
    await readDay(day, sessions, writer, (share) => progress(what, done + share * bytesOfDay(day)))
    if (writer.signal.aborted) return
    await sessions.close()
    done += bytesOfDay(day)
  }
}

async function readDay(
  { symbol, date, files }: DayOfFiles,
  sessions: OpenSessions,
  writer: ImportWriter,
  progress: (share: number) => Promise<void>
): Promise<void> {
  const entries: Entry[] = []
  const seen = new Set<string>()
  for (const { path } of files) {
    const zip = await openLeanZip(path, { symbol, date }, seen, writer)
    for (const [entry, name] of zip?.names ?? []) entries.push({ zip: zip!, entry, name })
  }
  const quotes = new Map(entries.filter(({ name }) => name.kind === 'quote').map((each) => [seriesOf(each.name), each]))
  const quotesOf = async (series: string) => {
    const found = quotes.get(series)
    const read = found && (await bytesOf(found, writer))
    return read === undefined ? [] : quoteBarsIn(read.bytes, read.perDollar, read.reject)
  }
  const shares = await quotesOf(SHARES)
  const trades = entries.filter(({ name }) => name.kind === 'trade').sort((a, b) => inOrder(a.name, b.name))
  for (const [k, trade] of trades.entries()) {
    if (k % FILES_AT_ONCE === 0) await progress(k / trades.length)
    if (writer.signal.aborted) return
    const { option } = trade.name
    const read = await bytesOf(trade, writer)
    if (read === undefined) continue
    const series = seriesOf(trade.name)
    const own = series === SHARES ? shares : await quotesOf(series)
    const contract = option && formatOcc({ ...option, right: option.right === CALL ? 'call' : 'put' })
    for (const { time, close, volume, line } of tradeBarsIn(read.bytes, read.perDollar, read.reject)) {
      const quote = endedBy(own, time)
      const spot = endedBy(shares, time)
      const row = {
        symbol,
        contract,
        time: onClock(date, time),
        price: close,
        size: volume,
        exchange: 0,
        sequence: undefined,
        flags: 0,
        quote: quote && { bid: quote.bid, ask: quote.ask, time: onClock(date, quote.end) },
        spot: spot !== undefined && spot.bid > 0 && spot.ask >= spot.bid ? (spot.bid + spot.ask) / 2 : undefined,
        isCancel: false
      }
      const waiting = sessions.add(row, { file: read.file, line })
      if (waiting !== undefined) await waiting
    }
  }
}

/** Map key of the underlying stock, in the maps of its contracts. */
const SHARES = ''

function seriesOf({ option }: LeanName): string {
  return option === undefined ? SHARES : formatName(option)
}

const formatName = ({ root, expiration, strike, right }: LeanOption) => `${root} ${expiration} ${strike} ${right}`

function inOrder({ option: one }: LeanName, { option: other }: LeanName): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined)
  if (one.expiration !== other.expiration) return one.expiration < other.expiration ? -1 : 1
  return one.strike - other.strike || one.right - other.right
}

interface ReadFile {
  readonly bytes: Buffer
  readonly file: string
  readonly perDollar: number
  readonly reject: Reject
}

async function bytesOf({ zip, entry, name }: Entry, writer: ImportWriter): Promise<ReadFile | undefined> {
  const file = `${zip.path}/${entry.fileName}`
  try {
    const bytes = await zip.zip.read(entry)
    const perDollar = priceUnitsPerDollar(name.symbol, zip.path)
    return { bytes, file, perDollar, reject: (line, reason) => writer.reject(file, line, reason) }
  } catch (error) {
    writer.reject(file, undefined, reasonOf(error))
    return undefined
  }
}

function endedBy(bars: readonly QuoteBar[], time: number): QuoteBar | undefined {
  let [from, to] = [0, bars.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (bars[middle].end <= time) from = middle + 1
    else to = middle
  }
  return bars[from - 1]
}
