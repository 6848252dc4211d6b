import type { Positions } from '../../flow/tape-views.ts'

/** Views that a thread remembers: what is computed from one serves every later answer. */
const MAX_HELD = 256

const held = new Map<string, Positions>()

/**
 * The view that was here before, where it is the same one: a view that crosses to a thread comes as a copy each time, and
 * what is remembered of the first would be computed again. A newer view keeps the series of the one before, where no
 * series has come: they stand in one order for the whole session.
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
