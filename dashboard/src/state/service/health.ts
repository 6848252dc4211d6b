import { signal } from '@preact/signals'
import { isHidden } from '../page/reader.ts'
import { figures } from './figures.ts'

type State = 'Healthy' | 'Degraded' | 'Unhealthy'

export interface Health {
  readonly status: State
  readonly checks: readonly {
    readonly name: string
    readonly status: State
    /** Milliseconds that the check took. */
    readonly duration: number
    readonly details?: Readonly<Record<string, string | number | Readonly<Record<string, number>>>>
  }[]
}

/** The service's own report; undefined before the first answer. */
export const health = signal<Health>()
/** Whether the last request failed. */
export const isSilent = signal(false)

/** The chains in memory, with their times. */
export const held = figures('/v1/symbols', { params: () => ({}), at: () => undefined, every: 15_000 })

/** The checks of the chain behind the figures of the page. */
export const quality = figures('/v1/quality/{symbol}', { params: ({ symbol }) => ({ symbol }) })

/** Milliseconds between requests by default. They need no key and do not count against a plan. */
const EVERY = 5000

/** Requests the report until the returned function is called. */
export function watchHealth(every = EVERY): () => void {
  let timer: ReturnType<typeof setTimeout>
  const gaveUp = new AbortController()
  const poll = async () => {
    try {
      const response = isHidden.peek() ? undefined : await fetch('/health', { signal: gaveUp.signal })
      if (response !== undefined) health.value = (await response.json()) as Health
      isSilent.value = false
    } catch {
      isSilent.value = true
    }
    if (!gaveUp.signal.aborted) timer = setTimeout(poll, every)
  }
  void poll()
  return () => {
    gaveUp.abort()
    clearTimeout(timer)
  }
}
