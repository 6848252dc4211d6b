/** Consecutive sessions of one kind, both ends included. */
export interface Covered {
  /** Dates in New York. */
  readonly from: string
  readonly to: string
  /** Recorded by this service, or imported from files. */
  readonly level: string
}

/** The kind of a session; undefined if it cannot be replayed. */
export function levelOf(covered: readonly Covered[], date: string): string | undefined {
  return covered.find(({ from, to }) => from <= date && date <= to)?.level
}

/** The session nearest to a date that can be replayed; undefined without one. */
export function nearestSession(covered: readonly Covered[], date: string): string | undefined {
  if (levelOf(covered, date) !== undefined) return date
  const away = (other: string) => Math.abs(Date.parse(other) - Date.parse(date))
  const ends = covered.flatMap(({ from, to }) => [from, to])
  return ends.reduce<string | undefined>((best, each) => (!best || away(each) < away(best) ? each : best), undefined)
}

/** Weekdays of a month (yyyy-MM) in weeks of five; undefined for days of other months. */
export function weeksOf(month: string): readonly (readonly (string | undefined)[])[] {
  const first = new Date(`${month}-01T12:00Z`)
  const monday = new Date(first)
  monday.setUTCDate(1 - ((first.getUTCDay() + 6) % 7))
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 5 }, (__, day) => {
      const at = new Date(monday)
      at.setUTCDate(monday.getUTCDate() + 7 * week + day)
      const date = at.toISOString().slice(0, 10)
      return date.startsWith(month) ? date : undefined
    })
  )
  return weeks.filter((week) => week.some((date) => date !== undefined))
}

/** The month `count` months after yyyy-MM; a negative count goes back. */
export function monthAfter(month: string, count: number): string {
  const at = new Date(`${month}-01T12:00Z`)
  at.setUTCMonth(at.getUTCMonth() + count)
  return at.toISOString().slice(0, 7)
}
