import type { ChainSnapshot } from '../../src/archive/history-store.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import { MAX_BARS } from '../../src/market/bar.ts'
import { nextTradingDay, previousTradingDay, session } from '../../src/market/calendar.ts'
import { buildChain, type Chain } from '../../src/market/chain.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import type { FigureRow } from '../../src/market/figure-row.ts'
import { macroSeries } from '../../src/market/macro-series.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { parseMoment } from '../../src/replay/replay-moment.ts'
import type { ArchiveRows } from './archive-rows.ts'

/** Two shares and a sector fund with short chains; an index that quotes the volatility of the market. */
export const listed = ['KO', 'T', 'XLE', 'VIX'] as unknown as readonly Ticker[]
/** Indexes of which only the level is kept, so that the archive stays small. */
const levels = ['SPX', 'VIX9D', 'VIX3M', 'VVIX', 'SKEW'] as unknown as readonly Ticker[]

/** Daily series of the wider market, whose values are published later than their day. */
const series = Object.values(macroSeries).map(({ symbol }) => symbol)

const { signal } = new AbortController()
const synthetic = createSynthetic({ seed: 7 })

/** The hours around which the days are recorded, each minute of them. */
const hours = ['09:30', '09:31', '09:32', '11:59', '12:00', '12:01', '12:59', '13:00', '15:58', '15:59']

/** The moments that every replayed route is asked about, on any day. */
export const askedHours = ['T09:31:00', 'T12:00:00', 'T15:59:30', 'T16:00:00', ''] as const

/**
 * Rows that a recorder would have archived of the synthetic market on a day: a snapshot each minute around the listed
 * moments, between two minutes before the close, and at the close; the close of the day before; a snapshot of the day
 * after; daily bars up to that day.
 */
export function recordedDay(date: string): Promise<ArchiveRows> {
  const found = days.get(date) ?? makeDay(date)
  days.set(date, found)
  return found
}

/** Days that were made before: their rows never change, so files of one process share them. */
const days = new Map<string, Promise<ArchiveRows>>()

async function makeDay(date: string): Promise<ArchiveRows> {
  const day = date as IsoDate
  const { close } = session(day)!
  const [before, after] = [previousTradingDay(day), nextTradingDay(day)]
  const during = hours.map((hour) => parseMoment(`${date}T${hour}:00`)!).filter((at) => at < close)
  const moments = [session(before)!.close, ...during, close - 31_000, close - 29_000, close]
  moments.push(parseMoment(`${after}T09:31:00`)!)
  const snapshots: ChainSnapshot[] = []
  for (const at of moments.sort((a, b) => a - b)) {
    for (const symbol of listed) snapshots.push(snapshotOf((await synthetic.chain(symbol, at, signal))!))
    for (const symbol of levels) snapshots.push(snapshotOf(await levelOf(symbol, at)))
  }
  const bars = (
    await Promise.all([...listed, ...levels, ...series].map((symbol) => barsOf(symbol, session(after)!.close)))
  ).flat()
  const records = bars
    .filter(({ symbol }) => listed.includes(symbol))
    .map(({ symbol, bar }) => ({ symbol, record: madeUpRecord(bar.date, bar.close) }))
  return { snapshots, bars, records, figures: snapshots.map(movingFigures) }
}

/** Figures that move from one moment to the next: what they mean is not looked at here. */
export function movingFigures({ chain: { symbol, asOf, spot } }: ChainSnapshot): FigureRow {
  const swing = asOf % 997
  return { symbol, asOf, figures: { underlying_price: spot, net_gex: 1e5 * (swing - 500), put_wall: 5 * swing } }
}

export const snapshotOf = (chain: Chain): ChainSnapshot => ({ chain, fidelity: 'recorded', missing: [] })

/** A chain without options, as recorded for an index that has only a level. */
export async function levelOf(symbol: Ticker, at: Instant): Promise<Chain> {
  const { asOf, delay, spot, quote } = (await synthetic.chain(symbol, at, signal))!
  return buildChain({ symbol, asOf, delay, spot, quote }, [])
}

async function barsOf(symbol: Ticker, until: Instant) {
  const bars = await synthetic.dailyBars(symbol, until, signal, MAX_BARS)
  return bars.map((bar) => ({ symbol, bar, fidelity: 'recorded' as const }))
}

/** A record of figures that move from day to day: what they mean is not looked at here. */
function madeUpRecord(date: IsoDate, close: number): DailyRecord {
  const swing = (close * 7919) % 1
  return {
    date,
    close,
    atmIv: 18 + 4 * swing,
    atmIv30: 18 + 3 * swing,
    rv5: 15 + 5 * swing,
    rv10: 15 + 4 * swing,
    rv20: 15 + 3 * swing,
    rv30: 15 + 2 * swing,
    straddle: close * (0.02 + 0.01 * swing),
    netGex: 1e6 * (swing - 0.3),
    netDex: 1e7 * swing,
    netVex: 1e5 * swing,
    netChex: 1e4 * swing,
    gammaFlip: close * (0.97 + 0.05 * swing),
    callWall: Math.ceil(close * 1.05),
    putWall: Math.floor(close * 0.95)
  }
}
