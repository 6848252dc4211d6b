import { instantOfEastern } from '../../market/eastern.ts'
import {
  epochDay,
  type Instant,
  type IsoDate,
  MILLISECONDS_PER_DAY,
  MILLISECONDS_PER_MINUTE
} from '../../market/units.ts'

/** Zone of stamps that name none: market data of the United States is stamped in New York. */
export const DEFAULT_ZONE = 'America/New_York'

/** Zones by the names that files use. A standard and a daylight name both mean the wall clock of the place. */
const placeOf: Readonly<Record<string, string>> = {
  Z: 'UTC',
  UTC: 'UTC',
  GMT: 'UTC',
  ET: DEFAULT_ZONE,
  EST: DEFAULT_ZONE,
  EDT: DEFAULT_ZONE,
  CT: 'America/Chicago',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MT: 'America/Denver',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  'US/EASTERN': DEFAULT_ZONE,
  'US/CENTRAL': 'America/Chicago',
  'US/PACIFIC': 'America/Los_Angeles',
  'AMERICA/NEW_YORK': DEFAULT_ZONE,
  'AMERICA/CHICAGO': 'America/Chicago',
  'AMERICA/LOS_ANGELES': 'America/Los_Angeles',
  'ETC/UTC': 'UTC'
}

/** Matches a zone behind a clock: Z, UTC, EST, +01:00, GMT-4. */
export const zonePattern = `Z|${Object.keys(placeOf)
  .filter((name) => name !== 'Z')
  .join('|')}|(?:UTC|GMT)?[+-]\\d{1,2}(?::?\\d{2})?`

/** Name of a zone of the time zone database, from that name or an abbreviation. Undefined if there is no such zone. */
export function zoneNamed(text: string): string | undefined {
  const name = placeOf[text.toUpperCase()] ?? text
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/**
 * Moment at which a clock in a zone shows `passed` milliseconds since midnight. The zone is a name of the time zone
 * database, or what `zonePattern` matches.
 */
export function instantInZone(date: IsoDate, passed: number, zone: string): Instant {
  const named = placeOf[zone.toUpperCase()] ?? zone
  if (named === DEFAULT_ZONE) {
    const minutes = Math.floor(passed / MILLISECONDS_PER_MINUTE)
    return instantOfEastern(date, minutes) + passed - minutes * MILLISECONDS_PER_MINUTE
  }
  const local = epochDay(date) * MILLISECONDS_PER_DAY + passed
  const [, sign, hours, minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  if (sign !== undefined) {
    return local - (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes)) * MILLISECONDS_PER_MINUTE
  }
  if (named === 'UTC') return local
  // The second step is needed within some hours of a change of the clock.
  const first = local - offsetOf(named, local)
  return local - offsetOf(named, first)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function offsetOf(zone: string, instant: Instant): number {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', ...parts })
    clocks.set(zone, clock)
  }
  const minute = Math.floor(instant / MILLISECONDS_PER_MINUTE) * MILLISECONDS_PER_MINUTE
  const [year, month, day, hour, minutes] = (clock.format(minute).match(/\d+/g) ?? []).map(Number)
  return Date.UTC(year, month - 1, day, hour, minutes) - minute
}
