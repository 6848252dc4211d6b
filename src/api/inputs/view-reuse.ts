import type { Positions } from '../../flow/tape-views.ts'

/** Most views held by a thread. */
const MAX_HELD = 256

const held = new Map<string, Positions>()

/**
 * The earlier copy of the same view, if there is one. Each transfer to a thread makes a new copy, and what is memoized
 * on the first one would be computed again. A newer view keeps the earlier series if none were added, since their order
 * is fixed for the session.
 */
export function sameView(fresh: Positions | undefined): Positions | undefined {
  if (fresh === undefined) return undefined
  const name = `${fresh.symbol} ${fresh.session}`
  const known = held.get(name)
  if (known?.version === fresh.version) return known
  const hasSameSeries = known !== undefined && known.series.length === fresh.series.length
  const kept = hasSameSeries ? { ...fresh, series: known.series } : fresh
  held.delete(name)
  held.set(name, kept)
  for (const oldest of held.keys()) {
    if (held.size <= MAX_HELD) break
    held.delete(oldest)
  }
  return kept
}
