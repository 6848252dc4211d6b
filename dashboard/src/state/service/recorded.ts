import { signal } from '@preact/signals'
import { send } from './send.ts'

/** Recorded moments of a symbol and a day are requested again after this time, milliseconds: a session grows. */
const RENEWED_AFTER = 60_000

/** Times in New York at which a snapshot was taken, ascending, by symbol and day. None where that is not known. */
const days = signal<ReadonlyMap<string, readonly string[]>>(new Map())
const askedAt = new Map<string, number>()

const nameOf = (symbol: string, at: string) => `${symbol} ${at.slice(0, 10)}`

interface Recorded {
  readonly sessions: readonly { readonly moments: readonly string[] }[]
}

function load(symbol: string, date: string): void {
  const name = nameOf(symbol, date)
  if (Date.now() - (askedAt.get(name) ?? Number.NEGATIVE_INFINITY) < RENEWED_AFTER) return
  askedAt.set(name, Date.now())
  send('GET', `/replay/v1/recorded/${encodeURIComponent(symbol)}?from=${date}`).then(
    (answer) =>
      keep(
        name,
        (answer as Recorded).sessions.flatMap(({ moments }) => moments.map((time) => `${date}T${time}`))
      ),
    () => keep(name, days.peek().get(name) ?? []) // the moment itself is asked for, and its refusal says why
  )
}

function keep(name: string, moments: readonly string[]): void {
  days.value = new Map(days.peek()).set(name, moments)
}

/**
 * The newest recorded moment of the day that is not later than `at`; `at` itself where that is not known or there is
 * none. Undefined while the moments of the day are being requested, which the first call begins.
 */
export function recordedBy(symbol: string, at: string): string | undefined {
  load(symbol, at.slice(0, 10))
  const moments = days.value.get(nameOf(symbol, at))
  return moments && (moments.findLast((each) => each <= at) ?? at)
}

/** The recorded moment to step to from `from`, for somebody who would go to `wanted`, which is also what is unknown. */
export function recordedStep(symbol: string, from: string, wanted: string): string {
  const moments = days.value.get(nameOf(symbol, wanted)) ?? []
  const found = wanted > from ? moments.find((each) => each >= wanted) : moments.findLast((each) => each <= wanted)
  return found ?? wanted
}
