import { epochDay, type IsoDate } from '../../../market/units.ts'
import { sessionOnOrBefore, sessions } from '../market-sessions.ts'
import { expectedVariance, factorAt } from '../prices/factor.ts'
import { expectedJump, type ReportJump } from '../prices/report-jumps.ts'
import type { Security } from '../securities/securities.ts'
import { driversOf, ofNewest, type World } from '../world.ts'

/**
 * Ratio of implied to expected variance, for indexes and funds. It is higher than for stocks, because hedgers buy their
 * options.
 */
const INDEX_PREMIUM = 1.25
const STOCK_PREMIUM = 1.12

/**
 * Total implied variance at the money by expiration, in session number `n` when the share `s` of the session's variance
 * has passed.
 * It is the expected variance of every factor over `t` years with a premium, plus the square of the expected jump for
 * each earnings report before the expiration. It never falls from one expiration to the next. Together with the smile
 * of `ssvi-smile.ts` this rules out calendar arbitrage.
 */
export function varianceCurve(world: World, security: Security, n: number, s: number): VarianceCurve {
  const { exposures, reports } = driversOf(world, security)
  const premium = security.kind === 'equity' ? STOCK_PREMIUM : INDEX_PREMIUM
  const states = exposures.map(({ path, load }) => ({
    terms: path.terms,
    state: factorAt(path, n, s),
    weight: premium * load ** 2
  }))
  const jump = 1.1 * expectedJump(security) ** 2
  const coming =
    reports.length === 0 ? undefined : ofNewest(world, `reports ${security.symbol}`, n, () => reportsAfter(reports, n))
  return (t, expiration) => {
    let total = 0
    for (const { terms, state, weight } of states) total += weight * expectedVariance(terms, state, t)
    return coming === undefined || expiration === undefined ? total : total + jump * coming(expiration)
  }
}

/** Total implied variance as a function of years to expiry. `expiration` is needed if earnings reports count. */
export type VarianceCurve = (t: number, expiration?: IsoDate) => number

function reportsAfter(reports: readonly ReportJump[], n: number): (expiration: IsoDate) => number {
  const coming = reports.filter(({ session }) => session > n)
  const counts = new Map<IsoDate, number>()
  return (expiration) => {
    const known = counts.get(expiration)
    if (known !== undefined || coming.length === 0) return known ?? 0
    const last = sessionOnOrBefore(expiration)
    const beyond = (epochDay(expiration) - epochDay(sessions[sessions.length - 1])) / 91 // LEAPS beyond the last session
    const count = coming.filter(({ session }) => session <= last).length + Math.max(0, Math.floor(beyond))
    counts.set(expiration, count)
    return count
  }
}
