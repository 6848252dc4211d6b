import { signal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import { keepClosing } from '../page/closing.ts'
import type { Freshness } from './ask.ts'
import { isSignedIn } from './sign-in.ts'

/** Source, age, staleness, quality and remaining quota that the newest answer states. */
export const freshness = signal<Freshness>({
  age: undefined,
  isStale: false,
  quality: undefined,
  source: undefined,
  replayAsOf: undefined,
  isImported: false,
  remaining: undefined
})

/** A failure that concerns the whole page, until the path that failed answers again. */
export const outage = signal<{ readonly error: ApiError; readonly path: string }>()

/** Whether the plan limits requests per day. */
export const isCounted = () => Number.isFinite(freshness.peek().remaining)

/** Whether the data is made up. */
export const isSynthetic = () => freshness.value.source?.split(',').includes('synthetic') ?? false

/** Records what an answer says about its data. Age and staleness are taken from the main figures of a page. */
export function recordAnswer(
  path: string,
  { source, replayAsOf, remaining, ...fresh }: Freshness,
  isMain: boolean
): void {
  const { age, isStale, quality, isImported } = isMain ? fresh : freshness.peek()
  freshness.value = { age, isStale, quality, source, replayAsOf, isImported, remaining }
  endOutage(path)
}

/** Ends the outage of a path that answered, or that is no longer requested. */
export function endOutage(path: string): void {
  if (outage.peek()?.path === path) outage.value = undefined
}

/** Decides whether a refusal concerns the page; all others stay with their panel. */
export function recordRefusal(path: string, error: ApiError): void {
  const { code, status } = error
  keepClosing(error.detail)
  if (code === 'unauthorized' || code === 'embed_scope') isSignedIn.value = false
  else if (code === 'quota_exceeded' || code === 'unreachable') outage.value = { path, error }
  // The panel itself shows that its data is loading. A missing tape does not concern the figures of chains.
  else if (code === 'data_loading' || code === 'loading') endOutage(path)
  else if ((status === 502 || status === 503) && !path.startsWith('/v1/flow/')) outage.value = { path, error }
}
