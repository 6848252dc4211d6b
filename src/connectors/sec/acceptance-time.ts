import { easternMinutes, parseEasternDateTime } from '../../market/eastern.ts'
import type { Instant } from '../../market/units.ts'

/** EDGAR takes filings from 06:00 to 22:00 New York. Source: SEC, EDGAR calendar and hours. */
const FIRST = 6 * 60
const LAST = 22 * 60

/** By which clock the acceptance times of a company are written. */
export type FilingClock = 'utc' | 'new-york'

const written = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?Z$/

/** An acceptance time by a clock; undefined for what is none. */
export function acceptedAt(text: string, clock: FilingClock): Instant | undefined {
  const wall = written.exec(text)?.[1]
  if (wall === undefined) return undefined
  const time = clock === 'utc' ? Date.parse(`${wall}Z`) : parseEasternDateTime(wall)
  return time === undefined || Number.isNaN(time) ? undefined : time
}

/**
 * The clock of all acceptance times of a company. They all end in Z, and those of one company in five are nevertheless New
 * York's: which it is shows where the other clock would have had it file while EDGAR is closed. Undefined where nothing
 * shows it. Source: times compared with the headers of 64,936 filings, github.com/theOGognf/finagg, issue 64.
 */
export function filingClock(times: readonly string[]): FilingClock | undefined {
  const [byUtc, byNewYork] = (['utc', 'new-york'] as const).map((clock) =>
    times.some((text) => {
      const time = acceptedAt(text, clock)
      return time !== undefined && !isOpen(time)
    })
  )
  if (byUtc === byNewYork) return undefined
  return byUtc ? 'new-york' : 'utc'
}

/** To the minute, since a filing may be accepted as the day ends. */
function isOpen(time: Instant): boolean {
  const minutes = easternMinutes(time)
  return minutes >= FIRST && minutes <= LAST
}
