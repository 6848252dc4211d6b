import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { test } from 'vitest'
import { Judge } from '../../src/flow/sides/judge.ts'
import { MAX_QUOTE_AGE } from '../../src/flow/sides/side.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import { instantOfEastern } from '../../src/market/eastern.ts'
import {
  CANCEL,
  emptyPrints,
  INTERMARKET_SWEEP,
  LATE,
  MULTI_LEG,
  NO_PRICE,
  type Prints
} from '../../src/market/print.ts'
import { type ListedSeries, type Series, SeriesList } from '../../src/market/series.ts'
import { type IsoDate, isoDate } from '../../src/market/units.ts'
import { filesInZip } from '../support/lean-files.ts'

const data = join(resolve(import.meta.dirname, '../..'), '../shared/data')

/** One result of the reference. */
export interface Result {
  readonly id: string
  readonly expected: unknown
}

/** A recorded session: its prints in tape order, with their sides; cancels are rows too. */
export interface RecordedTape {
  readonly name: 'vix' | 'goog'
  readonly session: IsoDate
  readonly series: Series
  readonly prints: Prints
  /** Official open interest by instrument, and the total of series that did not trade. */
  readonly official: Float64Array
  readonly officialElsewhere: number
}

/** A test on recorded prints and what other code made of them; skipped, with the reason in its name, where they are not at hand. */
export function testRecorded(
  name: string,
  body: (tapes: readonly RecordedTape[], results: ReadonlyMap<string, unknown>) => void
): void {
  const missing = ['reference/flow.json', 'trades', 'minute'].find((file) => !existsSync(join(data, file)))
  if (missing !== undefined) test.skip(`${name} (skipped: ../shared/data/${missing} is not here)`, () => {})
  else test(name, () => body(tapes(), results()))
}

let read: readonly RecordedTape[] | undefined
const tapes = () => (read ??= [vix(), goog()])

function results(): ReadonlyMap<string, unknown> {
  const { results } = JSON.parse(readFileSync(join(data, 'reference/flow.json'), 'utf8')) as { results: Result[] }
  return new Map(results.map(({ id, expected }) => [id, expected]))
}

interface Row {
  readonly series: ListedSeries
  /** Milliseconds. */
  readonly time: number
  readonly sequence: number
  readonly price: number
  readonly size: number
  readonly bid: number
  readonly ask: number
  readonly spot: number
  readonly flags: number
  readonly exchange: number
}

/** Options on VIX of 2016-06-01. */
function vix(): RecordedTape {
  const session = '2016-06-01' as IsoDate
  const conditions: Readonly<Record<string, number>> = { 95: INTERMARKET_SWEEP, 106: MULTI_LEG, 2: LATE }
  const lines = gunzipSync(readFileSync(join(data, 'trades/vix-options-2016-06-01.csv.gz')))
    .toString()
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
  const rowOf = (cells: readonly string[]): Row => ({
    series: {
      root: cells[3],
      date: cells[4] as IsoDate,
      settlement: 'am',
      strike: Number(cells[5]),
      right: cells[6] === 'C' ? CALL : PUT,
      adjusted: false
    },
    time: timeOf(session, cells[1].slice(11)),
    sequence: Number(cells[2]),
    price: units(cells[9]),
    size: Number(cells[8]),
    bid: units(cells[12]),
    ask: units(cells[13]),
    spot: (units(cells[14]) + units(cells[15])) / 2,
    flags: conditions[cells[10]] ?? 0,
    exchange: Number(cells[7])
  })
  const rows = lines.filter((cells) => cells[11] !== '2').map(rowOf)
  const cancelled = rowOf(lines.find((cells) => cells[11] === '1')!)
  const at = timeOf(session, lines.find((cells) => cells[11] === '2')![1].slice(11))
  return { name: 'vix', session, ...tapeOf(rows, { of: cancelled, at }), officialElsewhere: 0 }
}

/** Options on GOOG of 2015-12-24: each bar of trades a print. */
function goog(): RecordedTape {
  const session = '2015-12-24' as IsoDate
  const midnight = instantOfEastern(session, 0)
  const [trades, quotes, interest] = ['trade', 'quote', 'openinterest'].map((kind) =>
    filesInZip(join(data, `minute/option/20151224_${kind}_american.zip`))
  )
  const [equity] = filesInZip(join(data, 'minute/equity/20151224_quote.zip')).values()
  const rows: Row[] = []
  let sequence = 0
  const files = [...trades].map(([file, bars]) => ({ file, bars, series: seriesOf(file) }))
  for (const { file, bars, series } of files.sort((a, b) => bySeries(a.series, b.series))) {
    const quotesOfSeries = quotes.get(file.replace('trade', 'quote')) ?? []
    for (const [start, , , , close, size] of bars) {
      const quote = quoteAt(quotesOfSeries, Number(start))
      const usable = quote !== undefined && quote.age <= MAX_QUOTE_AGE.option
      const spot = quoteAt(equity, Number(start))
      rows.push({
        series,
        time: midnight + Number(start),
        sequence: sequence++,
        price: Number(close),
        size: Number(size),
        bid: usable ? quote.bid : NO_PRICE,
        ask: usable ? quote.ask : NO_PRICE,
        spot: spot === undefined ? 0 : (spot.bid + spot.ask) / 2,
        flags: 0,
        exchange: 0
      })
    }
  }
  const made = tapeOf(rows)
  const total = [...interest.values()].reduce((sum, [line]) => sum + Number(line[1]), 0)
  const official = Float64Array.from(made.series.strike, (_, k) => {
    const { date } = made.series.expirations[made.series.expiration[k]]
    const right = made.series.right[k] === CALL ? 'call' : 'put'
    const strike = Math.round(made.series.strike[k] * 1e4)
    const name = `20151224_goog_minute_openinterest_american_${right}_${strike}_${date.replaceAll('-', '')}.csv`
    return Number(interest.get(name)?.[0][1] ?? 0)
  })
  return { name: 'goog', session, ...made, official, officialElsewhere: total - official.reduce((a, b) => a + b, 0) }
}

/** Order of the prints within one bar: by expiration, strike and right. */
const bySeries = (a: ListedSeries, b: ListedSeries) =>
  a.date.localeCompare(b.date) || a.strike - b.strike || a.right - b.right

/** The newest quote bar that ended at or before a time of the day, and how long before. */
function quoteAt(bars: readonly (readonly string[])[], time: number) {
  const bar = bars.findLast(([start]) => Number(start) + 60_000 <= time)
  return bar && { bid: Number(bar[4]), ask: Number(bar[9]), age: time - Number(bar[0]) - 60_000 }
}

function seriesOf(file: string): ListedSeries {
  const [, , , , , right, strike, date] = file.replace('.csv', '').split('_')
  const day = isoDate(Number(date.slice(0, 4)), Number(date.slice(4, 6)), Number(date.slice(6)))!
  const side = right === 'call' ? CALL : PUT
  return { root: 'GOOG', date: day, settlement: 'pm', strike: Number(strike) / 1e4, right: side, adjusted: false }
}

/** Rows by time and sequence, judged, and one of them taken back at its time. */
function tapeOf(rows: readonly Row[], cancel?: { readonly of: Row; readonly at: number }) {
  const tape = rows.map((row) => ({ row, known: row.time, flags: row.flags }))
  if (cancel !== undefined) {
    const row = rows.find(({ sequence }) => sequence === cancel.of.sequence)!
    tape.push({ row, known: cancel.at, flags: row.flags | CANCEL })
  }
  tape.sort((a, b) => a.known - b.known || a.row.sequence - b.row.sequence)
  const list = new SeriesList()
  const prints = emptyPrints(tape.length)
  const judge = new Judge('option')
  const judgedOf = new Map<Row, number>()
  tape.forEach(({ row, known, flags }, at) => {
    prints.known[at] = 1000 * known
    prints.ts[at] = 1000 * row.time
    prints.sequence[at] = row.sequence
    prints.instrument[at] = list.numberOf(row.series)
    prints.price[at] = row.price
    prints.size[at] = row.size
    prints.bid[at] = row.bid
    prints.ask[at] = row.ask
    prints.spot[at] = row.spot === 0 ? NO_PRICE : row.spot
    prints.flags[at] = flags
    prints.exchange[at] = row.exchange
    prints.judged[at] = judgedOf.get(row) ?? judge.judge(prints, at)
    judgedOf.set(row, prints.judged[at])
  })
  return { prints, series: list.columns, official: new Float64Array(list.length) }
}

const units = (price: string) => Math.round(Number(price) * 1e4)

/** The moment at which the clock of New York shows `HH:MM:SS.mmm`. */
export function timeOf(session: IsoDate, clock: string): number {
  const [hours, minutes, seconds] = clock.split(':').map(Number)
  return instantOfEastern(session, 60 * hours + minutes) + Math.round(1000 * seconds)
}
