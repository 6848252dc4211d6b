import { signal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import type { Freshness } from './ask.ts'
import { door } from './door.ts'

/** What the newest answer says of the data it rests on. */
export const freshness = signal<Freshness>({
  age: undefined,
  isStale: false,
  source: undefined,
  replayAsOf: undefined,
  limit: undefined,
  remaining: undefined
})

/** What keeps the whole page from being answered; undefined while it is. */
export const outage = signal<ApiError>()

/** Whether a source makes its prices up. */
export const isSynthetic = () => freshness.value.source?.split(',').includes('synthetic') ?? false

/** Notes what an answer says of its data; age and staleness are those of the main figures of a page. */
export function answered(fresh: Freshness, isMain: boolean): void {
  const { age, isStale } = freshness.peek()
  freshness.value = isMain ? fresh : { ...fresh, age, isStale }
  outage.value = undefined
}

/** Sorts a refusal: those of one panel stay with it, the others concern the page. */
export function refused(error: ApiError): void {
  const { code, status } = error
  if (code === 'unauthorized') door.value = 'closed'
  else if (code === 'quota_exceeded' || code === 'unreachable' || status === 502 || status === 503) outage.value = error
}
