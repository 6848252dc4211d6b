import { latestSession, previousTradingDay } from '../market/calendar.ts'
import type { Instant, IsoDate } from '../market/units.ts'
import type { ServedCapability } from './port/capability.ts'
import type { Connector } from './port/connector.ts'

/** A connector for each capability; one and the same for several of them where it supplies those. */
export type Suppliers = Readonly<Record<ServedCapability, Connector>>

/**
 * One connector that takes each capability from its supplier. It has the name, the moments and the symbols of the
 * source of chains; its `suppliers` keep what holds for the others. Made-up figures and real ones are never combined.
 */
export function combine(suppliers: Suppliers): Connector {
  const { chains, bars } = suppliers
  if (bars === chains) return chains
  if (bars.synthetic !== chains.synthetic) {
    throw new Error(`${chains.name} and ${bars.name} cannot be combined: one of them is made up`)
  }
  return {
    ...chains,
    provides: ['chains', 'bars'],
    suppliers,
    async dailyBars(symbol, now, signal) {
      const known = await bars.dailyBars(symbol, now, signal)
      // Chains may be fixed at a past moment while the source of bars knows the present only.
      const last = lastCompleted(now)
      return known.filter(({ date }) => date <= last)
    }
  }
}

/** The newest session that is over. */
function lastCompleted(now: Instant): IsoDate {
  const { date, close } = latestSession(now)
  return now >= close ? date : previousTradingDay(date)
}
