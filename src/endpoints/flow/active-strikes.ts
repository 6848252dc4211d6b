import { activeStrikes, byStrike, type StrikeRow } from '../../exposure/by-strike.ts'
import type { FlowScope } from './flow-scope.ts'

/**
 * Rows on effective open interest of the strikes that have official open interest, effective open interest or volume,
 * ascending: a strike whose contracts were all sold stays.
 */
export function activeLiveStrikes({ settled, live }: FlowScope): readonly StrikeRow[] {
  if (live === settled) return activeStrikes(live)
  const active = new Set([...activeStrikes(settled), ...activeStrikes(live)].map(({ strike }) => strike))
  return byStrike(live).filter(({ strike }) => active.has(strike))
}
