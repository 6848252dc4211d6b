import type { DailyBar } from '../market/bar.ts'
import type { IsoDate } from '../market/units.ts'
import { median } from '../math/statistics.ts'
import type { Doubt } from './candidate.ts'

// A series of daily bars is restated from its beginning after a split, so its closes may differ from known ones by one
// factor for each stretch of days. Everything else that a source states twice agrees, but for dividends and corrections.

/** Daily bars of a source that may become current, and what they are judged by. */
export interface BarsCandidate {
  /** Bars as the source states them. */
  readonly bars: readonly DailyBar[]
  /** Bars that are known by now, ascending: current and recorded ones. */
  readonly known: readonly DailyBar[]
  /** The newest date that a bar can have: of a security, the newest session that is over. */
  readonly lastDate: IsoDate
  /** Price of the underlying by its current chain; undefined if there is none. */
  readonly price: number | undefined
  /** Whether a close is possible. */
  readonly isPossible: (close: number) => boolean
  /** Largest believable distance of a close from the price or from the close before, as a logarithm: see `usualMove`. */
  readonly maxMove: number
  /** The doubt that stands against the symbol's bars. */
  readonly doubt: Pick<Doubt, 'session'> | undefined
  readonly isWaived: boolean
}

/**
 * The verdict on daily bars: those of them that can be true are taken; or all are doubted and held back until evidence
 * agrees; or refused, because too many cannot be true.
 */
export type BarsVerdict =
  | { readonly kind: 'taken'; readonly bars: readonly DailyBar[] }
  | { readonly kind: 'doubted'; readonly reason: 'daily_bars'; readonly message: string; readonly settledBy: string }
  | { readonly kind: 'refused'; readonly reason: 'malformed'; readonly message: string }

/** Maximum fraction of the bars that may be impossible; fewer are left out one by one. */
const MAX_FAULTY = 0.05
/** Largest difference of two statements of one close, as a logarithm: a dividend, or a correction. */
const SAME_CLOSE = 0.1
/** Largest number of splits between the known bars and the stated ones. */
const MAX_SPLITS = 3
/** Number of known days that tell whether the newest stretch was restated. */
const NEWEST = 5
/**
 * Largest moves of a day that need no evidence, as logarithms: of a security, and of an index of volatility (VIX9D went
 * from 18.86 to 59.34 on 2018-02-05).
 */
export const usualMove = { security: 0.35, volatility: Math.log(4) } as const
/** Largest such distance where nothing else is known, as a logarithm: a crash to a third. */
const FAR = Math.log(3)
const settledBy = 'they agree with those known or with the price, or without a price the same come in a later session'

/** Judges daily bars before they become current. */
export function judgeBars(candidate: BarsCandidate): BarsVerdict {
  const { bars: stated, lastDate, isPossible, isWaived, doubt, price } = candidate
  const bars = stated.filter((bar, k) => isSound(bar, stated[k - 1], lastDate, isPossible))
  const faulty = stated.length - bars.length
  if (faulty > Math.max(1, MAX_FAULTY * stated.length)) {
    return {
      kind: 'refused',
      reason: 'malformed',
      message: `${faulty} of its ${stated.length} daily bars are impossible`
    }
  }
  if (bars.length === 0 || isWaived) return { kind: 'taken', bars }
  const message = closesMessage(bars, candidate)
  if (message === undefined) return { kind: 'taken', bars }
  if (price === undefined && doubt !== undefined && doubt.session < lastDate) return { kind: 'taken', bars }
  return { kind: 'doubted', reason: 'daily_bars', message, settledBy }
}

/** Whether a bar can be true: of a session that is over, after the bar before it, with prices that fit together. */
function isSound(
  { date, open, high, low, close, volume }: DailyBar,
  before: DailyBar | undefined,
  lastDate: IsoDate,
  isPossible: (close: number) => boolean
): boolean {
  if (date > lastDate || (before !== undefined && date <= before.date)) return false
  if (!Number.isFinite(close) || !isPossible(close) || volume < 0) return false
  return ![open, high, low].some((price) => price <= 0) && !(high < low)
}

/** Sentence about the closes that cannot be true; undefined if all can. */
function closesMessage(
  bars: readonly DailyBar[],
  { known, price, maxMove }: Pick<BarsCandidate, 'known' | 'price' | 'maxMove'>
): string | undefined {
  const { date, close } = bars[bars.length - 1]
  const isNear = (other: number | undefined, most = maxMove) =>
    other !== undefined && Math.abs(Math.log(close / other)) <= most
  const last = known.findLast((bar) => bar.date < date)?.close
  const factors = factorsOf(bars, known)
  const stretches = stretchesOf(factors)
  if (stretches - 1 > MAX_SPLITS) return `its closes differ from those known on most of ${factors.length} days`
  const factor = median(factors.slice(-NEWEST))
  if (factor !== undefined && Math.abs(Math.log(factor)) > SAME_CLOSE) {
    return isNear(price) ? undefined : `its closes are ${factor.toPrecision(3)} times those known of the same days`
  }
  if (last === undefined) {
    return price === undefined || factor !== undefined || isNear(price, Math.max(FAR, maxMove))
      ? undefined
      : `the newest close is ${close} where the price is ${price}`
  }
  return isNear(last) || isNear(price) || !(last > 0)
    ? undefined
    : `the newest close is ${close} where the last one was ${last}`
}

/** Stated closes as multiples of the known ones of the same days, oldest first. */
function factorsOf(bars: readonly DailyBar[], known: readonly DailyBar[]): readonly number[] {
  const closes = new Map(known.map(({ date, close }) => [date, close]))
  return bars.flatMap(({ date, close }) => {
    const other = closes.get(date)
    return other === undefined || !(other > 0) || !(close > 0) ? [] : [close / other]
  })
}

/** Number of stretches of days in which the factors are about equal. A single day that differs is a correction. */
function stretchesOf(factors: readonly number[]): number {
  let stretches = 1
  let level = factors[factors.length - 1]
  const differs = (factor: number | undefined, from: number) =>
    factor !== undefined && Math.abs(Math.log(factor / from)) > SAME_CLOSE
  for (let k = factors.length - 2; k >= 0; k--) {
    if (!differs(factors[k], level) || !differs(factors[k - 1] ?? factors[k], level)) continue
    level = factors[k]
    stretches++
  }
  return stretches
}

/**
 * Known bars with the stated ones in their place: known bars of days that the source leaves out stay, so nothing that is
 * known is lost where it states less. If the newest stated closes are multiples of the known ones, only stated bars
 * remain, because the known ones are of before a split.
 */
export function joinedBars(bars: readonly DailyBar[], known: readonly DailyBar[]): readonly DailyBar[] {
  const factor = median(factorsOf(bars, known).slice(-NEWEST)) ?? 1
  if (Math.abs(Math.log(factor)) > SAME_CLOSE) return bars
  const dates = new Set(bars.map(({ date }) => date))
  const others = known.filter(({ date }) => !dates.has(date))
  if (others.length === 0) return bars
  return [...others, ...bars].sort((a, b) => (a.date < b.date ? -1 : 1))
}
