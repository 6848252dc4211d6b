import type { EarningsSpan, EarningsStatement } from '../../market/earnings.ts'
import type { Instant } from '../../market/units.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Task } from './task.ts'

interface EarningsAsked extends EarningsSpan {
  readonly now: Instant
}

/** What the source says by `now` of the reports of companies. Undefined: it has no calendar of them. */
export const loadEarnings: Task<EarningsAsked, readonly EarningsStatement[] | undefined> = {
  urgency: 'soon',
  symbol: ({ symbol }) => symbol,
  async run({ symbol, from, now }, { connector }) {
    if (connector.earnings === undefined) return undefined
    return withTimeout((signal) => connector.earnings!({ symbol, from }, now, signal))
  }
}
