import type { DailyBar } from '../../market/bar.ts'
import { type Split, sharesForOne, splitBar } from '../../market/split.ts'
import type { IsoDate } from '../../market/units.ts'
import { ratioText } from '../split-ratio.ts'

/** How bars may stand to splits, as the operator can say: as they were traded, or adjusted for all later splits. */
export const barScales = ['unadjusted', 'adjusted'] as const
export type BarScale = (typeof barScales)[number]

export interface BarsScale {
  /** Splits for which older bars are not adjusted yet. */
  readonly open: readonly Split[]
  /** The newest split of which nothing tells whether the older bars are adjusted for it, and why. */
  readonly unclear: { readonly date: IsoDate; readonly text: string } | undefined
}

/** A date after all bars. */
const END = '9999-12-31' as IsoDate
/** Largest distance of a gap from that of a split, or from none, as a share of the split; both as logarithms. */
const NEAR = 1 / 3

/** A bar as it is after all splits that it is not adjusted for. */
export function adjustedBar(bar: DailyBar, open: readonly Split[]): DailyBar {
  return splitBar(bar, sharesForOne(open, bar.date, END))
}

/**
 * Finds the splits for which bars of one symbol are not adjusted: those the operator said, else those that show as a
 * gap between the bars beside them. `bars` ascend by date and `splits` too. `after` is the known bar that follows the
 * last one, adjusted for all splits; it tells of splits in between. Without it those are open if another one is.
 */
export function scaleOf(
  bars: readonly DailyBar[],
  splits: readonly Split[],
  said: BarScale | undefined,
  after: DailyBar | undefined
): BarsScale {
  const counted = bars.length === 0 ? [] : splits.filter(({ date }) => date > bars[0].date)
  if (said === 'adjusted' || counted.length === 0) return { open: [], unclear: undefined }
  if (said === 'unadjusted') return { open: counted, unclear: undefined }
  const last = bars[bars.length - 1]
  const within = counted.filter(({ date }) => date <= last.date)
  const later = counted.filter(({ date }) => date > last.date)
  const open: Split[] = []
  let unclear: BarsScale['unclear']
  for (const split of within) {
    const next = bars.findIndex(({ date }) => date >= split.date)
    const isOpen = hasGap(bars[next - 1], bars[next], split.ratio)
    if (isOpen === undefined) unclear = { date: split.date, text: unclearText(split) }
    else if (isOpen) open.push(split)
  }
  if (later.length > 0) {
    const byNext =
      after && later[0].date <= after.date ? hasGap(last, after, sharesForOne(later, last.date, END)) : undefined
    const areOpen = byNext ?? (open.length > 0 ? true : undefined)
    if (areOpen === undefined) unclear = { date: later[0].date, text: unclearText(later[0]) }
    else if (areOpen) open.push(...later)
  }
  return { open, unclear }
}

/** Whether the prices of two bars are as far apart as a split makes them; undefined if they are neither so nor alike. */
function hasGap(before: DailyBar, after: DailyBar, ratio: number): boolean | undefined {
  const gap = Math.log(before.close / (after.open > 0 ? after.open : after.close))
  const size = Math.log(ratio)
  if (Math.abs(gap - size) <= NEAR * Math.abs(size)) return true
  return Math.abs(gap) <= NEAR * Math.abs(size) ? false : undefined
}

function unclearText({ date, ratio }: Split): string {
  const what = `nothing tells whether its bars before ${date} are adjusted for the split of ${ratioText(ratio)} on that day`
  return `${what}: give --bars unadjusted or --bars adjusted`
}
