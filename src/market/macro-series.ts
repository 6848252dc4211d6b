import type { DailyBar } from './bar.ts'
import { nextTradingDay, REGULAR_CLOSE, session } from './calendar.ts'
import { instantOfEastern } from './eastern.ts'
import { memoizeBy } from './memoize.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from './units.ts'

/** A daily series of the wider market that is not a security: rates, spreads, measures of mood. */
export interface MacroSeries {
  /** The publisher's name for the series, as used in files and tables. */
  readonly id: string
  /**
   * Symbol of the series in bars and the archive. The caret distinguishes it from a share of the same name, such as
   * MOVE. No request can name it, since tickers in requests have no caret.
   */
  readonly symbol: Ticker
  /**
   * When the value of a day is published. `after the close` is a quarter of an hour after the close of that day; `the
   * next evening` is 18:00 New York of the next trading day, also used if the publisher states no hour.
   */
  readonly published: 'after the close' | 'the next evening'
  /** Whether a value is possible; any other value was misread. */
  readonly isPossible: (value: number) => boolean
}

const percent = (value: number) => Math.abs(value) <= 100
const points = (value: number) => value > 0
const score = (value: number) => value >= 0 && value <= 100

const afterwards = (id: string, isPossible: MacroSeries['isPossible'], symbol = `^${id}`): MacroSeries => ({
  id,
  symbol: symbol as Ticker, // the symbols are our own constants, which need no parser
  published: 'the next evening',
  isPossible
})

/**
 * All series by content. Percent: the 10-year Treasury yield, the effective federal funds rate and the option-adjusted
 * spread of US high-yield bonds, by their names at FRED. Index points: the ICE BofA MOVE index. Score from 0 to 100:
 * the fear and greed index.
 */
export const macroSeries = {
  tenYear: afterwards('DGS10', percent),
  fedFunds: afterwards('DFF', percent),
  highYieldSpread: afterwards('BAMLH0A0HYM2', percent, '^HYOAS'),
  fearAndGreed: afterwards('FEARGREED', score),
  move: { ...afterwards('MOVE', points), published: 'after the close' }
} as const satisfies Record<string, MacroSeries>

export type MacroSeriesName = keyof typeof macroSeries

/** A par yield of Treasury securities, percent, and its maturity in months. */
export interface ParYield {
  readonly months: number
  readonly series: MacroSeries
}

const parYield = (months: number, id: string): ParYield => ({ months, series: afterwards(id, percent) })

/**
 * The par yields behind a rate curve, ascending by maturity. Their names are the names at FRED, if they have one there.
 * They are published on the evening of their day, but count as known a day later, like the copies at FRED.
 */
export const parYields: readonly ParYield[] = [
  ...[1, 2, 3, 4, 6].map((months) => parYield(months, `DGS${months}MO`)),
  ...[1, 2, 3, 5, 7].map((years) => parYield(12 * years, `DGS${years}`)),
  { months: 120, series: macroSeries.tenYear },
  ...[20, 30].map((years) => parYield(12 * years, `DGS${years}`))
]

/** The secured overnight financing rate, percent, ACT/360. */
export const overnightRate: MacroSeries = afterwards('SOFR', percent)

/**
 * Stands for the par yields in a setting that otherwise names an index. The setting tells from what interest rates are
 * computed: from par yields or from the options on that index.
 */
export const PAR_YIELDS = '^PAR' as Ticker

const all: readonly MacroSeries[] = [
  ...Object.values(macroSeries),
  ...parYields.map(({ series }) => series),
  overnightRate
]
const bySymbol: ReadonlyMap<string, MacroSeries> = new Map(all.map((series) => [series.symbol, series]))
const byId: ReadonlyMap<string, MacroSeries> = new Map(all.map((series) => [series.id, series]))

const ofRates: ReadonlySet<string> = new Set(
  [overnightRate, ...parYields.map(({ series }) => series)].map(({ symbol }) => symbol)
)

/** Whether a rate curve uses the series of this symbol. */
export function isRateSeries(symbol: Ticker): boolean {
  return ofRates.has(symbol)
}

export function macroSeriesOf(symbol: Ticker): MacroSeries | undefined {
  return bySymbol.get(symbol)
}

/** The series with a publisher's name, in upper or lower case, with or without the caret that some vendors add. */
export function macroSeriesNamed(text: string): MacroSeries | undefined {
  const name = text.trim().toUpperCase()
  return byId.get(name.replace(/^\^/, '')) ?? bySymbol.get(name)
}

/** A value of a series as the daily bar of its date: a close, without a range and without volume. */
export function seriesBar(date: IsoDate, value: number): DailyBar {
  return { date, open: Number.NaN, high: Number.NaN, low: Number.NaN, close: value, volume: 0 }
}

const AFTER_CLOSE = 15 * MILLISECONDS_PER_MINUTE
const EVENING = 18 * 60 // minutes after midnight, New York

/**
 * Time at which the value of a date is published. Dates without a session have values too: the funds rate of a Sunday.
 */
export function publicationOf({ published }: MacroSeries, date: IsoDate): Instant {
  if (published === 'the next evening') return instantOfEastern(nextTradingDay(date), EVENING)
  return (session(date)?.close ?? instantOfEastern(date, REGULAR_CLOSE)) + AFTER_CLOSE
}

const firstOf = memoizeBy((bars: readonly DailyBar[], count: number): readonly DailyBar[] => bars.slice(0, count))

/**
 * The bars of a symbol that were published by a moment, ascending. For a security these are all its bars. Returns the
 * same array as long as it has the same bars.
 */
export function publishedBars(bars: readonly DailyBar[], symbol: Ticker, at: Instant): readonly DailyBar[] {
  const series = macroSeriesOf(symbol)
  if (series === undefined) return bars
  const count = bars.findLastIndex(({ date }) => publicationOf(series, date) <= at) + 1
  return count === bars.length ? bars : firstOf(bars, count)
}
