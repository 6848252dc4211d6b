import { signal } from '@preact/signals'
import type { ApiError } from 'gammawall/client'
import type { Freshness } from './ask.ts'
import { door } from './door.ts'
import type { Question } from './question.ts'

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

/** A symbol that the service does not know, or, in replay, that nothing was ever recorded of. */
export const unknown = signal<{ readonly symbol: string; readonly isReplay: boolean }>()

/** Whether a source makes its prices up. */
export const isSynthetic = () => freshness.value.source?.split(',').includes('synthetic') ?? false

export function answered(fresh: Freshness, asked: Question): void {
  freshness.value = fresh
  outage.value = undefined
  if (unknown.peek()?.symbol !== asked.symbol) unknown.value = undefined
}

/** Sorts a refusal: those of one panel stay with it, the others concern the page. */
export function refused(error: ApiError, { symbol, at }: Question): void {
  const { code, status } = error
  if (code === 'unauthorized') door.value = 'closed'
  else if (code === 'symbol_not_found' || code === 'no_coverage') unknown.value = { symbol, isReplay: at !== undefined }
  else if (code === 'quota_exceeded' || code === 'unreachable' || status === 502 || status === 503) outage.value = error
}
