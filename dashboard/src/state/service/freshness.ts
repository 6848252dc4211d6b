import { signal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import type { Freshness } from './ask.ts'
import { isSignedIn } from './sign-in.ts'

/** What the newest answer says of the data it rests on. */
export const freshness = signal<Freshness>({
  age: undefined,
  isStale: false,
  source: undefined,
  replayAsOf: undefined,
  isImported: false,
  remaining: undefined
})

/** What keeps the page from being answered, and the path that was asked; it is over when that path answers again. */
export const outage = signal<{ readonly error: ApiError; readonly path: string }>()

/** Whether the plan has a number of requests a day. */
export const isCounted = () => Number.isFinite(freshness.peek().remaining)

/** Whether a source makes its prices up. */
export const isSynthetic = () => freshness.value.source?.split(',').includes('synthetic') ?? false

/** Notes what an answer says of its data; age and staleness are those of the main figures of a page. */
export function answered(path: string, { source, replayAsOf, remaining, ...fresh }: Freshness, isMain: boolean): void {
  const { age, isStale, isImported } = isMain ? fresh : freshness.peek()
  freshness.value = { age, isStale, source, replayAsOf, isImported, remaining }
  endOutage(path)
}

/** A path that is asked no more, or that answers again, keeps nothing from the page. */
export function endOutage(path: string): void {
  if (outage.peek()?.path === path) outage.value = undefined
}

/** Sorts a refusal: those of one panel stay with it, the others concern the page. */
export function refused(path: string, error: ApiError): void {
  const { code, status } = error
  if (code === 'unauthorized' || code === 'embed_scope') isSignedIn.value = false
  else if (code === 'quota_exceeded' || code === 'unreachable') outage.value = { path, error }
  // A day without a tape, or with one that is still being read, is no fault of what rests on chains.
  else if ((status === 502 || status === 503) && !path.startsWith('/v1/flow/')) outage.value = { path, error }
}
