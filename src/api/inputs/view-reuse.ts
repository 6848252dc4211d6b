import type { Positions } from '../../flow/tape-views.ts'

const MAX_HELD = 256

const held = new Map<string, Positions>()

/**
 * Returns the earlier copy of a view, if there is one. Each transfer to a thread makes a new copy, and results memoized
 * on the first copy would be computed again. A newer view reuses the earlier list of series if none were added, since
 * their order is fixed for the session.
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
