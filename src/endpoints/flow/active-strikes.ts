import { activeStrikes, byStrike, type StrikeRow } from '../../exposure/by-strike.ts'
import type { FlowScope } from './flow-scope.ts'

/**
 * Rows for all strikes with official open interest, effective open interest or volume, ascending by strike. A strike
 * stays in the list even if all its contracts are estimated to have been closed.
 */
export function activeLiveStrikes({ settled, live }: FlowScope): readonly StrikeRow[] {
  if (live === settled) return activeStrikes(live)
  const active = new Set([...activeStrikes(settled), ...activeStrikes(live)].map(({ strike }) => strike))
  return byStrike(live).filter(({ strike }) => active.has(strike))
}
