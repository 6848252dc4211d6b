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

/** What is recorded around a moment between two recordings. */
export interface Between {
  readonly newest: string
  /** The next recorded moment of the day; undefined after the last one. */
  readonly next: string | undefined
  /** The usual time between two of them, milliseconds; undefined with one alone. */
  readonly step: number | undefined
}

/** What is recorded around a moment of a day. Undefined while that is unknown, and before the first recording. */
export function recordedAround(symbol: string, at: string): Between | undefined {
  const moments = days.value.get(nameOf(symbol, at)) ?? []
  const newest = moments.findLast((each) => each <= at)
  if (newest === undefined) return undefined
  const times = moments.map((each) => Date.parse(`${each}Z`))
  const steps = times.slice(1).map((time, i) => time - times[i]!)
  return { newest, next: moments.find((each) => each > at), step: steps.sort((a, b) => a - b)[steps.length >> 1] }
}

/** The recorded moment to step to from `from`, for somebody who would go to `wanted`, which is also what is unknown. */
export function recordedStep(symbol: string, from: string, wanted: string): string {
  const moments = days.value.get(nameOf(symbol, wanted)) ?? []
  const found = wanted > from ? moments.find((each) => each >= wanted) : moments.findLast((each) => each <= wanted)
  return found ?? wanted
}
