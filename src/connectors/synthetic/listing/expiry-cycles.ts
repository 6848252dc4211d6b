import {
  addDays,
  daysBetween,
  isTradingDay,
  previousTradingDay,
  thirdFriday,
  weekday
} from '../../../market/calendar.ts'
import { type IsoDate, isoDate, parseDigits } from '../../../market/units.ts'
import { bitsOf, keyOf } from '../../../math/random.ts'
import type { Security } from '../securities/securities.ts'

export type Cycle = keyof typeof rules | 'vix' | 'none'

/** Kind of an expiration, which explains why it is listed. Monthly expirations gather most of the open interest. */
export type Term = 'daily' | 'weekly' | 'month-end' | 'monthly'

export interface ListedExpiration {
  readonly root: string
  readonly date: IsoDate
  readonly term: Term
  /** Number of calendar days before `date` at which the expiration is listed. */
  readonly window: number
}

interface Rule {
  /** Option root of all expirations except the standard monthly ones, if it differs from the symbol, e.g. SPXW. */
  readonly weeklyRoot?: string
  /**
   * `sets`: weekdays with expirations (1 for Monday), each set valid from a date on. `window`: number of days before
   * its expiration at which such an option is listed.
   */
  readonly weekdays?: { readonly window: number; readonly sets: readonly (readonly [since: string, days: string])[] }
  readonly weeks: number
  readonly monthEnds?: { readonly usual: number; readonly quarter: number }
  /**
   * Number of days ahead at which a monthly expiration is listed: in any month, in a month of the quarterly cycle, in
   * January, and in June or December. The largest number that applies counts.
   */
  readonly months: { readonly any: number; readonly cycle: number; readonly january: number; readonly half: number }
  /** A PM-settled expiration on the day of each AM-settled monthly one: number of days ahead at which it is listed. */
  readonly besideMonthly?: number
}

const rules = {
  spx: {
    weeklyRoot: 'SPXW',
    weekdays: {
      window: 35,
      sets: [
        ['2017-01-01', '135'],
        ['2022-05-11', '12345']
      ]
    },
    weeks: 65,
    monthEnds: { usual: 150, quarter: 370 },
    months: { any: 400, cycle: 650, january: 700, half: 1900 },
    besideMonthly: 150
  },
  ndx: {
    weeklyRoot: 'NDXP',
    weekdays: {
      window: 28,
      sets: [
        ['2018-01-01', '135'],
        ['2022-07-05', '12345']
      ]
    },
    weeks: 56,
    monthEnds: { usual: 60, quarter: 250 },
    months: { any: 190, cycle: 380, january: 400, half: 800 },
    besideMonthly: 60
  },
  rut: {
    weeklyRoot: 'RUTW',
    weekdays: {
      window: 21,
      sets: [
        ['2019-01-01', '135'],
        ['2024-01-02', '12345']
      ]
    },
    weeks: 50,
    monthEnds: { usual: 60, quarter: 250 },
    months: { any: 120, cycle: 380, january: 400, half: 800 },
    besideMonthly: 45
  },
  xsp: {
    weekdays: {
      window: 21,
      sets: [
        ['2019-01-01', '135'],
        ['2022-10-31', '12345']
      ]
    },
    weeks: 45,
    monthEnds: { usual: 60, quarter: 190 },
    months: { any: 100, cycle: 380, january: 400, half: 400 }
  },
  djx: { weeks: 35, months: { any: 95, cycle: 280, january: 400, half: 700 } },
  daily: {
    weekdays: {
      window: 15,
      sets: [
        ['2018-02-26', '135'],
        ['2022-11-14', '12345']
      ]
    },
    weeks: 50,
    monthEnds: { usual: 95, quarter: 370 },
    months: { any: 130, cycle: 420, january: 900, half: 900 }
  },
  triweekly: {
    weekdays: { window: 14, sets: [['2023-01-01', '135']] },
    weeks: 42,
    monthEnds: { usual: 0, quarter: 190 },
    months: { any: 120, cycle: 260, january: 860, half: 400 }
  },
  mega: {
    weekdays: { window: 10, sets: [['2026-01-26', '135']] },
    weeks: 47,
    months: { any: 190, cycle: 420, january: 860, half: 860 }
  },
  weekly: { weeks: 40, months: { any: 62, cycle: 260, january: 840, half: 0 } },
  monthly: { weeks: 0, months: { any: 62, cycle: 260, january: 600, half: 0 } }
} as const satisfies Record<string, Rule>

const MAX_SHORT_WINDOW = 65

/** Expirations that are listed on a date, including those that expire on it, sorted by date and root. */
export function listedExpirations(security: Security, today: IsoDate): readonly ListedExpiration[] {
  const { cycle } = security
  if (cycle === 'none') return []
  const found = new Map<string, ListedExpiration>()
  const add = (expiration: ListedExpiration) => {
    const ahead = daysBetween(today, expiration.date)
    if (ahead < 0 || ahead > expiration.window) return
    const name = `${expiration.date} ${expiration.root}`
    const known = found.get(name)
    if (known === undefined || known.window < expiration.window) found.set(name, expiration)
  }
  if (cycle === 'vix') addVolatilityExpirations(today, add)
  else addExpirations(security, rules[cycle], today, add)
  return [...found.keys()].sort().map((name) => found.get(name)!)
}

type Add = (expiration: ListedExpiration) => void

function addExpirations({ symbol }: Security, rule: Rule, today: IsoDate, add: Add): void {
  const root = symbol.replace('.', '') // OCC roots have no dots: BRK.B is listed as BRKB
  const { weeklyRoot = root, weekdays, weeks, monthEnds, months, besideMonthly } = rule
  for (let ahead = 0; ahead <= MAX_SHORT_WINDOW; ahead++) {
    const date = addDays(today, ahead)
    if (!isTradingDay(date)) continue
    const days = weekdays?.sets.findLast(([since]) => since <= date)?.[1] ?? ''
    if (weekdays !== undefined && days.includes(String(weekday(date)))) {
      add({ root: weeklyRoot, date, term: 'daily', window: weekdays.window })
    }
    if (endsWeek(date)) add({ root: weeklyRoot, date, term: 'weekly', window: weeks })
  }
  const cycleMonth = weeks >= 45 ? 0 : (bitsOf(keyOf(0, symbol), 0) >>> 0) % 3
  for (const [year, month] of monthsFrom(today, Math.max(months.january, months.half, months.cycle))) {
    const end = previousTradingDay(isoDate(month === 12 ? year + 1 : year, (month % 12) + 1, 1)!)
    if (monthEnds !== undefined) {
      const window = month % 3 === 0 ? monthEnds.quarter : monthEnds.usual
      add({ root: weeklyRoot, date: end, term: 'month-end', window })
    }
    const date = monthlyExpiration(year, month)
    const window = Math.max(
      months.any,
      month % 3 === cycleMonth ? months.cycle : 0,
      month === 1 ? months.january : 0,
      month % 6 === 0 ? months.half : 0
    )
    add({ root, date, term: 'monthly', window })
    if (besideMonthly !== undefined) add({ root: weeklyRoot, date, term: 'weekly', window: besideMonthly })
  }
}

/**
 * Adds the expirations of VIX options. Standard ones settle 30 days before the next month's SPX expiration, which is a
 * Wednesday unless a holiday moves either date. Weekly ones settle on the other Wednesdays.
 */
function addVolatilityExpirations(today: IsoDate, add: Add): void {
  for (const [year, month] of monthsFrom(today, 280)) {
    const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1]
    const settled = addDays(monthlyExpiration(nextYear, nextMonth), -30)
    add({ root: 'VIX', date: tradingDayUpTo(settled), term: 'monthly', window: 270 })
    const wednesday = addDays(thirdFriday(nextYear, nextMonth), -30)
    for (const weeks of [-2, -1, 1, 2]) {
      const weekly = addDays(wednesday, 7 * weeks)
      if (standsForMonth(weekly)) continue
      add({ root: 'VIXW', date: tradingDayUpTo(weekly), term: 'weekly', window: 38 })
    }
  }
}

/** Whether a Wednesday is 30 days before a third Friday. */
function standsForMonth(wednesday: IsoDate): boolean {
  const friday = addDays(wednesday, 30)
  return friday === thirdFriday(parseDigits(friday, 0, 4)!, parseDigits(friday, 5, 7)!)
}

function tradingDayUpTo(date: IsoDate): IsoDate {
  return isTradingDay(date) ? date : previousTradingDay(date)
}

/** Whether the week's trading ends on a date: a Friday, or the Thursday before a Friday without a session. */
export function endsWeek(date: IsoDate): boolean {
  const day = weekday(date)
  return day === 5 || (day === 4 && !isTradingDay(addDays(date, 1)))
}

/** Monthly expiration: the third Friday, or the day before if it has no session. */
export function monthlyExpiration(year: number, month: number): IsoDate {
  const friday = thirdFriday(year, month)
  return isTradingDay(friday) ? friday : addDays(friday, -1)
}

/** Months that cover the `days` days from a date on. */
function* monthsFrom(date: IsoDate, days: number): Generator<readonly [year: number, month: number]> {
  const first = 12 * parseDigits(date, 0, 4)! + parseDigits(date, 5, 7)! - 1
  for (let m = first; m <= first + Math.ceil(days / 28); m++) yield [Math.floor(m / 12), (m % 12) + 1]
}
