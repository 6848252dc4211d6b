import type { DailyBar } from '../../market/bar.ts'
import { daysBetween } from '../../market/calendar.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { median } from '../../math/statistics.ts'

/** A bar, and where its row stands. */
export interface BarRow extends DailyBar {
  /** Moment that the row states, NaN if it states a date alone. */
  readonly time: Instant
  readonly table: number
  readonly line: number
}

/** Bars that are set aside, or written in spite of a doubt, for one reason. */
export interface BarDoubt {
  readonly kind: string
  readonly text: string
  readonly bars: readonly BarRow[]
}

export interface JudgedBars {
  /** Bars that can be used, ascending by date. */
  readonly bars: readonly BarRow[]
  /** Rows that repeat another one. */
  readonly repeated: number
  readonly doubts: readonly BarDoubt[]
}

const figures = ['open', 'high', 'low', 'close', 'volume'] as const
/** A close may lie so far outside the range of its day, as a fraction: prices are rounded, and some are corrected. */
const OUTSIDE = 0.01

/**
 * Sorts the bars of a symbol by date. Rows of a date with the same figures count once. Dates that come with other figures,
 * bars of days after `today`, and bars whose prices do not fit together, are doubted.
 */
export function judgeDates(rows: readonly BarRow[], today: IsoDate): JudgedBars {
  const future = rows.filter(({ date }) => date > today)
  const past = future.length === 0 ? rows : rows.filter(({ date }) => date <= today)
  const sorted = past.toSorted((a, b) => compare(a.date, b.date) || a.table - b.table || a.line - b.line)
  const bars: BarRow[] = []
  const contradicted: BarRow[] = []
  const impossible: BarRow[] = []
  let repeated = 0
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1
    while (end < sorted.length && sorted[end].date === sorted[start].date) end++
    const ofDate = sorted.slice(start, end)
    if (ofDate.some((row) => isOther(row, ofDate[0]))) {
      for (const row of ofDate) contradicted.push(row)
    } else {
      repeated += ofDate.length - 1
      if (isPossible(ofDate[0])) bars.push(ofDate[0])
      else impossible.push(ofDate[0])
    }
    start = end
  }
  const doubts = [
    ...doubtOf(future, futureText),
    ...doubtOf(contradicted, repeatedText),
    ...doubtOf(impossible, impossibleText)
  ]
  return { bars, repeated, doubts }
}

/** Whether two rows of a date are not of one bar: they state other figures, or other times. */
function isOther(row: BarRow, first: BarRow): boolean {
  return Math.abs(row.time - first.time) > 0 || !figures.every((name) => Object.is(row[name], first[name]))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function isPossible({ high, low, close }: DailyBar): boolean {
  return !(high < low) && !(close > high * (1 + OUTSIDE)) && !(close < low * (1 - OUTSIDE))
}

function doubtOf(bars: readonly BarRow[], told: (bars: readonly BarRow[]) => Omit<BarDoubt, 'bars'>): BarDoubt[] {
  return bars.length === 0 ? [] : [{ ...told(bars), bars }]
}

function futureText(bars: readonly BarRow[]): Omit<BarDoubt, 'bars'> {
  const what = `${bars.length} bars are of days still to come, the first of ${bars[0].date}`
  return { kind: 'future', text: `${what}: the dates may have another form, see --dates` }
}

function repeatedText(bars: readonly BarRow[]): Omit<BarDoubt, 'bars'> {
  const dates = new Set(bars.map(({ date }) => date)).size
  const [{ date }] = bars
  const count = bars.filter((bar) => bar.date === date).length
  const what = `${date} comes ${count} times with other figures or times`
  const more = dates === 1 ? '' : `, and ${dates - 1} more dates like it`
  return { kind: 'repeated date', text: `${what}${more}: bars of minutes or hours are no daily bars` }
}

function impossibleText([{ date, high, low, close }]: readonly BarRow[]): Omit<BarDoubt, 'bars'> {
  const text = `its prices do not fit together, first on ${date}: high ${high}, low ${low}, close ${close}`
  return { kind: 'impossible range', text }
}

/** Fewest bars, and days between most of them, from which bars are of weeks or months. */
const FEWEST_BARS = 4
const DAYS_APART = 5

/** Why bars of a symbol, ascending by date, are no daily ones; undefined if they are. */
export function doubtOfPeriod(bars: readonly BarRow[]): BarDoubt | undefined {
  if (bars.length < FEWEST_BARS) return undefined
  const apart = median(bars.slice(1).map(({ date }, at) => daysBetween(bars[at].date, date)))!
  if (apart < DAYS_APART) return undefined
  const text = `most of its bars are ${Math.round(apart)} days apart: bars of weeks or months are no daily bars`
  return { kind: 'period', text, bars }
}

/** A gap between the closes of two sessions that is as large as a split, in a market that hardly moved. */
export interface SplitGap {
  readonly before: DailyBar
  readonly after: DailyBar
  /** New shares for one old share: 10 after a split of 10 to 1, 0.1 after a reverse one. */
  readonly ratio: number
}

/** Usual ratios of splits; each may be the other way round. */
const ratios = [1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100]
/** Largest move of the price beside a split, as a fraction. */
const BESIDE = 0.06
/** The ranges of the days around a split are smaller than this share of its gap, as logarithms. */
const QUIET = 0.25
/** Sessions further apart, in days, tell nothing about a gap. */
const MAX_DAYS = 10

/** Gaps of the size of splits between bars, ascending by date. */
export function splitGaps(bars: readonly DailyBar[]): readonly SplitGap[] {
  const usual = median(bars.slice(1).map(({ close }, at) => Math.abs(Math.log(close / bars[at].close)))) ?? 0
  const gaps: SplitGap[] = []
  for (let at = 1; at < bars.length; at++) {
    const [before, after] = [bars[at - 1], bars[at]]
    const factor = before.close / (after.open > 0 ? after.open : after.close)
    const ratio = ratioNear(factor)
    if (ratio === undefined || daysBetween(before.date, after.date) > MAX_DAYS) continue
    const quiet = QUIET * Math.abs(Math.log(factor))
    const ranges = [before, after].map(({ high, low }) => Math.log(high / low))
    const isQuiet = ranges.every((range) => (Number.isNaN(range) ? usual < quiet : range < quiet))
    if (isQuiet && usual < quiet) gaps.push({ before, after, ratio })
  }
  return gaps
}

function ratioNear(factor: number): number | undefined {
  const ratio = ratios.find((each) => Math.abs(Math.max(factor, 1 / factor) / each - 1) <= BESIDE)
  return ratio === undefined || factor > 1 ? ratio : 1 / ratio
}

/** Volumes on either side of a step whose medians are compared, and the ratio from which their units differ. */
const AROUND = 10
const FEWEST = 5
const OTHER_UNIT = 50
const STEP = 20

/** The first bar from which volumes seem to be in another unit; undefined if there is none. */
export function volumeStep<Bar extends DailyBar>(bars: readonly Bar[]): Bar | undefined {
  return bars.find((bar, at) => {
    if (at < FEWEST || bars.length - at < FEWEST || !isStep(bars[at - 1].volume, bar.volume, STEP)) return false
    const known = (from: number, to: number) => bars.slice(from, to).flatMap(({ volume }) => (volume > 0 ? volume : []))
    return isStep(median(known(Math.max(0, at - AROUND), at)), median(known(at, at + AROUND)), OTHER_UNIT)
  })
}

function isStep(before: number | undefined, after: number | undefined, ratio: number): boolean {
  if (before === undefined || after === undefined || !(before > 0) || !(after > 0)) return false
  return Math.max(before / after, after / before) >= ratio
}
