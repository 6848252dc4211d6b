import { ApiError } from 'gammawall/client'
import { send } from './send.ts'

/** Sessions that follow each other and are of one kind, both ends included. */
export interface Covered {
  /** dates in New York */
  readonly from: string
  readonly to: string
  /** recorded by this service, or imported from files */
  readonly level: string
}

const asked = new Map<string, Promise<readonly Covered[]>>()

/**
 * The sessions that the service can replay of a symbol, ascending; none where it never recorded it. Asked once for each
 * symbol, when somebody looks for them. Throws an ApiError.
 */
export function coveredOf(symbol: string): Promise<readonly Covered[]> {
  const kept = asked.get(symbol)
  if (kept !== undefined) return kept
  const found = send('GET', `/replay/v1/tickers?symbol=${encodeURIComponent(symbol)}`).then(
    (answer) => (answer as { readonly fidelity: readonly Covered[] }).fidelity,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'no_coverage') return []
      asked.delete(symbol)
      throw error
    }
  )
  asked.set(symbol, found)
  return found
}

/** Asks anew the next time: sessions were recorded meanwhile. */
export function forgetCovered(): void {
  asked.clear()
}

/** Of what kind a session is; undefined where nothing of it can be replayed. */
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

/** The weekdays of a month, yyyy-MM, in weeks of five; undefined where a day is of another month. */
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

/** The month so many months on from yyyy-MM, or back. */
export function monthAfter(month: string, count: number): string {
  const at = new Date(`${month}-01T12:00Z`)
  at.setUTCMonth(at.getUTCMonth() + count)
  return at.toISOString().slice(0, 7)
}
