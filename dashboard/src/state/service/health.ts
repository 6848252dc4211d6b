import { signal } from '@preact/signals'
import { isHidden } from '../page/reader.ts'
import { figures } from './figures.ts'

type State = 'Healthy' | 'Degraded' | 'Unhealthy'

export interface Health {
  readonly status: State
  readonly checks: readonly {
    readonly name: string
    readonly status: State
    /** milliseconds that the look at it took */
    readonly duration: number
    readonly details?: Readonly<Record<string, string | number | Readonly<Record<string, number>>>>
  }[]
}

/** How the service judges itself; undefined before it answered and while it does not. */
export const health = signal<Health>()
/** Whether the last question about it was not answered. */
export const isSilent = signal(false)

/** The chains that the service holds, with the moment of each. */
export const held = figures('/v1/symbols', { params: () => ({}), at: () => undefined, every: 15_000 })

/** How often the service is asked how it is, milliseconds. It needs no key and is not counted. */
const EVERY = 5000

/** Asks until the returned function is called. */
export function watchHealth(): () => void {
  let timer: ReturnType<typeof setTimeout>
  const gaveUp = new AbortController()
  const look = async () => {
    try {
      const response = isHidden.peek() ? undefined : await fetch('/health', { signal: gaveUp.signal })
      if (response !== undefined) health.value = (await response.json()) as Health
      isSilent.value = false
    } catch {
      isSilent.value = true
    }
    if (!gaveUp.signal.aborted) timer = setTimeout(look, EVERY)
  }
  void look()
  return () => {
    gaveUp.abort()
    clearTimeout(timer)
  }
}
