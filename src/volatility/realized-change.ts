import { difference } from '../math/optional.ts'
import { closeToClose, type UsableBars } from './realized.ts'

/** Sessions that a change of realized volatility looks back. */
const SESSIONS_BACK = 5

/**
 * How much realized volatility over 20 returns has changed in five completed sessions.
 *
 * Unit: an annual fraction. Undefined with fewer than 26 bars. Source: the wire contract.
 */
export function realizedChange(bars: UsableBars): number | undefined {
  const before = bars.slice(0, -SESSIONS_BACK) as readonly unknown[] as UsableBars // a part of usable bars is usable
  return difference(closeToClose(bars, 20), closeToClose(before, 20))
}
