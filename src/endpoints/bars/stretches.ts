import { session } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { FigureColumns } from '../../market/figure-row.ts'
import type { Instant } from '../../market/units.ts'
import { samplesOf } from './sampled-rows.ts'

/** How a session was recorded: snapshots within it, the close alone, or imported from a file. */
export const recordings = ['minutes', 'closes', 'imported'] as const
type Recording = (typeof recordings)[number]

/** A stretch of time with a label: from its first moment on, before its last. */
export type LabelledStretch<Label extends string> = readonly [from: Instant, to: Instant, label: Label]

/** Joins neighbours with the same label, ascending. */
export function joined<Label extends string>(
  parts: readonly LabelledStretch<Label>[]
): readonly LabelledStretch<Label>[] {
  const found: [Instant, Instant, Label][] = []
  for (const [from, to, label] of parts) {
    const last = found.at(-1)
    if (last?.[2] === label) last[1] = to
    else found.push([from, to, label])
  }
  return found
}

/** How the sessions of the figures were recorded, ascending. A session that is still running ends at `asOf`. */
export function recordedSessions(
  figures: FigureColumns | undefined,
  asOf: Instant
): readonly LabelledStretch<Recording>[] {
  if (figures === undefined) return []
  const { samples, imported } = samplesOf(figures)
  const found = new Map<Instant, readonly [end: Instant, label: Recording]>()
  for (const [row, at] of figures.t.entries()) {
    const { open, close } = session(easternDate(at))! // figures are made of sessions alone
    const label = imported[row] === 1 ? 'imported' : samples[row] > 0 ? 'minutes' : 'closes'
    const isBetter = label !== 'closes' || !found.has(open)
    if (isBetter) found.set(open, [Math.min(close, asOf), label])
  }
  return joined([...found].map(([open, [end, label]]) => [open, end, label]))
}
