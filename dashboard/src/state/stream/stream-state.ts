import { effect, signal } from '@preact/signals'

/** State of the stream; `off` in replay and if the plan has none. */
export const link = signal<'off' | 'connecting' | 'live' | 'lost'>('off')

/** How long a lost stream may take to come back before the page polls, milliseconds. */
const PATIENCE = 10_000

/** Whether figures come by the stream: it is up, or was lost less than PATIENCE ago. */
export const isStreamed = signal(false)

/** Derives `isStreamed` from `link` until the returned function is called. */
export function followStream(): () => void {
  return effect(() => {
    if (link.value !== 'lost') {
      isStreamed.value = link.value === 'live'
      return undefined
    }
    const timer = setTimeout(() => {
      isStreamed.value = false
    }, PATIENCE)
    return () => clearTimeout(timer)
  })
}

/** Subscribes to a metric of the shown symbol, with at least `cadence` milliseconds between updates. */
export type Follow = (
  metric: string,
  cadence: number,
  take: (value: unknown, ts: number) => void,
  params?: Readonly<Record<string, string | number>>
) => { unsubscribe(): void }

/** Subscriptions of the open screen besides the price. Signals that it reads renew them. */
export const followed = signal<(follow: Follow) => void>()

/** Lets a screen subscribe to its metrics until the returned function is called. */
export function followWhile(metrics: (follow: Follow) => void): () => void {
  followed.value = metrics
  return () => {
    if (followed.peek() === metrics) followed.value = undefined
  }
}
