import { addDays } from '../../../market/calendar.ts'
import { type EarningsStatement, type EarningsTiming, unstated } from '../../../market/earnings.ts'
import { easternDate, instantOfEastern } from '../../../market/eastern.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import { gaussian, keyOf, uniform } from '../../../math/random.ts'
import { sessionOnOrAfter, sessions } from '../market-sessions.ts'
import type { Security } from '../securities/securities.ts'
import { once, type World } from '../world.ts'
import { expectedJump, FIRST_YEAR, type ReportJump, reportsOf } from './report-jumps.ts'

/**
 * Number of days before a report at which a calendar first names an expected day, and at which the company confirms the
 * day.
 */
const [EXPECTED_BEFORE, CONFIRMED_BEFORE] = [95, 21]
/** Share of reports that were first expected on another day, and the maximum difference in sessions. */
const [MOVED_SHARE, MOVED_BY] = [0.2, 2]
/** Minutes after midnight at which earnings are released. */
const releasedAt: Readonly<Record<EarningsTiming, number>> = { bmo: 7 * 60 + 30, amc: 16 * 60 + 15, dmh: 12 * 60 }
/**
 * Mean and standard deviation of the earnings surprise, as fractions of the estimate. The mean is positive because most
 * companies beat the estimate.
 */
const [MEAN_SURPRISE, SURPRISE_SPREAD] = [0.02, 0.05]
const SURPRISE_IN_JUMP = 0.6
/** Minimum numbers of option contracts on an ordinary day for a report of importance 5, 4, 3 and 2. */
const IMPORTANCE = [400_000, 150_000, 60_000, 20_000]

/**
 * Earnings announcements that were known by `now`, for a company's reports on or after a date. Each report has up to
 * three, in this order: an expected day, which may be wrong; the confirmed day; the actual figures. The surprise in the
 * figures correlates with the price jump.
 */
export function reportsStated(world: World, security: Security, from: IsoDate, now: Instant): EarningsStatement[] {
  const { seed } = world
  const key = keyOf(seed, 'figures', security.returnsOf)
  const timing: EarningsTiming = uniform(key, 0) < 0.55 ? 'amc' : 'bmo'
  // Announcements of all companies and years would take tenths of a second, so only the requested ones are generated.
  const earliest = sessionOnOrAfter(from) - MOVED_BY
  const latest = sessionOnOrAfter(addDays(easternDate(now), EXPECTED_BEFORE)) + 1
  return once(world, `reports ${security.symbol}`, () => reportsOf(seed, security))
    .filter(({ session }) => session >= earliest && session <= latest)
    .flatMap((report) => statementsOf(key, security, report, timing))
    .filter(({ date, knownFrom }) => date >= from && knownFrom <= now)
}

function statementsOf(
  key: number,
  security: Security,
  report: ReportJump,
  timing: EarningsTiming
): EarningsStatement[] {
  const { quarter, session } = report
  const onSession = timing === 'bmo' ? session : session - 1
  const date = sessions[onSession]
  const { epsEstimate, epsActual, revenueEstimate, revenueActual } = figuresOf(key, security, report)
  const about = {
    ...unstated,
    symbol: security.symbol,
    timing,
    fiscalPeriod: `Q${((quarter + 3) % 4) + 1}`,
    fiscalYear: FIRST_YEAR + Math.floor((quarter - 1) / 4),
    importance: 1 + IMPORTANCE.filter((least) => security.optionVolume >= least).length
  }
  const early = round(epsEstimate * (1 + 0.02 * gaussian(key, 6, quarter)), 100)
  const first = sessions[Math.max(0, onSession + sessionsOff(key, quarter))]
  const known = (days: number) => instantOfEastern(addDays(date, -days), 0)
  const confirmed = { ...about, date, confirmed: true, epsEstimate, revenueEstimate }
  return [
    { ...about, date: first, epsEstimate: early, revenueEstimate, knownFrom: known(EXPECTED_BEFORE) },
    { ...confirmed, knownFrom: known(CONFIRMED_BEFORE) },
    { ...confirmed, epsActual, revenueActual, knownFrom: released(date, timing) }
  ]
}

const released = (date: IsoDate, timing: EarningsTiming) => instantOfEastern(date, releasedAt[timing])

function sessionsOff(key: number, quarter: number): number {
  if (uniform(key, 1, quarter) >= MOVED_SHARE) return 0
  const off = 1 + Math.floor(MOVED_BY * uniform(key, 2, quarter))
  return uniform(key, 3, quarter) < 0.5 ? -off : off
}

/**
 * Estimated and actual earnings per share and revenue, USD. Annual earnings are 2 to 7 % of the price and grow by 8 % a
 * year.
 */
function figuresOf(key: number, security: Security, { quarter, jump }: ReportJump) {
  const years = quarter / 4 + FIRST_YEAR - 2026
  const annual = security.price * (0.02 + 0.05 * uniform(key, 10)) * 1.08 ** years
  const season = 1 + 0.15 * Math.sin((Math.PI / 2) * quarter + 6 * uniform(key, 11))
  const epsEstimate = Math.max(0.01, round((annual * season) / 4, 100))
  const shock = jump / (0.85 * expectedJump(security))
  const z = SURPRISE_IN_JUMP * shock + Math.sqrt(1 - SURPRISE_IN_JUMP ** 2) * gaussian(key, 4, quarter)
  const revenueEstimate = round((epsEstimate * 2e9 * uniform(key, 12)) / (0.05 + 0.25 * uniform(key, 13)), 1e-6)
  return {
    epsEstimate,
    epsActual: round(epsEstimate * (1 + MEAN_SURPRISE + SURPRISE_SPREAD * z), 100),
    revenueEstimate,
    revenueActual: round(revenueEstimate * (1 + 0.005 + 0.015 * z + 0.01 * gaussian(key, 5, quarter)), 1e-6)
  }
}

function round(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit
}
